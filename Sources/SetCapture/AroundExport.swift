import Evidence
import Exports
import FieldUnit
import Foundation
import Inspection
import PDFWriting
import SetViewing
import Store
import TimeAndText

/// Writes a set for other programs, `around.json` and its images, or as PDF for people.
package enum AroundExport {
  /// Writes the export of a set of the field unit.
  /// - Parameters:
  ///   - path: a new folder; or a file, if it ends with `.zip` or `.pdf`.
  ///   - language: the language of a PDF.
  /// - Returns: the number of images; of a PDF, those that it shows.
  /// - Throws: `FieldUnitError`, `StoreError`, `EvidenceError`, `PDFError`; then nothing is left behind.
  package static func write(
    _ head: FrameSetHead, of unit: InspectorUnit, to path: String,
    in language: DocumentLanguage = .english
  ) throws -> Int {
    guard FileStatus(ofPath: path) == nil else {
      throw FieldUnitError.unwritable(
        path: path, reason: "it is there already: give a name that is not there")
    }
    let set = try unit.frameSet(head.id)
    let seal = try SealFile(try DurableFile.read(unit.path(ofSet: head) + ".seal"))
    let document = AroundDocument(set, record: seal.seal.link.record)
    let images = set.frames.indices.map { index in
      (
        name: AroundDocument.imageName(index + 1), path: unit.path(ofFrame: index + 1, of: head),
        digest: set.frames[index].digest
      )
    }
    for image in images where Digest.hexadecimal(file: image.path) != image.digest {
      throw FieldUnitError.unreadable(
        path: image.path, reason: "its bytes are not those that were sealed")
    }
    if path.lowercased().hasSuffix(".pdf") {
      let part = Dossier.SetPart(set, inspectorName: nil, record: seal.seal.link.record) {
        try DurableFile.read(images[$0 - 1].path)
      }
      try SetPaper(of: unit).write(
        part, ofTask: try set.task.map { try unit.task($0).name }, in: language, toFile: path)
      return set.views().count { $0.frame != nil }
    }
    if path.lowercased().hasSuffix(".zip") {
      var entries = [
        Evidence.Bundle.Entry(
          path: AroundDocument.fileName, content: .bytes(document.bytes))
      ]
      entries += images.map {
        Evidence.Bundle.Entry(path: $0.name, content: .file(path: $0.path))
      }
      try Evidence.Bundle.writeFile(entries, made: unit.clock.deviceTime, toFile: path, { _, _ in })
    } else {
      try writeFolder(path, document, images.map { ($0.name, $0.path) })
    }
    return images.count
  }

  private static func writeFolder(
    _ path: String, _ document: AroundDocument, _ images: [(name: String, path: String)]
  ) throws {
    // The folder gets its name when it is whole.
    let part = path + ".part"
    try? FileManager.default.removeItem(atPath: part)
    do {
      try DurableFile.makeFolder(part)
      for image in images {
        try DurableFile.write(try DurableFile.read(image.path), to: "\(part)/\(image.name)")
      }
      try DurableFile.write(document.bytes, to: "\(part)/\(AroundDocument.fileName)")
      try DurableFile.syncFolder(part)
      try DurableFile.rename(part, to: path)
    } catch {
      try? FileManager.default.removeItem(atPath: part)
      throw error
    }
  }
}
