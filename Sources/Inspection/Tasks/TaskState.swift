/// Where a task stands.
public enum TaskState: String, Hashable, Sendable, CaseIterable {
  /// Ordered, and not yet looked at by its inspector.
  case new
  /// In the inspector's hands.
  case open
  /// Sent back by the officer with a reason.
  case returned
  /// Sent by the inspector, and locked.
  case dataProvided
  /// The officer takes it.
  case accepted
  /// The officer refuses it.
  case declined
  /// The officer called it off before it was provided.
  case withdrawn

  /// The word on the screen.
  public var title: String {
    switch self {
    case .new: "New"
    case .open: "Open"
    case .returned: "Returned"
    case .dataProvided: "Data provided"
    case .accepted: "Accepted"
    case .declined: "Declined"
    case .withdrawn: "Withdrawn"
    }
  }

  /// Its sign, so that no state is told by its colour alone.
  public var sign: String {
    switch self {
    case .new: "○"
    case .open: "◐"
    case .returned: "↩"
    case .dataProvided: "↑"
    case .accepted: "✓"
    case .declined: "✗"
    case .withdrawn: "–"
    }
  }

  /// Whether its inspector may add photos, notes and tracks and delete them.
  public var isEditable: Bool { self == .new || self == .open || self == .returned }

  /// Whether photos are taken for it from the pages: its inspector has opened it first.
  public var takesPhotos: Bool { isEditable && self != .new }

  /// Whether an officer has decided upon what was provided: then nothing comes into it any more, and nothing of it changes.
  public var isFrozen: Bool { self == .accepted || self == .declined }

  /// Whether the office has decided upon it; an administrator may still reopen it.
  public var isDecided: Bool { self == .accepted || self == .declined || self == .withdrawn }
}
