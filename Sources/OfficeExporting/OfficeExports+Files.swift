import Evidence
import Exports
import Foundation
import GeoPackage
import Imagery
import Inspection
import Office
import Store
import Sync
import TimeAndText
import Web

extension OfficeExports {
  /// Writes the chosen things as a file, which appears under its name whole or not at all.
  /// - Parameters:
  ///   - inspector: the login whose things alone are exported; nil for any of the agency.
  ///   - t: the texts in the language of words for people.
  ///   - tick: called for each thing that is read; an error that it throws ends the export, and no
  ///     file is left.
  /// - Throws: `StoreError.unknown` if one of the things is not there; `OfficeRefusal` if there is
  ///   nothing to export.
  public func export(
    _ choice: ExportChoice, in agency: String, ofInspector inspector: String? = nil,
    as format: ExportFormat, options: ExportOptions = ExportOptions(), toFile path: String,
    in t: Texts = .current, tick: @escaping () throws -> Void = {}
  ) async throws {
    let title = "Standpoint: \(try await people.agencyTitle(agency))"
    // Inspectors see no composites: photos of others may be in them.
    let containing =
      inspector == nil ? CompositeRecord.byPhoto(try composites.all(in: agency)) : [:]
    func make(_ session: any ReadingTransaction, _ officer: (any AgencyTransaction)?) throws {
      func source(_ title: String) -> OfficeExportSource {
        OfficeExportSource(
          title: title, choice: choice, session: session, officer: officer, office: self,
          composites: containing, tick: tick)
      }
      guard try !source(title).isEmpty() else {
        throw OfficeRefusal(.ruleForbids, "there is nothing to export yet")
      }
      let (hidden, all) = try source(title).hiddenCount()
      let words = hidden == 0 ? "" : ", hidden by an officer: \(hidden) of \(all)"
      try ExportJob(
        source(title + words), as: format, options: options, language: DocumentLanguage(t),
        files: exportFiles, made: clock.deviceTime
      ).write(toFile: path)
    }
    if let inspector {
      try await database.read(in: agency, ofInspector: inspector) { try make($0, nil) }
    } else {
      try await database.read(in: agency) { try make($0, $0) }
    }
  }

  private var exportFiles: ExportFiles {
    .onDisk(
      made: clock.deviceTime,
      photo: { [photos] photo in
        let name = EvidenceName.file(.capture, photo.id)
        return try photos.holds(name) ? photos.path(of: name) : nil
      },
      thumbnail: { [self] photo in
        // A file that is no picture has no thumbnail.
        guard (try? picture(.thumbnail, of: photo)) != nil else { return nil }
        return photos.path(of: "previews/\(photo.id.folder)/\(photo.id).thumbnail")
      })
  }
}
