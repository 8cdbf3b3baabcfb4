import Exports
import Foundation
import Inspection
import Positioning
import Store

extension InspectorUnit {
  /// Writes what is chosen as a file, which is there under its name when it is whole, or not at all.
  /// - Parameter tick: called for each thing that is read; what it throws ends the export, and leaves nothing.
  /// - Throws: `StoreError.unknown`; `FieldUnitError.emptySelection`; `StoreError.unwritable`.
  public func export(
    _ choice: Choice, as format: ExportFormat, options: ExportOptions = ExportOptions(),
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
    ExportFiles(
      photo: { [folder] photo in
        let path = folder.file(.photos, photo.id)
        return access(path, R_OK) == 0 ? path : nil
      },
      thumbnail: { [thumbnails] photo in
        if !thumbnails.holds(photo.id) { try? thumbnails.make(photo.id) }
        return thumbnails.holds(photo.id) ? thumbnails.path(photo.id) : nil
      }, read: { try DurableFile.read($0) },
      write: { path, body in try DurableFile.stream(to: path) { try body($0) } },
      geoPackage: { [clock] path, body in
        try DurableFile.placing(path) { temporary in
          try GeoPackageFile.make(at: temporary, made: clock.deviceTime) { writer in
            try body(GeoPackageRowsOfStore(writer: writer))
          }
        }
      }, remove: { unlink($0) })
  }
}
