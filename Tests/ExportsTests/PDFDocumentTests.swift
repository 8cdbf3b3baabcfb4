import Evidence
import Exports
import Foundation
import Geodesy
import Inspection
import Positioning
import TestSupport
import Testing
import TimeAndText

@Suite("PDF")
struct PDFDocumentTests {
  @Test("qpdf finds nothing wrong, and both fonts are embedded with their characters")
  func sound() async throws {
    try await withTemporaryDirectory { folder in
      let pdf = try PDFReading(DossierFixture.dossier(), in: folder)
      #expect(try await pdf.complaint() == nil)
      let fonts = try await pdf.fonts()
      #expect(fonts.count == 2)
      for font in fonts {
        #expect(font.contains("DejaVuSans"))
        // The font is embedded, a subset, and has a map back to characters.
        #expect(font.contains("yes yes yes"), "\(font)")
      }
    }
  }

  @Test("the same dossier gives the same bytes, another time of export others")
  func identical() throws {
    try withTemporaryDirectory { folder in
      var dossier = try DossierFixture.dossier()
      let one = try PDFReading(dossier, in: folder, name: "one.pdf").bytes
      #expect(try PDFReading(dossier, in: folder, name: "two.pdf").bytes == one)
      dossier.made = dossier.made.advanced(bySeconds: 1)
      #expect(try PDFReading(dossier, in: folder, name: "three.pdf").bytes != one)
    }
  }

  @Test("the order, its parcel and the history of its decisions are there")
  func task() async throws {
    try await withTemporaryDirectory { folder in
      let dossier = try DossierFixture.dossier()
      let words = try await PDFReading(dossier, in: folder).words()
      let area = try #require(dossier.task.parcel?.areaSquareMetres)
      for expected in [
        dossier.task.name, "Státní zemědělský intervenční fond", "↩ Returned",
        dossier.task.id.description, "crop", "Ines Müller (ines)", "2026-06-01 08:30:00 UTC",
        "2026-06-11 08:30:00 UTC", "CZ-4711/2", "\(DecimalText.fixed(area, places: 1)) m²",
        "One photo from the middle, one from the edge. Příliš", "Žluté pole, мокро",
        "Returned because Brakuje zdjęcia z południa", "New → Open",
        "Data provided → Returned", "omar (officer)", "Λείπει η φωτογραφία από τη βόρεια πλευρά",
        "2026-06-01 10:30:00", "Dookoła działki", "Middle of the map 49.0839000°, 16.6386000°",
      ] {
        #expect(words.contains(expected), "\(expected)")
      }
    }
  }

  @Test("a photo's page says every claim with its unit")
  func claims() async throws {
    try await withTemporaryDirectory { folder in
      let dossier = try DossierFixture.dossier()
      let pdf = try PDFReading(dossier, in: folder)
      let words = try await pdf.words(page: 3)
      let photo = dossier.photos[0].photo
      for expected in [
        "Photo 1 of 3", "Latitude 49.0838500°", "Longitude 16.6384123°", "276.10 m", "231.50 m",
        "± 1.76 m", "standpoint, innermost layer", "20, worth 4.2 independent ones", "0.21 m",
        "2026-06-01 09:30:00.000 UTC", "2026-06-01 09:30:00.125 UTC", "+0.125 s", "20.4° ± 6.5°",
        "84.8° (± not known)", "66.0° × 52.0° (assumed)", "camera", photo.fileDigest,
        photo.id.description, "5 < 6 & so on", "3214112 bytes", "16.1° magnetic",
        "not declared as simulated", "✓ Intact", "✓ Inside the parcel inside, 14.2 m",
        "no cell list of the agency",
      ] {
        #expect(words.contains(expected), "\(expected)")
      }
    }
  }

  @Test("what is not known is said, and never a number")
  func unknown() async throws {
    try await withTemporaryDirectory { folder in
      let words = try await PDFReading(DossierFixture.dossier(), in: folder).words(page: 5)
      for label in [
        "Height above ellipsoid", "Height above sea level", "Uncertainty (95 %)", "Azimuth (true)",
        "Angle", "Spread of samples", "Direction from",
      ] {
        #expect(words.contains("\(label) not known"), "\(label)")
      }
      #expect(words.contains("09:32:00.500 UTC, date not known"))
      #expect(words.contains("none, a single fix"))
      #expect(words.contains("– Not verified"))
      #expect(words.contains("No check was made of this photo."))
      #expect(!words.contains("nan"))
    }
  }

