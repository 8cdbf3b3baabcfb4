import Exports
import Foundation
import Inspection
import PDFWriting
import TestSupport
import Testing

@Suite("PDF: labels of photo points")
struct PhotoPointLabelsTests {
  private func write(
    _ points: [PhotoPoint], in folder: URL, name: String = "labels.pdf"
  ) throws -> PDFReading {
    let fonts = try #require(PDFFonts.installed(), "fonts-dejavu-core is not installed")
    let file = folder.appendingPathComponent(name)
    try PhotoPointLabels.write(
      points, agencyTitle: "Státní zemědělský intervenční fond", fonts: fonts,
      made: DossierFixture.made, software: "standpoint 1.0", toFile: file.path)
    return PDFReading(file: file)
  }

  private func points(_ count: Int) throws -> [PhotoPoint] {
    try (0..<count).map { try PhotoPointFixture.point($0, name: "Mez \($0 + 1)") }
  }

  @Test("ten labels fill a page", arguments: [(0, 1), (1, 1), (10, 1), (11, 2), (21, 3)])
  func pages(count: Int, pages: Int) async throws {
    try await withTemporaryDirectory { folder in
      let points = try points(count)
      let pdf = try write(points, in: folder)
      #expect(try await pdf.complaint() == nil)
      #expect(try await pdf.pages == pages)
      let words = try await pdf.words()
      for point in points {
        #expect(words.contains(try #require(point.code?.spaced)))
        #expect(words.contains(try #require(point.name)))
      }
      #expect(words.contains("Page \(pages) of \(pages)"))
      #expect(count == 0 || words.contains("Státní zemědělský"))
    }
  }

  @Test(
    "a camera reads the code that leads to the point",
    .enabled(if: Program.tool("zbarimg") != nil, "zbarimg is not installed (zbar-tools)"))
  func codes() async throws {
    try await withTemporaryDirectory { folder in
      let points = try points(4)
      let texts = try await write(points, in: folder).codes(page: 1)
      #expect(
        texts.sorted() == points.compactMap { $0.code?.labelText(agency: "north") }.sorted())
      let read = texts.compactMap(PhotoPointCode.ofLabel)
      #expect(Set(read.map(\.code)) == Set(points.compactMap(\.code)))
    }
  }

  @Test("a long name has two lines and an ellipsis, and keeps its Czech letters")
  func longName() async throws {
    try await withTemporaryDirectory { folder in
      let name =
        "Kříž u silnice na Žďár nad Sázavou, pohled na okraj lesa a na mokřad pod hrází rybníka"
      let pdf = try write([PhotoPointFixture.point(1, name: name)], in: folder)
      #expect(try await pdf.complaint() == nil)
      let words = try await pdf.words()
      #expect(words.contains("Kříž u"))
      #expect(words.contains("…"))
      #expect(!words.contains("rybníka"))
    }
  }

  @Test("a point without a code gets no label, and one without a name has its code alone")
  func incomplete() async throws {
    try await withTemporaryDirectory { folder in
      var bare = try PhotoPointFixture.point(1, name: "Nobody's")
      bare.code = nil
      let nameless = try PhotoPointFixture.point(2)
      let words = try await write([bare, nameless], in: folder).words()
      #expect(!words.contains("Nobody's"))
      #expect(words.contains(try #require(nameless.code?.spaced)))
    }
  }

  @Test("the same points give the same bytes")
  func identical() throws {
    try withTemporaryDirectory { folder in
      let one = try write(points(3), in: folder, name: "one.pdf").bytes
      #expect(try write(points(3), in: folder, name: "two.pdf").bytes == one)
    }
  }

  @Test("a folder that is not there is an error, and leaves nothing")
  func noFolder() throws {
    try withTemporaryDirectory { folder in
      #expect(throws: PDFError.self) {
        try write(points(1), in: folder.appendingPathComponent("none"))
      }
      let left = try FileManager.default.contentsOfDirectory(atPath: folder.path)
      #expect(left.isEmpty)
    }
  }
}
