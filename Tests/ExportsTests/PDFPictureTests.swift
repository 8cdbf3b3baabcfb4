import Exports
import Foundation
import Geodesy
import Inspection
import PDFWriting
import Positioning
import TestSupport
import Testing
import TimeAndText

@testable import Imagery

@Suite("PDF: pictures and the map")
struct PDFPictureTests {
  private struct Unreadable: Error, CustomStringConvertible {
    let description = "the disk said no"
  }

  @Test("twelve large photos are read one by one, scaled down, and make a small file")
  func many() async throws {
    try await withTemporaryDirectory { folder in
      let large = try PixelBuffer(width: 2800, height: 1400, colour: .white).encodeJPEG(quality: 90)
      var dossier = try DossierFixture.dossier(photos: 12)
      let asked = Asked()
      for index in dossier.photos.indices {
        dossier.photos[index].jpeg = {
          asked.numbers.append(index)
          return large
        }
      }
      let fonts = try #require(PDFFonts.installed())
      let file = folder.appendingPathComponent("task.pdf")
      var steps: [[Int]] = []
      try PDFDocument.write(dossier, fonts: fonts, toFile: file.path) { steps.append([$0, $1]) }
      #expect(asked.numbers == Array(0..<12))
      #expect(steps == (1...12).map { [$0, 12] })

      let pdf = try PDFReading(dossier, in: folder)
      #expect(try pdf.bytes.count < 12 * 60_000)
      let pictures = try await pdf.pictures()
      // Each photo has a large and a small one.
      #expect(pictures.count == 24)
      #expect(pictures.count { $0 == (1400, 700) } == 12)
      #expect(pictures.count { $0.width < 250 && $0.width == 2 * $0.height } == 12)
      #expect(try await pdf.pages == 14)
    }
  }

  @Test(
    "a picture that cannot be read gets a page that says why",
    arguments: [0, 1, 2])
  func unreadable(kind: Int) async throws {
    try await withTemporaryDirectory { folder in
      var dossier = try DossierFixture.dossier(photos: 2)
      let whole = try DossierFixture.picture.get()
      dossier.photos[0].jpeg =
        [
          { throw Unreadable() }, { Array("%PDF-1.4".utf8) }, { Array(whole.prefix(400)) },
        ][kind]
      let pdf = try PDFReading(dossier, in: folder)
      #expect(try await pdf.complaint() == nil)
      let words = try await pdf.words(page: 2)
      #expect(words.contains("The picture cannot be shown"))
      let reasons = ["the disk said no", "it begins with 25 50 44 46 (a PDF)", "the JPEG ends"]
      #expect(words.contains(reasons[kind]))
      #expect(words.contains("49.0838500° N"))
      #expect(try await pdf.pictures().count == 2)
    }
  }

  @Test("a damaged picture is shown, and said to be damaged")
  func damaged() async throws {
    try await withTemporaryDirectory { folder in
      var dossier = try DossierFixture.dossier(photos: 1)
      var bytes = try DossierFixture.picture.get()
      // The last third of the picture data is missing; the end marker stays.
      bytes.removeSubrange((bytes.count * 2 / 3)..<(bytes.count - 2))
      dossier.photos[0].jpeg = { bytes }
      let pdf = try PDFReading(dossier, in: folder)
      #expect(try await pdf.words(page: 2).contains("Damaged picture: the JPEG is damaged"))
      #expect(try await pdf.pictures().count == 2)
    }
  }

  /// Draws a picture whose stored upper left corner is red, and whose upper right one is blue.
  @Test(
    "a picture stands upright for each of EXIF's orientations",
    arguments: [
      (1, "LT", "RT"), (2, "RT", "LT"), (3, "RB", "LB"), (4, "LB", "RB"), (5, "LT", "LB"),
      (6, "RT", "RB"), (7, "RB", "RT"), (8, "LB", "LT"), (0, "LT", "RT"), (9, "LT", "RT"),
    ])
  func upright(orientation: Int, red: String, blue: String) async throws {
    try await withTemporaryDirectory { folder in
      var dossier = try DossierFixture.dossier(photos: 1)
      var buffer = try PixelBuffer(
        width: 320, height: 160, colour: Colour(red: 0, green: 255, blue: 0))
      buffer.fillRectangle(
        columns: 0..<80, rows: 0..<40, colour: Colour(red: 255, green: 0, blue: 0))
      buffer.fillRectangle(
        columns: 240..<320, rows: 0..<40, colour: Colour(red: 0, green: 0, blue: 255))
      let jpeg = Self.withOrientation(orientation, try buffer.encodeJPEG(quality: 95))
      dossier.photos[0].jpeg = { jpeg }
      let page = try await PDFReading(dossier, in: folder).pixels(page: 2)
      let middle = try #require(page.middle { $1 > 200 && $0 < 90 && $2 < 90 })
      func corner(_ place: (x: Double, y: Double)) -> String {
        (place.x < middle.x ? "L" : "R") + (place.y < middle.y ? "T" : "B")
      }
      #expect(corner(try #require(page.middle { $0 > 200 && $1 < 90 && $2 < 90 })) == red)
      #expect(corner(try #require(page.middle { $2 > 200 && $0 < 90 && $1 < 90 })) == blue)
    }
  }

