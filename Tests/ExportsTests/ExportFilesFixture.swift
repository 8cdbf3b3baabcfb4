import Exports
import Foundation
import GeoPackage
import Inspection
import Store

@testable import FieldUnit

/// The files of a test's export: pictures from a folder, and outputs on this machine's disk.
enum ExportFilesFixture {
  static func files(pictures: URL? = nil) -> ExportFiles {
    func picture(_ name: String) -> String? {
      let path = pictures?.appendingPathComponent(name).path
      return path.flatMap { FileManager.default.fileExists(atPath: $0) ? $0 : nil }
    }
    return .onDisk(
      made: ExportFixture.time, photo: { picture("\($0.id).jpg") },
      thumbnail: { picture("\($0.id).small.jpg") })
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

  /// Returns the text of an export.
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