  @Test("a doubtful verdict comes with its findings in words")
  func verdict() async throws {
    try await withTemporaryDirectory { folder in
      let words = try await PDFReading(DossierFixture.dossier(), in: folder).words(page: 4)
      #expect(words.contains("? Doubtful All bytes hold, but a check does not."))
      #expect(words.contains("doubtful times the device's clock was set back by 12.4 s [key 4f2a]"))
      // A finding about the page's photo does not name the photo.
      #expect(words.contains("note origin the record declares an imported picture doubtful"))
      #expect(words.contains("✗ Times agree −12.4 s"))
      #expect(words.contains("Simulated receiver Imported file"))
      #expect(words.contains("simulated or replayed"))
    }
  }

  @Test("every page is numbered and named, and photos have bookmarks")
  func pages() async throws {
    try await withTemporaryDirectory { folder in
      let dossier = try DossierFixture.dossier()
      let pdf = try PDFReading(dossier, in: folder)
      let count = try await pdf.pages
      // Task, map, three photos, a track, the appendix with the names of the fields, the last page.
      #expect(count == 9)
      for page in 1...count {
        let words = try await pdf.words(page: page)
        #expect(words.contains("Page \(page) of \(count)"))
        #expect(words.contains("Made by standpoint 1.0 on 2026-06-09 10:13:20 UTC"))
        #expect(words.contains(dossier.task.name))
        #expect(!words.contains("Demonstration"))
      }
      #expect(try await pdf.info("Title") == dossier.task.name)
      #expect(try await pdf.info("Author") == dossier.agencyTitle)
      #expect(try await pdf.info("Page size").contains("A4"))
      let objects = try await pdf.objects()
      #expect(objects.contains("/Lang (en)"))
      for title in [
        "Task", "Decision history", "What the seals prove", "Photos", "Tracks", "Sketch map",
        "Appendix: reception", "What this shows, and what it does not",
      ] {
        #expect(
          objects.contains("(\(title))") || objects.contains(PDFReading.utf16(title)), "\(title)")
      }
      // The task with four below, the photos with three, the tracks with one, appendix, last page.
      let bookmarks = objects.components(separatedBy: "/Dest ").count - 1
      #expect(bookmarks == 13)
      #expect(try await pdf.info("PDF version") == "1.7")
    }
  }

  @Test("each page of a demonstration says so")
  func demonstration() async throws {
    try await withTemporaryDirectory { folder in
      let pdf = try PDFReading(DossierFixture.dossier(isDemonstration: true), in: folder)
      for page in 1...(try await pdf.pages) {
        #expect(try await pdf.words(page: page).hasPrefix("Demonstration"))
      }
    }
  }

  @Test("the last page says what no seal proves, and how to check")
  func closing() async throws {
    try await withTemporaryDirectory { folder in
      var dossier = try DossierFixture.dossier()
      let pdf = try PDFReading(dossier, in: folder)
      let words = try await pdf.words(page: try await pdf.pages)
      for expected in [
        "What this shows, and what it does not", "That the scene is real.",
        "That the receiver was not deceived.", "Who held the device.",
        "standpoint verify BUNDLE --trust \(DossierFixture.fingerprint)",
      ] {
        #expect(words.contains(expected), "\(expected)")
      }
      dossier.authorityFingerprint = nil
      let without = try await PDFReading(dossier, in: folder).words()
      #expect(without.contains("standpoint verify BUNDLE --trust FINGERPRINT"))
      #expect(without.contains("The fingerprint was not known"))
    }
  }

  @Test("a task with nothing but its name is a document, too")
  func bare() async throws {
    try await withTemporaryDirectory { folder in
      var dossier = try DossierFixture.dossier(photos: 0)
      dossier.task = InspectionTask(
        id: dossier.task.id, agency: "north", inspector: "ines", name: "Bare",
        created: DossierFixture.time)
      dossier.tracks = []
      dossier.inspectorName = nil
      let pdf = try PDFReading(dossier, in: folder)
      #expect(try await pdf.complaint() == nil)
      #expect(try await pdf.pages == 2)
      let words = try await pdf.words()
      for expected in [
        "○ New", "This task has no photo.", "Due none", "Inspector ines", "Parcel none",
        "Nothing has happened to this task since it was created.",
      ] {
        #expect(words.contains(expected), "\(expected)")
      }
      #expect(!words.contains("Sketch map"))
    }
  }
}
