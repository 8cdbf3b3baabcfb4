import Evidence
import Exports
import Foundation
import Inspection
import TestSupport
import Testing

/// Tests of `day.kmz` and `day.pdf`. `ExportFormatsTests` and `KMLDocumentTests` test the texts and
/// the GeoPackage, `SampleBundleTests` tests the bundle.
@Suite("The samples of exports that are no texts are made by the fixture")
struct SampleFilesTests {
  private func committed(_ name: String) -> URL {
    Repository.root.appendingPathComponent("exports/\(name)")
  }

  /// Replaces the committed file with the new one, if `STANDPOINT_UPDATE=1` asks for it.
  private func update(_ name: String, from file: URL) throws {
    guard Golden.isUpdated else { return }
    try Data(contentsOf: file).write(to: committed(name))
  }

  /// Returns names, times and sizes of a ZIP's entries, in their order.
  private func listing(_ file: URL) async throws -> String {
    let python = try #require(Program.tool("python3"), "python3 is not installed")
    let outcome = try await Program.run(python, ["-m", "zipfile", "-l", file.path])
    #expect(outcome.status == 0, "\(outcome.errors)")
    return outcome.output
  }

  @Test("the KMZ has the committed one's entries, in their order and byte by byte")
  func kmz() async throws {
    try await withTemporaryDirectory { folder in
      let selection = try ExportFixture.selection()
      let file = folder.appendingPathComponent("day.kmz")
      try ExportFilesFixture.write(
        selection, as: .kmz, pictures: ExportFixture.pictures, to: file.path)
      try update("day.kmz", from: file)
      let entries = try await listing(file)
      #expect(try await listing(committed("day.kmz")) == entries)
      let made = try EvidenceArchive(path: file.path)
      let sample = try EvidenceArchive(path: committed("day.kmz").path)
      // The imported photo has no file.
      let photos = [selection.tasks[0].photos[0].id, selection.photos[0].id]
      let names = ["doc.kml"] + photos.flatMap { ["photos/\($0).jpg", "thumbnails/\($0).jpg"] }
      #expect(entries.split(separator: "\n").count == 1 + names.count)
      for name in names {
        #expect(try sample.bytes(of: name) == made.bytes(of: name), "\(name)")
      }
    }
  }

  @Test("the PDF has the committed one's words where they stood, and its pages look the same")
  func pdf() async throws {
    try await withTemporaryDirectory { folder in
      let made = try PDFReading(ExportFixture.dossier(), in: folder, name: "day.pdf")
      try update("day.pdf", from: made.file)
      // A copy in a folder of its own, because `PDFReading` writes files beside the PDF.
      let place = folder.appendingPathComponent("committed")
      try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
      let copy = place.appendingPathComponent("day.pdf")
      try Data(contentsOf: committed("day.pdf")).write(to: copy)
      let sample = PDFReading(file: copy)
      #expect(try await sample.complaint() == nil)
      #expect(try await sample.layout() == made.layout())
      #expect(try await sample.attachments() == made.attachments())
      let pages = try await made.pages
      try #require(try await sample.pages == pages)
      for page in 1...pages {
        let now = try await made.pixels(page: page)
        let then = try await sample.pixels(page: page)
        // Other versions of the typeface and the reader only move the rims of letters.
        let difference = try #require(now.difference(from: then), "page \(page) has another size")
        #expect(difference <= 0.002, "page \(page)")
      }
      #expect(try sample.bytes.count < 300_000)
    }
  }

  @Test("a page with something else on it is told from the committed one")
  func otherPage() async throws {
    try await withTemporaryDirectory { folder in
      var dossier = try ExportFixture.dossier()
      let first = try PDFReading(dossier, in: folder, name: "first.pdf")
      dossier.task.parcel = nil
      let second = try PDFReading(dossier, in: folder, name: "second.pdf")
      let map = try await first.pixels(page: 1)
      #expect(map.difference(from: map) == 0)
      #expect(try #require(await second.pixels(page: 1).difference(from: map)) > 0.002)
    }
  }
}
