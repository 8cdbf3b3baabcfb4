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

  @Test("it begins with the decision, who took the photos and when, and the conclusion")
  func cover() async throws {
    try await withTemporaryDirectory { folder in
      var dossier = try DossierFixture.dossier()
      dossier.names["omar"] = "Omar Said"
      let words = try await PDFReading(dossier, in: folder).words(page: 1)
      for expected in [
        "Státní zemědělský intervenční fond Inspection report", dossier.task.name,
        "↩ Returned Omar Said (omar), officer · 2026-06-01 18:30:01 UTC",
        "“Brakuje zdjęcia z południa”",
        "Authenticity in doubt", "Photos sealed and unchanged: 1 of 3",
        "Contradictions found", "Photos without a contradiction: 1 of 3",
        "✗ Photo 2: Times agree: −12.4 s; the device's clock was set back by 12.4 s [key 4f2a]",
        "Taken by Ines Müller (ines)", "Taken 2026-06-01 09:30–09:32 UTC",
        "Sent 2026-06-01 16:30:01 UTC", "Type crop", "Due 2026-06-11 08:30:00 UTC",
        "Photos 3", "Tracks 1",
      ] {
        #expect(words.contains(expected), "\(expected)")
      }
      let area = try #require(dossier.task.parcel?.areaSquareMetres)
      #expect(words.contains("CZ-4711/2, \(DecimalText.fixed(area / 10_000, places: 4)) ha"))
      // The conclusion stands before everything that explains it.
      let order = ["↩ Returned", "Authenticity in doubt", "Taken by", "1✓", "Instructions"]
      let places = order.map { words.range(of: $0)?.lowerBound }
      #expect(places == places.compactMap(\.self).sorted())
    }
  }

  @Test("the order and each step that was made stand on the cover where they have room")
  func order() async throws {
    try await withTemporaryDirectory { folder in
      let words = try await PDFReading(DossierFixture.dossier(), in: folder).words(page: 1)
      for expected in [
        "One photo from the middle, one from the edge. Příliš", "Žluté pole, мокро", "New → Open",
        "Submitted → Returned", "Λείπει η φωτογραφία από τη βόρεια πλευρά", "2026-06-01 10:30:00",
      ] {
        #expect(words.contains(expected), "\(expected)")
      }
    }
  }

  @Test("a photo's page says every fact with its unit")
  func facts() async throws {
    try await withTemporaryDirectory { folder in
      let dossier = try DossierFixture.dossier()
      let words = try await PDFReading(dossier, in: folder).words(page: 2)
      let photo = dossier.photos[0].photo
      for expected in [
        "Photo 1 of 3", "✓ Authentic ✓ Suitable", "Taken 2026-06-01 09:30:00 UTC",
        "Taken by Ines Müller (ines)",
        "49.0838500° N, 16.6384123° E, ± 1.8 m (95 %)",
        "20 samples (about 4 independent), spread 0.21 m",
        "231.5 m above sea level, 276.1 m above the ellipsoid",
        "20° ± 7°, 5° below the horizon, by the device's sensors", "66° × 52° (assumed)",
        "0.1 s ahead of the receiver's", "camera of the field unit", "“5 < 6 & so on”",
        photo.fileDigest, photo.id.description, "3214112 bytes",
        "– Cannot be told: Surroundings (no cell list of the agency)",
        "✓ Checks passed: 2 (Inside the parcel, Times agree)",
      ] {
        #expect(words.contains(expected), "\(expected)")
      }
    }
  }

  @Test("what is not known is said, and never a number")
  func unknown() async throws {
    try await withTemporaryDirectory { folder in
      let words = try await PDFReading(DossierFixture.dossier(), in: folder).words(page: 4)
      for expected in [
        "09:32:00 UTC, date not known", "uncertainty not known", "a single fix",
        "Direction of view not known", "– Not verified",
        "The verifier has not examined this photo.",
      ] {
        #expect(words.contains(expected), "\(expected)")
      }
      #expect(!words.contains("nan"))
      #expect(!words.contains("Height"))
    }
  }

  @Test("what speaks against a photo comes first, in words")
  func verdict() async throws {
    try await withTemporaryDirectory { folder in
      let words = try await PDFReading(DossierFixture.dossier(), in: folder).words(page: 3)
      for expected in [
        "Simulated receiver", "Imported file", "✗ Evidence in doubt", "✗ Contradictions found",
        "All bytes hold, but a check does not.", "simulated or replayed",
        "Checks ✗ Times agree: −12.4 s ✗ the device's clock was set back by 12.4 s [key 4f2a]",
        // A finding about the page's photo does not name the photo.
        "– Noted: the record declares an imported picture ✓ Checks passed: 1 (Inside the parcel)",
      ] {
        #expect(words.contains(expected), "\(expected)")
      }
    }
  }

  @Test("every page is numbered and named, and photos have bookmarks")
  func pages() async throws {
    try await withTemporaryDirectory { folder in
      let dossier = try DossierFixture.dossier()
      let pdf = try PDFReading(dossier, in: folder)
      let count = try await pdf.pages
      // The cover, three photos, and one page for the map, the track and the evidence.
      #expect(count == 5)
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
        "Decision", "Order and history", "Photos", "Photo 3", "Map", "Tracks", "Track T1",
        "Evidence, and how to check it",
      ] {
        #expect(
          objects.contains("(\(title))") || objects.contains(PDFReading.utf16(title)), "\(title)")
      }
      // Decision, order, the photos with three, map, the tracks with one, evidence.
      let bookmarks = objects.components(separatedBy: "/Dest ").count - 1
      #expect(bookmarks == 10)
      #expect(try await pdf.info("PDF version") == "1.7")
    }
  }

  @Test(
    "a task with a few photos has a page for each and two more, whatever their shape",
    arguments: [(0, 2), (1, 3), (2, 4), (4, 6), (12, 14)])
  func fewPages(photos: Int, expected: Int) async throws {
    try await withTemporaryDirectory { folder in
      let pdf = try PDFReading(DossierFixture.dossier(photos: photos), in: folder)
      #expect(try await pdf.pages == expected)
    }
  }

  @Test("no page is two-thirds empty", arguments: [0, 1, 2, 3, 7, 30, 80])
  func filled(photos: Int) async throws {
    try await withTemporaryDirectory { folder in
      var dossier = try DossierFixture.dossier(photos: photos)
      let name = String(repeating: "Řepa u Žďáru nad Sázavou ", count: 8)
      dossier.task.name = photos.isMultiple(of: 2) ? name : "Beet"
      let pdf = try PDFReading(dossier, in: folder)
      let count = try await pdf.pages
      // The photos' own pages are alike: the first two stand for all.
      for page in Set([1, 2, 3, count - 1, count]).filter({ (1...count).contains($0) }) {
        #expect(try await pdf.pixels(page: page).filledShare > 1.0 / 3, "page \(page) of \(count)")
      }
    }
  }

  @Test("in Czech it has the language's words, decimals and dates")
  func czech() async throws {
    try await withTemporaryDirectory { folder in
      var dossier = try DossierFixture.dossier()
      let words = ["Returned": "Vráceno", "Taken by": "Pořídil(a)", "{1}° N": "{1}° s. š."]
      dossier.language = DocumentLanguage(tag: "cs", form: .czech) { words[$0] ?? $0 }
      let pdf = try PDFReading(dossier, in: folder)
      #expect(try await pdf.words(page: 1).contains("Vráceno omar, officer · 1. 6. 2026 18:30:01"))
      let page = try await pdf.words(page: 2)
      #expect(page.contains("Pořídil(a) Ines Müller"))
      #expect(page.contains("49,0838500° s. š."))
      #expect(page.contains("± 1,8 m"))
      #expect(try await pdf.objects().contains("/Lang (cs)"))
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
        "What no seal proves", "That the scene is real.", "That the receiver was not deceived.",
        "Who held the device.", "standpoint verify BUNDLE --trust \(DossierFixture.fingerprint)",
        "Middle of the map 49.0839000° N, 16.6386000° E",
      ] {
        #expect(words.contains(expected), "\(expected)")
      }
      dossier.authorityFingerprint = nil
      let without = try await PDFReading(dossier, in: folder).words()
      #expect(without.contains("standpoint verify BUNDLE --trust FINGERPRINT"))
      #expect(without.contains("The fingerprint was not known"))
    }
  }

  @Test("a task with nothing but its name is a document of one page")
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
      #expect(try await pdf.pages == 1)
      let words = try await pdf.words()
      for expected in [
        "Not decided yet State: New", "This task has no photo.", "Taken by ines",
        "What no seal proves",
      ] {
        #expect(words.contains(expected), "\(expected)")
      }
      #expect(!words.contains("Map"))
    }
  }
}
