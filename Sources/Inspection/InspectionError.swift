import Positioning

/// What the rules of an inspection say no to. Each has a stable code.
public enum InspectionError: Error, Hashable, Sendable, Worded {
  /// No row of the transition table leads there from here.
  case transitionForbidden(action: TaskAction, from: TaskState)
  /// The table asks for somebody else.
  case roleForbidden(action: TaskAction, role: Role)
  /// The table asks for a reason, and there is none.
  case reasonMissing(action: TaskAction)
  /// The task has fewer photos than its type asks for.
  case photosMissing(have: Int, need: Int)
  /// The task's type asks for a note, and there is none.
  case noteMissing
  /// The task's type asks for a track, and there is none.
  case trackMissing
  /// A rule of the agency's policy does not allow it.
  case policyForbids(CaptureRule)
  /// Whoever decides has not seen what was checked of so many of the task's photos.
  case photosUnchecked(count: Int, of: Int)
  /// The batch has begun to travel: nothing is taken back any more.
  case batchBegun
  /// The task is locked: it was sent, or is decided.
  case taskLocked(TaskState)
  /// A sent photo or track belongs to the office too and is not deleted here.
  case alreadySent(what: String)
  /// A note of more characters than a note has.
  case noteTooLong(characters: Int, limit: Int)

  /// A stable word for programs.
  public var code: String {
    switch self {
    case .transitionForbidden: "task-transition-forbidden"
    case .roleForbidden: "task-role-forbidden"
    case .reasonMissing: "task-reason-missing"
    case .photosMissing: "task-photos-missing"
    case .noteMissing: "task-note-missing"
    case .trackMissing: "task-track-missing"
    case .policyForbids: "policy-forbids"
    case .photosUnchecked: "task-photos-unchecked"
    case .batchBegun: "task-batch-begun"
    case .taskLocked: "task-locked"
    case .alreadySent: "already-sent"
    case .noteTooLong: "note-too-long"
    }
  }

  /// What happened and what to do next, for people.
  public var wording: Wording {
    switch self {
    case .transitionForbidden(let action, let from):
      "a task that is \(word: from.title) cannot be \(word: action.participle)"
    case .roleForbidden(let action, let role):
      "only \(word: action.role.rawValue + "s") may do this (the task would be \(word: action.participle));"
        + " you are \(word: role.rawValue)"
    case .reasonMissing(let action):
      "a task is \(word: action.participle) with a reason only: give one"
    case .photosMissing(let have, let need):
      need == 1
        ? "the task has \(have) of the 1 photo it needs: capture \(need - have) more, then send it"
        : "the task has \(have) of the \(need) photos it needs:"
          + " capture \(need - have) more, then send it"
    case .noteMissing: "tasks of this type need a note: write one, then send it"
    case .trackMissing: "tasks of this type need a track: record one, then send it"
    case .policyForbids(let rule): Self.words(forbidding: rule)
    case .photosUnchecked(let count, let photos):
      "\(count) of its \(photos) photos arrived just now: they are still being checked, or were when you"
        + " opened this page. Your decision was not made: read what the checks say, then decide"
    case .batchBegun: "its delivery has begun: the task cannot be taken back, only returned to you"
    case .taskLocked(let state):
      "the task is \(word: state.title): it is locked and cannot be changed"
    case .alreadySent(let what): "the \(word: what) was sent already: it cannot be deleted"
    case .noteTooLong(let characters, let limit):
      "the note has \(characters) characters, and may have \(limit): shorten it; nothing was kept of it"
    }
  }

  private static func words(forbidding rule: CaptureRule) -> Wording {
    switch rule {
    case .standalone: "your agency allows no photos without a task: open a task first"
    case .imported: "your agency allows no imported pictures: take it with the camera"
    case .takeBack:
      "your agency does not allow a sent task to be taken back: the officer can return it"
    default: "your agency's policy does not allow this"
    }
  }
}
