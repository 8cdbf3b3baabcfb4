import TimeAndText

/// An action that the rules of an inspection refuse. Each case has a stable code.
public enum InspectionError: Error, Hashable, Sendable, Worded {
  /// The transition table has no row for this action in this state.
  case transitionForbidden(action: TaskAction, from: TaskState)
  /// The transition table asks for another role.
  case roleForbidden(action: TaskAction, role: Role)
  /// The transition table asks for a reason, and none was given.
  case reasonMissing(action: TaskAction)
  /// The task has fewer photos than its type needs.
  case photosMissing(have: Int, need: Int)
  /// The task's type needs a note, and the task has none.
  case noteMissing
  /// The task's type needs a track, and the task has none.
  case trackMissing
  /// A track of the task is still being recorded, or its recording was cut off.
  case trackUnfinished
  /// The task's type needs a set, and the task has no complete one.
  case setMissing(NeededSet)
  /// Photo points of the task have neither a repeat nor a reason.
  case repeatsMissing(lacking: Int)
  /// Items of the order are neither done nor said to be not possible.
  case itemsMissing([ItemName])
  /// A rule of the agency's policy forbids the action.
  case policyForbids(CaptureRule)
  /// The officer has not seen the checks of `count` of the task's photos.
  case photosUnchecked(count: Int, of: Int)
  /// The batch is already on its way: the task can no longer be taken back.
  case batchBegun
  /// A device may have been told of the decision, or it is somebody else's: it is not undone.
  case decisionTold
  /// The task is locked, because it was sent or decided.
  case taskLocked(TaskState)
  /// The photo or track was sent: it belongs to the office too, and is not deleted here.
  case alreadySent(what: String)
  /// The note has more characters than a note may have.
  case noteTooLong(characters: Int, limit: Int)
  /// A photo point cannot be made or kept.
  case photoPoint(PhotoPointRefusal)
  /// A set or one of its frames is refused.
  case frameSet(FrameSetRefusal)
  /// An answer to an item is refused.
  case item(ItemRefusal)

  /// The stable code, for programs.
  public var code: String {
    switch self {
    case .transitionForbidden: "task-transition-forbidden"
    case .roleForbidden: "task-role-forbidden"
    case .reasonMissing: "task-reason-missing"
    case .photosMissing: "task-photos-missing"
    case .noteMissing: "task-note-missing"
    case .trackMissing: "task-track-missing"
    case .trackUnfinished: "task-track-unfinished"
    case .setMissing: "task-set-missing"
    case .repeatsMissing: "task-repeats-missing"
    case .itemsMissing: "task-items-missing"
    case .policyForbids: "policy-forbids"
    case .photosUnchecked: "task-photos-unchecked"
    case .batchBegun: "task-batch-begun"
    case .decisionTold: "decision-told"
    case .taskLocked: "task-locked"
    case .alreadySent: "already-sent"
    case .noteTooLong: "note-too-long"
    case .photoPoint: "photo-point"
    case .frameSet: "frame-set"
    case .item: "item-answer"
    }
  }

  /// The message for people: what happened, and what to do next.
  public var wording: Wording {
    switch self {
    case .transitionForbidden(let action, let from):
      "a task that is \(word: from.title) cannot be \(word: action.participle)"
    case .roleForbidden(let action, let role):
      "only \(word: action.role.rawValue + "s") may do this (the task would be"
        + " \(word: action.participle)); your role is \(word: role.rawValue)"
    case .reasonMissing(let action):
      "a task cannot be \(word: action.participle) without a reason: give one"
    case .photosMissing(let have, let need):
      need == 1
        ? "the task has \(have) of the 1 photo it needs: take \(need - have) more, then send it"
        : "the task has \(have) of the \(need) photos it needs: take \(need - have) more, then"
          + " send it"
    case .noteMissing: "tasks of this type need a note: write one, then send the task"
    case .trackMissing: "tasks of this type need a track: record one, then send the task"
    case .trackUnfinished:
      "a track of the task is not finished: finish or delete it, then send the task"
    case .setMissing(let set) where set.kind == .around:
      "the task needs a walk round a thing with \(set.sectors) pictures: take a set, then send the task"
    case .setMissing(let set):
      "the task needs a turn on the spot with \(set.sectors) views: take a set, then send the task"
    case .repeatsMissing(let lacking):
      lacking == 1
        ? "1 photo point of the task has no repeat: photograph it again, or say why not, then send it"
        : "\(lacking) photo points of the task have no repeat: photograph them again, or say why not, then send it"
    case .itemsMissing(let names):
      names.count == 1
        ? "the order still asks for “\(names[0].description)”: give it, or say why it is not possible, then send the task"
        : "the order still asks for \(names.count) things (\(Self.list(names))): give them, or say why they are not possible, then send the task"
    case .policyForbids(let rule): Self.words(forbidding: rule)
    case .photosUnchecked(let count, let photos):
      "\(count) of its \(photos) photos are still being checked, or were when you opened this"
        + " page. Your decision was not saved: read the results, then decide"
    case .batchBegun:
      "its delivery has begun: you cannot take the task back; an officer can return it to you"
    case .decisionTold:
      "it is too late to undo this decision: the inspector's device may know of it. An administrator"
        + " can reopen the task"
    case .taskLocked(let state):
      "the task is \(word: state.title): it is locked and cannot be changed"
    case .alreadySent(let what): "the \(word: what) has already been sent: you cannot delete it"
    case .noteTooLong(let characters, let limit):
      "the note has \(characters) characters; at most \(limit) are allowed. It was not saved: shorten it"
    case .photoPoint(let refusal): refusal.wording
    case .frameSet(let refusal): refusal.wording
    case .item(let refusal): refusal.wording
    }
  }

  /// Returns the first few names of items in one line.
  private static func list(_ names: [ItemName]) -> String {
    let shown = names.prefix(5).map(\.description).joined(separator: ", ")
    return names.count > 5 ? shown + ", …" : shown
  }

  private static func words(forbidding rule: CaptureRule) -> Wording {
    switch rule {
    case .standalone: "your agency does not allow photos without a task: open a task first"
    case .imported: "your agency does not allow imported pictures: use the camera"
    case .receivers:
      "your agency does not take photos with this receiver: choose one that its policy allows"
    case .browser:
      "your agency does not allow a browser's camera: use the device's own camera command"
    case .command:
      "your agency does not allow a camera command: take the picture on the page"
    case .takeBack:
      "your agency does not let you take back a sent task: an officer can return it"
    default: "your agency's policy does not allow this"
    }
  }
}
