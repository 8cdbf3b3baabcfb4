import Exports
import Foundation
import GeoPackage
import Inspection
import Positioning
import Store

extension InspectorUnit {
  /// Writes what is chosen as a file, which is there under its name when it is whole, or not at all.
  /// - Parameter tick: called for each thing that is read; what it throws ends the export, and leaves nothing.
  /// - Throws: `StoreError.unknown`; `FieldUnitError.emptySelection`; `StoreError.unwritable`.
  public func export(
    _ choice: ExportChoice, as format: ExportFormat, options: ExportOptions = ExportOptions(),
    toFile path: String, tick: @escaping () throws -> Void = {}
  ) throws {
    try store.read(as: person) { session in
      let source = FieldExportSource(
        title: "Standpoint: \(person.login), \(person.agency)", choice: choice, session: session,
        folder: folder, tick: tick)
      if try source.isEmpty() { throw FieldUnitError.emptySelection }
      try source.requireAll()
      try ExportJob(
        source, as: format, options: options, files: exportFiles, made: clock.deviceTime
      ).write(toFile: path)
    }
  }

  private var exportFiles: ExportFiles {
    .onDisk(
      made: clock.deviceTime,
      photo: { [folder] photo in
        let path = folder.file(.photos, photo.id)
        return access(path, R_OK) == 0 ? path : nil
      },
      thumbnail: { [thumbnails] photo in
        if !thumbnails.holds(photo.id) { try? thumbnails.make(photo.id) }
        return thumbnails.holds(photo.id) ? thumbnails.path(photo.id) : nil
      })
  }
}
