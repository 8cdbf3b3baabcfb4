import Exports
import Foundation
import Inspection
import TestSupport
import Testing

@testable import Imagery

@Suite("PDF: a photo that repeats a photo point")
struct PDFRepetitionTests {
  private struct Unreadable: Error, CustomStringConvertible {
    let description = "the disk said no"
  }

  private static let heading = "Repeat of the photo point “Křížová cesta”"

  private static func picture(_ colour: Colour) throws -> [UInt8] {
    try PixelBuffer(width: 320, height: 240, colour: colour).encodeJPEG(quality: 90)
  }

  /// Returns a dossier of one red photo, 30° wide, that repeats a green one.
  private func dossier(
    _ claims: RepeatClaims? = nil, field: Double? = 60,
    reference: @escaping () throws -> [UInt8] = {
      try Self.picture(Colour(red: 20, green: 220, blue: 40))
    }
  ) throws -> Dossier {
    var dossier = try DossierFixture.dossier(photos: 1)
    let red = try Self.picture(Colour(red: 220, green: 20, blue: 40))
    dossier.photos[0].jpeg = { red }
    dossier.photos[0].photo.camera = CameraGeometry(
      horizontalDegrees: 30, verticalDegrees: 22.7, source: .exif)
    dossier.photos[0].repetition = Dossier.Repetition(
      claims: try claims ?? PhotoPointFixture.claims(of: ExportFixture.id(40)),
      point: "Křížová cesta",
      camera: field.map {
        CameraGeometry(horizontalDegrees: $0, verticalDegrees: 46.8, source: .exif)
      }, displacementPercent: 3.6, reference: reference)
    return dossier
  }

  /// Returns the number of the page with the block about the repeat.
  private func page(of pdf: PDFReading) async throws -> Int {
    let count = try await pdf.pages
    for page in 1...count {
      let words = try await pdf.words(page: page)
      if words.contains(Self.heading) { return page }
    }
    throw Unreadable()
  }

  @Test("the block behind the photo's page has the numbers, and says which are met")
  func numbers() async throws {
    try await withTemporaryDirectory { folder in
      let pdf = try PDFReading(dossier(), in: folder)
      #expect(try await pdf.complaint() == nil)
      let page = try await page(of: pdf)
      #expect(page > 2)
      let words = try await pdf.words(page: page)
      for expected in [
        "Reference photo", "This photo", "Both at one scale", "2.3 m ± 3.4 m (95 %), met",
        "4.2°, not met", "1.2° to the left, 0.5° higher, 0.3° clockwise",
        "3.4 % of the frame (120 features agree)", "3.6 % of the frame",
      ] {
        #expect(words.contains(expected), "\(expected)")
      }
    }
  }

  @Test("both pictures have one scale: half the field of view, less than half the width")
  func scale() async throws {
    try await withTemporaryDirectory { folder in
      let pdf = try PDFReading(dossier(), in: folder)
      let pixels = try await pdf.pixels(page: page(of: pdf))
      let green = pixels.count { $0 < 90 && $1 > 180 && $2 < 110 }
      let red = pixels.count { $0 > 180 && $1 < 90 && $2 < 110 }
      try #require(red > 0)
      // The tangents of 30° and of 15°, and their ratio squared.
      let ratio = Double(green) / Double(red)
      #expect(abs(ratio - 4.643) < 0.4, "\(ratio)")
      let left = try #require(pixels.middle { $0 < 90 && $1 > 180 && $2 < 110 })
      let right = try #require(pixels.middle { $0 > 180 && $1 < 90 && $2 < 110 })
      #expect(left.x < right.x)
    }
  }

  @Test(
    "without a known field of view the pictures are equally wide, and no scale is promised",
    arguments: [nil, 0, 180, .nan] as [Double?])
  func unknownField(degrees: Double?) async throws {
    try await withTemporaryDirectory { folder in
      let pdf = try PDFReading(dossier(field: degrees), in: folder)
      let page = try await page(of: pdf)
      let words = try await pdf.words(page: page)
      #expect(!words.contains("Both at one scale"))
      let pixels = try await pdf.pixels(page: page)
      let green = pixels.count { $0 < 90 && $1 > 180 && $2 < 110 }
      let red = pixels.count { $0 > 180 && $1 < 90 && $2 < 110 }
      #expect(abs(Double(green) / Double(max(1, red)) - 1) < 0.05)
    }
  }

  @Test("a reference that cannot be read is said, and the numbers stay")
  func unreadable() async throws {
    try await withTemporaryDirectory { folder in
      let pdf = try PDFReading(dossier(reference: { throw Unreadable() }), in: folder)
      #expect(try await pdf.complaint() == nil)
      let words = try await pdf.words()
      #expect(words.contains("The reference photo cannot be shown: the disk said no."))
      #expect(words.contains("4.2°, not met"))
    }
  }

  @Test("numbers that the record lacks are left out; pictures that are not alike are said to be so")
  func few() async throws {
    try await withTemporaryDirectory { folder in
      var claims = RepeatClaims(
        point: try ExportFixture.id(40), referenceDigest: "", distanceMetres: 9.5)
      var words = try await PDFReading(dossier(claims), in: folder).words()
      #expect(words.contains("9.5 m, not met"))
      #expect(!words.contains("Picture displaced by"))
      claims.inliers = 7
      words = try await PDFReading(dossier(claims), in: folder).words()
      #expect(words.contains("The pictures cannot be compared (7 matches)."))
    }
  }

  @Test("the PDF of a photo without a task has the block, too")
  func alone() async throws {
    try await withTemporaryDirectory { folder in
      let part = try dossier().photos[0]
      let pdf = try PDFReading(
        PhotoDossier(
          part: part, agencyTitle: "North", inspectorName: nil, isDemonstration: false,
          made: DossierFixture.made, software: "standpoint 1.0", authorityFingerprint: nil),
        in: folder)
      #expect(try await pdf.words().contains(Self.heading))
    }
  }
}