  /// Returns the JPEG with an EXIF of one entry, the orientation. Odd ones are little-endian, so
  /// that the test covers both byte orders.
  private static func withOrientation(_ orientation: Int, _ jpeg: [UInt8]) -> [UInt8] {
    let value = UInt8(orientation)
    let tiff: [UInt8] =
      orientation % 2 == 1
      ? [0x49, 0x49, 42, 0, 8, 0, 0, 0, 1, 0, 0x12, 0x01, 3, 0, 1, 0, 0, 0, value, 0, 0, 0, 0, 0]
      : [0x4D, 0x4D, 0, 42, 0, 0, 0, 8, 0, 1, 0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, value, 0, 0, 0, 0]
    let payload = Array("Exif\0\0".utf8) + tiff
    return Array(jpeg.prefix(2)) + [0xFF, 0xE1, 0, UInt8(payload.count + 2)] + payload
      + jpeg.dropFirst(2)
  }

  @Test("a photo far from the parcel is not drawn but named with its distance")
  func far() async throws {
    try await withTemporaryDirectory { folder in
      var dossier = try DossierFixture.dossier(photos: 2)
      let far = try DossierFixture.coordinate(50.0839, 16.6386)
      dossier.photos[1].photo.position = PhotoPosition(
        kept: far, ellipsoidalHeightMetres: nil, meanSeaLevelHeightMetres: nil,
        uncertaintyMetres95: 3, method: .fix)
      dossier.tracks[0].points.append(
        TrackPoint(kind: .recorded, time: DossierFixture.time.gnssTime, coordinate: far))
      let words = try await PDFReading(dossier, in: folder).words(page: 4)
      #expect(
        words.contains("Photo 2 lies outside this map: 111.2 km from its middle, towards 0°."))
      #expect(words.contains("Track T1 leaves this map."))
      #expect(words.contains("20 m"))
      #expect(words.contains("meridians and parallels"))
      #expect(words.contains("16.6385°"))
    }
  }

  @Test(
    "a map is drawn wherever there is a place: without a parcel, at a pole, across 180°",
    arguments: [(49.0, 16.0), (90, 0), (-89.999_999, 180), (0, 180), (0, -180)])
  func anywhere(latitude: Double, longitude: Double) async throws {
    try await withTemporaryDirectory { folder in
      let radii: [Double?] = [nil, 0, .infinity, .nan, -1, 1e12]
      var dossier = try DossierFixture.dossier(photos: radii.count)
      dossier.task.parcel = nil
      dossier.tracks = []
      for (index, radius) in radii.enumerated() {
        dossier.photos[index].photo.position = PhotoPosition(
          kept: try DossierFixture.coordinate(
            latitude, index.isMultiple(of: 2) ? longitude : -longitude),
          ellipsoidalHeightMetres: nil, meanSeaLevelHeightMetres: nil,
          uncertaintyMetres95: radius, method: .fix)
        dossier.photos[index].photo.camera.horizontalDegrees = index == 0 ? .nan : 360
      }
      let pdf = try PDFReading(dossier, in: folder)
      #expect(try await pdf.complaint() == nil)
      let map = try await pdf.words()
      let those = longitude == 16 ? "1, 3, 5." : "1, 3–6."
      #expect(
        map.contains(
          "Photos without a circle, because the uncertainty is not known or wider than the map: "
            + those))
      let words = try await pdf.words()
      #expect(!words.contains("nan"))
      #expect(!words.contains("inf "))
    }
  }

  private final class Asked {
    var numbers: [Int] = []
  }
}
