import Evidence
import Exports
import FieldUnit
import Foundation
import GeoPackage
import Inspection
import Store
import TimeAndText

/// Makes the files that an inspector takes away.
public struct UnitExports: Sendable {
  let unit: InspectorUnit

  var configuration: FieldUnitConfiguration { unit.configuration }
  var clock: any Timepiece { unit.clock }
  var store: FieldStore { unit.store }
  var folder: DataFolder { unit.folder }
  var person: Person { unit.person }
}

extension InspectorUnit {
  /// The files that the inspector takes away.
  public var exports: UnitExports { UnitExports(unit: self) }
}

extension UnitExports {
  /// Writes the chosen data as a file, which is there whole or not at all.
  /// - Parameter tick: called for each thing that is read; if it throws, the export ends and leaves
  ///   nothing.
  /// - Throws: `StoreError.unknown`; `FieldUnitError.emptySelection`; `StoreError.unwritable`.
  public func export(
    _ choice: ExportChoice, as format: ExportFormat, options: ExportOptions = ExportOptions(),
    toFile path: String, in language: DocumentLanguage = .english,
    tick: @escaping () throws -> Void = {}
  ) throws {
    let composites = CompositeRecord.byPhoto(try unit.composites.all())
    try store.read(as: person) { session in
      let source = FieldExportSource(
        title: "Standpoint: \(person.login), \(person.agency)", choice: choice, session: session,
        folder: folder, unit: unit, composites: composites, tick: tick)
      if try source.isEmpty() { throw FieldUnitError.emptySelection }
      try source.requireAll()
      try ExportJob(
        source, as: format, options: options, language: language, files: exportFiles,
        made: clock.deviceTime
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
      thumbnail: { [thumbnails = unit.thumbnails] photo in
        if !thumbnails.holds(photo.id) { try? thumbnails.make(photo.id) }
        return thumbnails.holds(photo.id) ? thumbnails.path(photo.id) : nil
      })
  }
}
