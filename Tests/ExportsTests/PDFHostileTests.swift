import Evidence
import Exports
import Foundation
import Inspection
import PDFWriting
import Positioning
import TestSupport
import Testing
import TimeAndText

@Suite("PDF: hostile text and broken machines")
struct PDFHostileTests {
  private static let texts = [
    String(repeating: "x", count: 10_000), String(repeating: "Wörter und ", count: 1000),
    String(repeating: "\n", count: 10_000), String(repeating: " ", count: 10_000) + "end",
    "e" + String(repeating: "\u{301}\u{316}", count: 5000),
    String(repeating: "👩‍👩‍👧‍👧漢字", count: 500), "\u{0}\u{1}\u{7F}\u{202E}reversed\u{FFFF}\u{10FFFF}",
    String(repeating: ")\\(", count: 3000) + "<</Type/Catalog>> endstream endobj %%EOF",
    String(repeating: "\u{2028}\r\n\u{85}\t", count: 500),
  ]

  @Test("no text breaks a page, whatever is in it", arguments: texts)
  func hostile(text: String) async throws {
    try await withTemporaryDirectory { folder in
      var dossier = try DossierFixture.dossier(photos: 1, isDemonstration: true)
      dossier.task.name = text
      dossier.task.instructions = text
      dossier.task.type = text
      dossier.task.parcel?.identifier = text
      dossier.task.inspector = text
      dossier.task.history[2].reason = text
      dossier.task.history[2].person.login = text
      dossier.agencyTitle = text
      dossier.software = text
      dossier.authorityFingerprint = text
      dossier.tracks[0].name = text
      dossier.photos[0].photo.note = text
      dossier.photos[0].photo.fileDigest = text
      dossier.photos[0].findings = try DossierFixture.part(1).findings
      dossier.photos[0].findings[0].wording = Wording(verbatim: text)
      dossier.photos[0].findings[0].subject = text
      dossier.photos[0].checks = [Dossier.Check(name: text, value: text, isGood: nil)]
      let pdf = try PDFReading(dossier, in: folder)
      #expect(try await pdf.complaint() == nil)
      let words = try await pdf.words()
      #expect(words.contains("Photo 1 of 1"))
      #expect(words.contains("What no seal proves"))
      #expect(try await pdf.pages < 300)
    }
  }

  @Test("nothing of a long word is lost, and nothing leaves its column")
  func complete() async throws {
    try await withTemporaryDirectory { folder in
      var dossier = try DossierFixture.dossier(photos: 0)
      let numbered = (1000..<3000).map { "\($0)" }.joined()
      dossier.task.instructions = numbered
      let text = try await PDFReading(dossier, in: folder).text()
      // The filter drops footers and headers of pages between two lines.
      let lines = text.split(separator: "\n").filter { line in
        line.count > 40 && line.allSatisfy(\.isNumber)
      }
      #expect(lines.count > 80)
      let joined = lines.reduce(into: "") { $0 += $1 }
      #expect(joined.count > 7900)
      #expect(numbered.hasPrefix(joined))
    }
  }

  @Test("what cannot be printed is replaced visibly, and the rest of it stays")
  func replaced() async throws {
    try await withTemporaryDirectory { folder in
      var dossier = try DossierFixture.dossier(photos: 0)
      dossier.task.note = "a\u{1}b 漢 c\u{202E}d 👍🏽 e\u{301} i\u{FEFF}j"
      let words = try await PDFReading(dossier, in: folder).words()
      #expect(words.contains("a\u{FFFD}b \u{FFFD} c\u{FFFD}d \u{FFFD} \u{E9} i\u{FFFD}j"))
    }
  }

  @Test("an absent typeface is an error that names the package")
  func fontMissing() throws {
    try withTemporaryDirectory { folder in
      let dossier = try DossierFixture.dossier(photos: 0)
      var fonts = try #require(PDFFonts.installed())
      fonts.boldPath = "/nowhere/Bold.ttf"
      let file = folder.appendingPathComponent("task.pdf")
      let error = #expect(throws: PDFError.self) {
        try PDFDocument.write(dossier, fonts: fonts, toFile: file.path)
      }
      #expect(error == .fontMissing(path: "/nowhere/Bold.ttf"))
      #expect(error?.code == "pdf-font-missing")
      #expect(error?.description.contains("fonts-dejavu-core") == true)
      #expect(!FileManager.default.fileExists(atPath: file.path))
    }
  }

  @Test("a record that cannot be read ends the PDF, which never lacks evidence unseen")
  func recordUnreadable() throws {
    struct Damaged: Error, CustomStringConvertible { let description = "the disk failed" }
    try withTemporaryDirectory { folder in
      var dossier = try DossierFixture.dossier(photos: 2)
      dossier.photos[1].record = { throw Damaged() }
      let file = folder.appendingPathComponent("task.pdf")
      let fonts = try #require(PDFFonts.installed())
      let error = #expect(throws: PDFError.self) {
        try PDFDocument.write(dossier, fonts: fonts, toFile: file.path)
      }
      #expect(error?.code == "pdf-record-unreadable")
      #expect(error?.description.contains("the disk failed") == true)
      #expect(!FileManager.default.fileExists(atPath: file.path))
    }
  }

  @Test("a file that is no typeface is an error, too")
  func fontUnusable() throws {
    try withTemporaryDirectory { folder in
      let junk = folder.appendingPathComponent("junk.ttf")
      try Data(repeating: 7, count: 5000).write(to: junk)
      let fonts = PDFFonts(regularPath: junk.path, boldPath: junk.path)
      let dossier = try DossierFixture.dossier(photos: 0)
      let error = #expect(throws: PDFError.self) {
        try PDFDocument.write(
          dossier, fonts: fonts, toFile: folder.appendingPathComponent("task.pdf").path)
      }
      #expect(error?.code == "pdf-font-unusable")
      #expect(error?.description.contains("fonts-dejavu-core") == true)
    }
  }

  @Test("the file is there whole or not at all, and nothing stays beside it")
  func wholeOrNot() throws {
    try withTemporaryDirectory { folder in
      let fonts = try #require(PDFFonts.installed())
      let dossier = try DossierFixture.dossier(photos: 0)
      func error(writing path: String) -> PDFError? {
        #expect(throws: PDFError.self) {
          try PDFDocument.write(dossier, fonts: fonts, toFile: path)
        }
      }
      let absent = folder.path + "/absent/task.pdf"
      #expect(
        error(writing: absent)
          == .notWritten(path: absent, reason: "No such file or directory"))
      #expect(error(writing: folder.path)?.code == "pdf-not-written")
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [])

      // Renaming would replace the pipe by a file.
      let pipe = folder.appendingPathComponent("pipe")
      #expect(mkfifo(pipe.path, 0o600) == 0)
      #expect(error(writing: pipe.path)?.code == "pdf-not-written")
      try FileManager.default.removeItem(at: pipe)

      let file = folder.appendingPathComponent("task.pdf")
      try Data("old".utf8).write(to: file)
      try PDFDocument.write(dossier, fonts: fonts, toFile: file.path)
      #expect(try Data(contentsOf: file).starts(with: Data("%PDF-".utf8)))
      let attributes = try FileManager.default.attributesOfItem(atPath: file.path)
      #expect(attributes[.posixPermissions] as? Int == 0o600, "it is its owner's only")
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["task.pdf"])
    }
  }
}
