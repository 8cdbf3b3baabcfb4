import Exports
import FieldUnit
import Foundation
import Inspection
import PDFWriting
import Store
import TimeAndText

extension UnitExports {
  /// Writes the record of one photo as PDF, for paper. The PDF has no verdict, since only the
  /// office's verifier gives one.
  /// - Throws: `StoreError.unknown`, `FieldUnitError.exportImpossible`.
  package func writePhotoPDF(
    _ id: Identifier, inspectorName: String?, toFile path: String, in language: DocumentLanguage
  ) throws {
    let photo = try unit.photo(id)
    var dossier = PhotoDossier(
      part: Dossier.PhotoPart(
        photo: photo, jpeg: { [folder] in try DurableFile.read(folder.file(.photos, id)) },
        verdict: nil, findings: [], checks: []),
      agencyTitle: person.agency, inspectorName: inspectorName,
      taskName: try photo.task.map { try unit.task($0).name },
      isDemonstration: configuration.isDemonstration, made: clock.deviceTime,
      software: configuration.software, authorityFingerprint: nil)
    dossier.language = language
    guard let fonts = PDFFonts.installed() else {
      throw FieldUnitError.exportImpossible(
        "the typeface DejaVu is not installed: apt install fonts-dejavu-core")
    }
    do {
      try PDFDocument.write(dossier, fonts: fonts, toFile: path)
    } catch {
      throw FieldUnitError.exportImpossible("\(error)")
    }
  }
}
