import Evidence
import Foundation
import Inspection
import TimeAndText
import Web

/// The version of a thing, as the header field `ETag` names it (RFC 9110, 8.8.3).
package struct EntityTag: Hashable, Sendable {
  /// The text between the quotes.
  package let text: String

  /// Creates a tag of a text without quotes.
  package init(_ text: String) { self.text = text }

  /// Creates the tag of a task: of its order, its history, its note and its photos.
  /// - Parameter shown: the mark of its photos.
  package init(of task: InspectionTask, shown: String) {
    let note = task.note.map { ".\(Digest.hexadecimal(Array($0.utf8)).prefix(16))" }
    self.init("\(task.revision).\(task.history.count).\(shown)\(note ?? "")")
  }

  /// The tag as the value of the header field, with quotes.
  package var field: String { "\"\(text)\"" }

  /// Returns true if the caller has this version already (If-None-Match).
  package func isKnown(by request: WebRequest) -> Bool {
    guard let field = request.header("If-None-Match") else { return false }
    return Self.items(of: field).contains {
      $0 == "*" || $0 == self.field || $0 == "W/\(self.field)"
    }
  }

  /// Returns true if a change is meant for this version.
  ///
  /// - Parameter condition: the value of `If-Match`: versions, or `*` for any version.
  package func isMeant(by condition: String) -> Bool {
    Self.items(of: condition).contains { $0 == "*" || $0 == field }
  }

  /// Returns the value of `If-Match`.
  /// - Throws: `OfficeRefusal` (precondition-missing) if it is missing: a change that does not name
  ///   the seen version could undo another person's change.
  package static func condition(of request: WebRequest) throws(OfficeRefusal) -> String {
    guard let condition = request.header("If-Match") else {
      throw OfficeRefusal(
        .preconditionMissing, "get it first, and send the change with its ETag as If-Match")
    }
    return condition
  }

  /// The field is split at commas, since no tag of this office holds a comma.
  private static func items(of field: String) -> [String] {
    field.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
  }
}
