/// The state of a task.
public enum TaskState: String, Hashable, Sendable, CaseIterable {
  /// The task was ordered, and its inspector has not looked at it yet.
  case new
  /// The inspector works on the task.
  case open
  /// The officer sent the task back with a reason.
  case returned
  /// The inspector sent the task, which is now locked.
  case dataProvided
  /// The officer accepted what was delivered.
  case accepted
  /// The officer declined what was delivered.
  case declined
  /// The officer called the task off before it was provided.
  case withdrawn

  /// The word on the screen.
  public var title: String {
    switch self {
    case .new: "New"
    case .open: "Open"
    case .returned: "Returned"
    case .dataProvided: "Submitted"
    case .accepted: "Accepted"
    case .declined: "Declined"
    case .withdrawn: "Withdrawn"
    }
  }

  /// The word in exported files and on the command line, which does not change with the screen's.
  public var fileTitle: String { self == .dataProvided ? "Data provided" : title }

  /// The sign of the state, so that its colour alone never tells it.
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

  /// True if the inspector may add and delete photos, notes and tracks of the task.
  public var isEditable: Bool { self == .new || self == .open || self == .returned }

  /// True if an officer has decided on the delivered task. After that, nothing is added to it, and
  /// nothing in it changes.
  public var isFrozen: Bool { self == .accepted || self == .declined }

  /// True if the office has decided on the task. An administrator may reopen an accepted or
  /// declined one.
  public var isDecided: Bool { self == .accepted || self == .declined || self == .withdrawn }
}
