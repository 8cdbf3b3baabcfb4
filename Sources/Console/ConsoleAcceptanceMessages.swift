import Inspection
import Office
import Sync

/// The tasks of a request that can be accepted together, or were accepted, and those refused.
struct ConsoleAcceptance: Encodable, Sendable {
  /// A task to be accepted as it was seen, in the form in which the program sends it back.
  struct Ready: Encodable, Sendable {
    var id: String
    var seen: Int
    var examined: Int
    var shown: String

    init(_ candidate: AcceptanceCandidate) {
      id = candidate.task.id.description
      seen = candidate.task.history.count
      examined = candidate.count.photos
      shown = candidate.shown
    }
  }

  /// A task that was accepted.
  struct Accepted: Encodable, Sendable {
    var id: String
    var state: String
  }

  /// A task that is not accepted, with the code and the words of a problem.
  struct Refused: Encodable, Sendable {
    var id: String
    var code: String
    var detail: String

    init(_ id: Identifier, _ refusal: OfficeRefusal) {
      self.id = id.description
      code = refusal.kind.rawValue
      detail = refusal.detail
    }
  }

  /// The tasks that can be accepted; only in the answer to a preview.
  var ready: [Ready]?
  /// The accepted tasks; only in the answer to an acceptance.
  var accepted: [Accepted]?
  var refused: [Refused]
}
