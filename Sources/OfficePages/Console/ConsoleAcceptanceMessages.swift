import Inspection
import Office
import Sync

/// What of some tasks can be accepted together, or was.
struct ConsoleAcceptance: Encodable, Sendable {
  /// A task to be accepted as it was seen, in the form in which it is sent back.
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

  /// One that was accepted.
  struct Accepted: Encodable, Sendable {
    var id: String
    var state: String
  }

  /// One that is not, as a problem says it.
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

  /// Of a preview.
  var ready: [Ready]?
  /// Of an acceptance.
  var accepted: [Accepted]?
  var refused: [Refused]
}
