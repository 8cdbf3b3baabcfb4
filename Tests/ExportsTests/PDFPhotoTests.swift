import Evidence
import Exports
import Foundation
import Geodesy
import Inspection
import PDFWriting
import Positioning
import TestSupport
import Testing
import TimeAndText

@Suite("PDF of a photo without a task")
struct PDFPhotoTests {
  private func dossier(_ kind: Int = 0, hidden: DeviceTime? = nil) throws -> PhotoDossier {
    var part = try DossierFixture.part(kind)
    part.photo.task = nil
    return PhotoDossier(
      part: part, agencyTitle: "Státní zemědělský intervenční fond", inspectorName: "Ines Müller",
      hidden: hidden, isDemonstration: false, made: DossierFixture.made,
      software: "standpoint 1.0", authorityFingerprint: DossierFixture.fingerprint)
  }

  @Test("it has the picture with its facts and checks, then its map and how to check it")
  func whole() async throws {
    try await withTemporaryDirectory { folder in
      let dossier = try dossier()
      let pdf = try PDFReading(dossier, in: folder)
      #expect(try await pdf.complaint() == nil)
      #expect(try await pdf.pages == 2)
      #expect(try await pdf.pictures().count == 1)
      let photo = dossier.part.photo
      let cover = try await pdf.words(page: 1)
      for expected in [
        "Photo report", "Státní zemědělský intervenční fond", "Ines Müller (ines)",
        "It belongs to no task.", photo.id.description, "5 < 6 & so on",
        "Photo of 2026-06-01 09:30:00 UTC",
        DecimalText.fixed(photo.position.coordinate.latitudeDegrees, places: 7), "± 1.8 m",
        "Authentic", "Inside the parcel", photo.fileDigest,
      ] {
        #expect(cover.contains(expected), "\(expected)")
      }
      #expect(!cover.contains("Hidden"))
      let closing = try await pdf.words(page: 2)
      #expect(closing.contains("Middle of the map"))
      #expect(closing.contains("--trust \(DossierFixture.fingerprint)"))
      #expect(!closing.contains("bundle of this task"), "it has none")
    }
  }

  @Test("a hidden one says so, and since when")
  func hidden() async throws {
    try await withTemporaryDirectory { folder in
      let pdf = try PDFReading(dossier(hidden: DossierFixture.time), in: folder)
      let cover = try await pdf.words(page: 1)
      #expect(cover.contains("Hidden by an officer since 2026-06-01 08:30:00 UTC"))
    }
  }

  @Test("a picture that cannot be read leaves a document that says so")
  func unreadable() async throws {
    try await withTemporaryDirectory { folder in
      var dossier = try dossier(2)
      dossier.part.jpeg = { Array("no picture".utf8) }
      dossier.deletedReason = "blurred"
      let pdf = try PDFReading(dossier, in: folder)
      #expect(try await pdf.complaint() == nil)
      let words = try await pdf.words()
      #expect(words.contains("The picture cannot be shown"))
      #expect(words.contains("blurred"))
    }
  }

  @Test("the same dossier gives the same bytes")
  func identical() throws {
    try withTemporaryDirectory { folder in
      let one = try PDFReading(dossier(), in: folder, name: "one.pdf").bytes
      #expect(try PDFReading(dossier(), in: folder, name: "two.pdf").bytes == one)
    }
  }
}

extension PDFReading {
  /// Writes the PDF of a photo without a task into a folder.
  init(_ dossier: PhotoDossier, in folder: URL, name: String = "photo.pdf") throws {
    let fonts = try #require(PDFFonts.installed(), "fonts-dejavu-core is not installed")
    file = folder.appendingPathComponent(name)
    try PDFDocument.write(dossier, fonts: fonts, toFile: file.path)
  }
}
