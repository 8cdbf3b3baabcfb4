import Foundation
import Imagery
import TestSupport
import Testing

@testable import Exports

@Suite("PDF: base map tiles with transparency beside their colours")
struct PNGTransparencyTests {
  // Made with Python's zlib and struct: 4 by 4 pixels, 8 bits a sample, with a tRNS chunk.
  private static let palette =
    "iVBORw0KGgoAAAANSUhEUgAAAAQAAAAECAMAAACeL25MAAAADFBMVEX/AAD/AAAAAP8A/wAHnrE7AAAAA3RSTlP/"
    + "gAB/bWh4AAAAD0lEQVR42mNgYGRiZkAlAADwABk0Ew8/AAAAAElFTkSuQmCC"
  private static let grey =
    "iVBORw0KGgoAAAANSUhEUgAAAAQAAAAECAAAAACMmsGiAAAAAnRSTlMAB+j3WJsAAAAPSURBVHjaY2BnYGdgQCUAAmAA"
    + "OfRPpr0AAAAASUVORK5CYII="
  private static let colour =
    "iVBORw0KGgoAAAANSUhEUgAAAAQAAAAECAIAAAAmkwkpAAAABnRSTlMA/wAAAACkwsAdAAAAEklEQVR42mP4zwAE/yEk"
    + "A3EcAJ6jD/HPGt+iAAAAAElFTkSuQmCC"

  private func bytes(_ text: String) throws -> [UInt8] {
    Array(try #require(Data(base64Encoded: text)))
  }

  @Test("a palette's entries lie on white paper; one colour that is see-through is a mask")
  func chunks() throws {
    let palette = try #require(PNGTile(bytes(Self.palette)))
    // Opaque red, half-transparent red, transparent blue, and green, for which tRNS has no entry.
    #expect(
      palette.colours == .palette([255, 0, 0, 255, 127, 127, 255, 255, 255, 0, 255, 0]))
    #expect(palette.maskedSamples == nil)
    #expect(try #require(PNGTile(bytes(Self.grey))).maskedSamples == [7])
    #expect(try #require(PNGTile(bytes(Self.colour))).maskedSamples == [255, 0, 0])
  }

  @Test("and on the page what is see-through shows the paper")
  func page() async throws {
    try await withTemporaryDirectory { folder in
      let tile = try bytes(Self.colour)
      var dossier = try DossierFixture.dossier(photos: 1)
      dossier.baseMap = Dossier.BaseMap(
        title: "Overlay", attribution: nil, zooms: 0...19, tile: { _, _, _ in tile })
      let pdf = try PDFReading(dossier, in: folder)
      #expect(try await pdf.complaint() == nil)
      let page = try await pdf.pixels(page: 3)
      // The transparent red is not drawn; the blue is, paler.
      #expect(page.middle { $0 > 200 && $1 < 130 && $2 < 130 } == nil)
      #expect(page.middle { $0 < 130 && $1 < 130 && $2 > 200 } != nil)
    }
  }
}
