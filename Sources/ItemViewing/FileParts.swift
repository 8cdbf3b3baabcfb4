import Inspection
import TimeAndText
import Web

/// The parts of pages that show the files which an order carries. Both programs show them.
package struct FileParts: Sendable {
  let t: Texts

  /// Creates the parts in a language.
  package init(t: Texts) { self.t = t }

  /// Returns the address below which each file that a task brings has its digest as name.
  package static func folder(ofTask id: Identifier) -> String { "/tasks/\(id.description)/files" }

  /// The place of a file, as a page knows it.
  package enum Place: Sendable {
    case here, coming, gone
  }

  /// Returns a file with its kind and its size: a link if it is here.
  package func link(_ file: AttachedFile, ofTask id: Identifier, _ place: Place) -> HTML {
    let facts = "\(file.kind == .pdf ? "PDF" : "JPEG"), \(t.size(bytes: file.bytes))"
    let words =
      place == .coming
      ? t("not here yet: it comes after the next delivery") : t("no longer on this device")
    return place != .here
      ? """
      \(file.name) <span class="muted">\(facts)</span> <span class="verdict-doubtful">\(words)</span>
      """
      : """
      <a href="\(Self.folder(ofTask: id))/\(file.digest)">\(file.name)</a> <span class="muted">\(facts)</span>
      """
  }

  /// Returns the files of a task as a list; nil if there are none.
  /// - Parameter isHere: returns true if the file with a digest can be opened.
  package func list(_ task: InspectionTask, isHere: (String) -> Bool = { _ in true }) -> HTML? {
    guard !task.attachments.list.isEmpty else { return nil }
    let rows = task.attachments.list.map { file -> HTML in
      let place = isHere(file.digest) ? Place.here : task.bringsFiles ? .coming : .gone
      return "<li>\(link(file, ofTask: task.id, place))</li>"
    }
    return "<ul>\(rows)</ul>"
  }
}
