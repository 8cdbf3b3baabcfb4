import Evidence
import FieldUnit
import Foundation
import SetViewing
import Store
import TimeAndText

/// An exported set on the disk, which any program may have written: `around.json` with its images beside
/// it.
package struct AroundFolder: Sendable {
  /// The document.
  package let document: AroundDocument
  /// The names of the images that the document names and that are not there, in its order.
  package let missing: [String]

  /// Reads an exported set.
  /// - Parameter path: the folder, or the document itself.
  /// - Throws: `FieldUnitError.unreadable` with the member that is missing or wrong.
  package init(path: String) throws {
    guard let status = FileStatus(ofPath: path) else {
      throw FieldUnitError.unreadable(path: path, reason: "there is no such file")
    }
    let file = status.isFile ? path : path + "/" + AroundDocument.fileName
    guard let size = FileStatus(ofPath: file), size.isFile else {
      throw FieldUnitError.unreadable(path: file, reason: "there is no such file")
    }
    guard size.bytes <= AroundDocument.sizeLimit else {
      throw FieldUnitError.unreadable(
        path: file,
        reason: "it has \(size.bytes) bytes; at most \(AroundDocument.sizeLimit) are read")
    }
    do {
      document = try AroundDocument(try DurableFile.read(file))
    } catch let fault as AroundFault {
      throw FieldUnitError.unreadable(path: file, reason: fault.wording)
    }
    let folder = URL(fileURLWithPath: file).deletingLastPathComponent().path
    missing = document.elements.map(\.image).filter {
      FileStatus(ofPath: folder + "/" + $0)?.isFile != true
    }
  }
}
