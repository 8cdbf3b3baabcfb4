import Exports
import Foundation
import Inspection
import Store

@testable import FieldUnit

/// What the exports of the tests work with: files of this machine, and pictures from a folder.
enum ExportFilesFixture {
  static func files(pictures: URL? = nil) -> ExportFiles {
    func picture(_ name: String) -> String? {
      let path = pictures?.appendingPathComponent(name).path
      return path.flatMap { FileManager.default.fileExists(atPath: $0) ? $0 : nil }
    }
    return ExportFiles(
      photo: { picture("\($0.id).jpg") }, thumbnail: { picture("\($0.id).small.jpg") },
      read: { try DurableFile.read($0) },
      write: { path, body in try DurableFile.stream(to: path) { try body($0) } },
      geoPackage: { path, body in
        try DurableFile.placing(path) { temporary in
          try GeoPackageFile.make(at: temporary, made: ExportFixture.time) { writer in
            try body(GeoPackageRowsOfStore(writer: writer))
          }
        }
      }, remove: { unlink($0) })
  }

  static func write(
    _ source: any ExportSource, as format: ExportFormat, options: ExportOptions = ExportOptions(),
    pictures: URL? = nil, to path: String
  ) throws {
    try ExportJob(
      source, as: format, options: options, files: files(pictures: pictures),
      made: ExportFixture.time
    ).write(toFile: path)
  }

  /// A format's text.
  static func text(
    _ source: any ExportSource, as format: ExportFormat, options: ExportOptions = ExportOptions()
  ) throws -> String {
    let path = FileManager.default.temporaryDirectory
      .appendingPathComponent("standpoint-test-\(UUID().uuidString)").path
    defer { unlink(path) }
    try write(source, as: format, options: options, to: path)
    return String(decoding: try DurableFile.read(path), as: UTF8.self)
  }
}
