import Evidence
import Exports
import Foundation
import GeoPackage
import Geodesy
import Inspection
import Positioning
import Store
import TestSupport
import Testing
import TimeAndText

@Suite("Exports in every format")
struct ExportFormatsTests {
  private static let hostile =
    "<script>alert('x')</script> & \"q\", \u{1}\u{FFFF} ]]> \u{202E}שלום 🌾\r\n=1+1"

  private func hostileSelection() throws -> ExportSelection {
    var selection = try ExportFixture.selection()
    selection.title = Self.hostile
    selection.tasks[0].task.name = Self.hostile
    selection.tasks[0].photos[0].note = "=HYPERLINK(\"http://x\")"
    selection.tasks[0].tracks[0].name = Self.hostile
    return selection
  }

  @Test("the fixture gives the committed bytes", arguments: [ExportFormat.gpx, .geojson, .csv])
  func golden(format: ExportFormat) throws {
    let text = try ExportFilesFixture.text(ExportFixture.selection(), as: format)
    #expect(
      try Golden.difference(text, from: "exports/day.\(format.rawValue)") == nil)
  }

  @Test("the GeoPackage has the committed one's contents, and its indexes are whole")
  func goldenGeoPackage() throws {
    try withTemporaryDirectory { folder in
      let path = folder.appendingPathComponent("day.gpkg").path
      try ExportFilesFixture.write(
        ExportFixture.selection(), as: .gpkg, pictures: ExportFixture.pictures, to: path)
      let dump = try GeoPackageFile.dump(path)
      let committed = Repository.root.appendingPathComponent("exports/day.gpkg")
      if ProcessInfo.processInfo.environment["STANDPOINT_UPDATE"] == "1" {
        try Data(contentsOf: URL(fileURLWithPath: path)).write(to: committed)
      }
      #expect(try GeoPackageFile.dump(committed.path) == dump)
      #expect(try GeoPackageFile.damages(path) == [])
    }
  }

  @Test("the dictionary stands in the documents as it is in the program")
  func dictionary() throws {
    let file = Repository.root.appendingPathComponent("docs/exports.md")
    let text = try String(contentsOf: file, encoding: .utf8)
    let (begin, end) = ("<!-- fields: begin -->\n", "<!-- fields: end -->")
    let first = try #require(text.range(of: begin)).upperBound
    let last = try #require(text.range(of: end)).lowerBound
    if ProcessInfo.processInfo.environment["STANDPOINT_UPDATE"] == "1" {
      let whole = text[..<first] + "\n" + FieldDictionary.markdown + "\n" + text[last...]
      try Data(whole.utf8).write(to: file)
    } else {
      #expect(text[first..<last] == "\n\(FieldDictionary.markdown)\n")
    }
  }

  @Test(
    "GDAL reads hostile names in every format",
    arguments: [
      ExportFormat.kml, .kmz, .gpx, .geojson, .gpkg, .csv,
    ])
  func gdal(format: ExportFormat) async throws {
    let ogrinfo = try #require(Program.tool("ogrinfo"), "ogrinfo (gdal-bin) is not installed")
    try await withTemporaryDirectory { folder in
      let path = folder.appendingPathComponent("day.\(format.rawValue)").path
      try ExportFilesFixture.write(hostileSelection(), as: format, to: path)
      let outcome = try await Program.run(ogrinfo, ["-ro", "-al", path])
      #expect(outcome.status == 0)
      if format != .gpx { #expect(outcome.errors == "", "\(format)") }
      #expect(outcome.output.contains("שלום 🌾"), "\(format)")
    }
  }

  @Test("KML, alone and with each point, holds against its schema where that is at hand")
  func schema() async throws {
    let xmllint = try #require(Program.tool("xmllint"), "xmllint (libxml2-utils) is not installed")
    try await withTemporaryDirectory { folder in
      for points in [false, true] {
        var options = ExportOptions()
        options.pointFeatures = points
        for (format, schema) in [(ExportFormat.kml, KMLSchema.path), (.gpx, nil)] {
          let path = folder.appendingPathComponent("day.\(format.rawValue)").path
          try ExportFilesFixture.write(hostileSelection(), as: format, options: options, to: path)
          let arguments =
            schema.map { ["--noout", "--nonet", "--schema", $0, path] } ?? [
              "--noout", "--nonet", path,
            ]
          let outcome = try await Program.run(xmllint, arguments)
          #expect(outcome.status == 0, "\(outcome.errors)")
        }
      }
    }
  }

  @Test(
    "a text that a table would take for a formula is no formula, and lines end as the standard says"
  )
  func csv() throws {
    let text = try ExportFilesFixture.text(hostileSelection(), as: .csv)
    #expect(text.contains("\"'=HYPERLINK(\"\"http://x\"\")\""))
    #expect(!text.contains("\u{1}"))
    #expect(text.hasPrefix("photo,task,taskName,"))
    #expect(text.hasSuffix("\r\n"))
  }

  @Test("a KMZ begins with its document and has the pictures that are there")
  func kmz() throws {
    try withTemporaryDirectory { folder in
      let selection = try ExportFixture.selection()
      let photo = selection.tasks[0].photos[0].id
      try Data([0xFF, 0xD8, 1, 2]).write(to: folder.appendingPathComponent("\(photo).jpg"))
      try Data([0xFF, 0xD8, 3]).write(to: folder.appendingPathComponent("\(photo).small.jpg"))
      let path = folder.appendingPathComponent("day.kmz").path
      try ExportFilesFixture.write(selection, as: .kmz, pictures: folder, to: path)
      let bytes = Array(try Data(contentsOf: URL(fileURLWithPath: path)))
      // The name of the first entry begins after the 30 bytes of its head.
      #expect(String(decoding: bytes[30..<37], as: UTF8.self) == "doc.kml")
      let archive = try EvidenceArchive(path: path)
      #expect(try archive.bytes(of: "photos/\(photo).jpg") == [0xFF, 0xD8, 1, 2])
      #expect(try archive.bytes(of: "thumbnails/\(photo).jpg") == [0xFF, 0xD8, 3])
      let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
      #expect(names.count == 3, "the document's own file is gone")
    }
  }

  @Test("an export that is ended leaves nothing", arguments: ExportFormat.allCases)
  func cancelled(format: ExportFormat) throws {
    try withTemporaryDirectory { folder in
      let path = folder.appendingPathComponent("day").path
      #expect(throws: CancellationError.self) {
        try ExportFilesFixture.write(
          EndedSource(selection: try ExportFixture.selection()), as: format, to: path)
      }
      let left = try FileManager.default.contentsOfDirectory(atPath: folder.path)
      #expect(left.isEmpty)
    }
  }

  @Test("what is cut off lacks its end", arguments: [ExportFormat.kml, .gpx, .geojson])
  func ends(format: ExportFormat) throws {
    let text = try ExportFilesFixture.text(ExportFixture.selection(), as: format)
    let end = [ExportFormat.kml: "</kml>\n", .gpx: "</gpx>\n", .geojson: "]}\n"][format] ?? ""
    #expect(text.hasSuffix(end))
    #expect(text.components(separatedBy: end).count == 2)
  }
}

/// A source that is cancelled before its end.
private struct EndedSource: ExportSource {
  let selection: ExportSelection
  var title: String { selection.title }

  func forEachTask(_ body: (InspectionTask) throws -> Void) throws {
    try selection.forEachTask(body)
  }

  func forEachPhoto(
    of task: InspectionTask?, _ body: (ExportedPhoto) throws -> Void
  ) throws {
    try selection.forEachPhoto(of: task, body)
    throw CancellationError()
  }

  func forEachTrack(
    of task: InspectionTask?, _ body: (ExportedTrack) throws -> Void
  ) throws {
    try selection.forEachTrack(of: task, body)
  }
}

/// The schema of KML with Google's extension, from PyPI's fastkml.
enum KMLSchema {
  static var path: String? {
    let libraries = Repository.root.appendingPathComponent(".venv/lib")
    let versions = (try? FileManager.default.contentsOfDirectory(atPath: libraries.path)) ?? []
    return versions.map {
      libraries.appendingPathComponent("\($0)/site-packages/fastkml/schema/kml22gx.xsd").path
    }.first(where: FileManager.default.fileExists(atPath:))
  }
}
