import Evidence
import Exports
import Foundation
import Inspection
import Store
import TestSupport
import Testing

@Suite("Files that an export makes: links, rights, and what lies beside them")
struct ExportedFilesTests {
  /// Returns a folder of pictures: the first photo has a file and a thumbnail, the second a file,
  /// the third nothing.
  private func pictures(_ folder: URL, _ selection: ExportSelection) throws -> URL {
    let pictures = folder.appendingPathComponent("pictures")
    try FileManager.default.createDirectory(at: pictures, withIntermediateDirectories: true)
    let photos = selection.tasks[0].photos
    for name in ["\(photos[0].id).jpg", "\(photos[0].id).small.jpg", "\(photos[1].id).jpg"] {
      try Data([0xFF, 0xD8]).write(to: pictures.appendingPathComponent(name))
    }
    return pictures
  }

  /// Returns the paths of pictures that a text refers to.
  private func links(_ text: String) -> [String] {
    text.components(separatedBy: "\"").filter {
      $0.hasPrefix("photos/") || $0.hasPrefix("thumbnails/")
    }.sorted()
  }

  @Test(
    "a KMZ links to each picture that is in it and to no other",
    arguments: GeoPackageDocument.Pictures.allCases)
  func kmz(choice: GeoPackageDocument.Pictures) throws {
    try withTemporaryDirectory { folder in
      let selection = try ExportFixture.selection()
      let path = folder.appendingPathComponent("day.kmz").path
      var options = ExportOptions()
      options.pictures = choice
      try ExportFilesFixture.write(
        selection, as: .kmz, options: options, pictures: try pictures(folder, selection), to: path)
      let archive = try EvidenceArchive(path: path)
      let document = String(decoding: try archive.bytes(of: "doc.kml"), as: UTF8.self)
      let ids = selection.tasks[0].photos.map(\.id)
      let expected: [String] =
        switch choice {
        case .none: []
        case .thumbnails: ["thumbnails/\(ids[0]).jpg"]
        case .all: ["photos/\(ids[0]).jpg", "photos/\(ids[1]).jpg", "thumbnails/\(ids[0]).jpg"]
        }
      #expect(links(document) == expected)
      for name in expected { #expect(try archive.bytes(of: name) == [0xFF, 0xD8], "\(name)") }
      #expect(document.contains("The picture is not at hand.") == (choice != .none))
    }
  }

  @Test("what lies alone links to nothing", arguments: [ExportFormat.kml, .gpx])
  func alone(format: ExportFormat) throws {
    let text = try ExportFilesFixture.text(ExportFixture.selection(), as: format)
    #expect(links(text) == [])
    #expect(!text.contains("<link"))
  }

  @Test("files that are called almost like an export stay as they are")
  func strangers() throws {
    try withTemporaryDirectory { folder in
      let path = folder.appendingPathComponent("day.kmz").path
      let others = [".kml", ".part", ".new"].map { path + $0 }
      for other in others { try Data([1, 2, 3]).write(to: URL(fileURLWithPath: other)) }
      try ExportFilesFixture.write(ExportFixture.selection(), as: .kmz, to: path)
      for other in others { #expect(try DurableFile.read(other) == [1, 2, 3], "\(other)") }
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).count == 4)
    }
  }

  @Test("an export is its owner's only", arguments: ExportFormat.allCases)
  func rights(format: ExportFormat) throws {
    try withTemporaryDirectory { folder in
      let path = folder.appendingPathComponent("day").path
      try ExportFilesFixture.write(ExportFixture.selection(), as: format, to: path)
      let attributes = try FileManager.default.attributesOfItem(atPath: path)
      #expect(attributes[.posixPermissions] as? Int == 0o600)
    }
  }

  @Test(
    "a folder that is not there is said in words, in each format", arguments: ExportFormat.allCases)
  func noFolder(format: ExportFormat) throws {
    try withTemporaryDirectory { folder in
      let path = folder.appendingPathComponent("none/day").path
      let error = #expect(throws: (any Error).self) {
        try ExportFilesFixture.write(ExportFixture.selection(), as: format, to: path)
      }
      let words = error.map { "\($0)" } ?? ""
      #expect(words.contains("the folder is not there"), "\(words)")
    }
  }
}
