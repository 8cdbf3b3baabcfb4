import Exports
import Foundation
import Inspection
import Positioning
import Store

extension InspectorUnit {
  /// What is kept of one photo as PDF, for paper: the device's own word, since only the office has given
  /// it to the verifier.
  /// - Throws: `StoreError.unknown`, `FieldUnitError.exportImpossible`.
  func photoPDF(_ id: Identifier, inspectorName: String?) throws -> [UInt8] {
    let photo = try photo(id)
    let dossier = PhotoDossier(
      part: Dossier.PhotoPart(
        photo: photo, jpeg: { [folder] in try DurableFile.read(folder.file(.photos, id)) },
        verdict: nil, findings: [], checks: []),
      agencyTitle: person.agency, inspectorName: inspectorName,
      taskName: try photo.task.map { try task($0).name },
      isDemonstration: configuration.isDemonstration, made: clock.deviceTime,
      software: configuration.software, authorityFingerprint: nil)
    guard let fonts = PDFFonts.installed() else {
      throw FieldUnitError.exportImpossible(
        "the typeface DejaVu is not installed: apt install fonts-dejavu-core")
    }
    let path = FileManager.default.temporaryDirectory
      .appendingPathComponent("standpoint-\(UUID().uuidString).pdf").path
    defer { unlink(path) }
    do {
      try PDFDocument.write(dossier, fonts: fonts, toFile: path)
      return try DurableFile.read(path)
    } catch let error as PDFError {
      throw FieldUnitError.exportImpossible("\(error)")
    }
  }
}
