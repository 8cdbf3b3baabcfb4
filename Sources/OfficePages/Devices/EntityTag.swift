import Evidence
import Foundation
import Inspection
import Office
import Positioning
import Web

/// Which version of a thing this is, as the header field `ETag` says it (RFC 9110, 8.8.3).
struct EntityTag: Hashable, Sendable {
  /// What stands between the quotes.
  let text: String

  init(_ text: String) { self.text = text }

  /// The version of a task: of its order, of what was done with it, of its note, and which photos it has.
  /// - Parameter shown: the mark of its photos.
  init(of task: InspectionTask, shown: String) {
    let note = task.note.map { ".\(Digest.hexadecimal(Array($0.utf8)).prefix(16))" }
    self.init("\(task.revision).\(task.history.count).\(shown)\(note ?? "")")
  }

  /// As the field carries it.
  var field: String { "\"\(text)\"" }

  /// Whether the asker has this version already (If-None-Match).
  func isKnown(by request: WebRequest) -> Bool {
    guard let field = request.header("If-None-Match") else { return false }
    return Self.items(of: field).contains {
      $0 == "*" || $0 == self.field || $0 == "W/\(self.field)"
    }
  }

  /// Whether a change is meant for this version.
  ///
  /// - Parameter condition: what `If-Match` says: versions, or `*` for whatever there is.
  func isMeant(by condition: String) -> Bool {
    Self.items(of: condition).contains { $0 == "*" || $0 == field }
  }

  /// What `If-Match` says.
  /// - Throws: `OfficeRefusal` (precondition-missing): who does not say what was seen could undo what
  ///   somebody else has done meanwhile.
  static func condition(of request: WebRequest) throws(OfficeRefusal) -> String {
    guard let condition = request.header("If-Match") else {
      throw OfficeRefusal(
        .preconditionMissing, "get it first, and send the change with its ETag as If-Match")
    }
    return condition
  }

  /// No tag of ours holds a comma.
  private static func items(of field: String) -> [String] {
    field.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
  }
}
