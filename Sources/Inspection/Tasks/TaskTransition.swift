import TimeAndText

/// An action that a person can take on a task.
public enum TaskAction: String, Hashable, Sendable, CaseIterable {
  /// The inspector looks at it for the first time.
  case open
  /// The inspector sends it.
  case provide
  /// The inspector takes it back before its batch has begun.
  case takeBack
  /// The officer sends it back.
  case returnToInspector
  /// The officer accepts it.
  case accept
  /// The officer declines it.
  case decline
  /// The officer calls it off.
  case withdraw
  /// The administrator opens a decision again.
  case reopen
  /// The officer takes back their own decision before a device is told of it.
  case undo

  /// The role that may take the action.
  public var role: Role { rule.role }

  /// The word that follows "A task is …" in messages.
  public var participle: String {
    switch self {
    case .open: "opened"
    case .provide: "sent"
    case .takeBack: "taken back"
    case .returnToInspector: "returned"
    case .accept: "accepted"
    case .decline: "declined"
    case .withdraw: "withdrawn"
    case .reopen: "reopened"
    case .undo: "put back"
    }
  }
}

/// A row of the transition table: the role that may bring a task from one state to another, and the
/// condition.
public struct TransitionRule: Hashable, Sendable {
  /// The condition that must hold besides the state and the role.
  public enum Guard: String, Hashable, Sendable {
    /// No further condition.
    case none
    /// The task holds everything that its type needs.
    case isComplete
    /// The delivery of its batch has not begun.
    case batchNotBegun
    /// The deciding officer has seen the checks of all photos of the task, because money depends on
    /// the decision.
    case isChecked
    /// The last step is a decision of this person, and no device has been told of it.
    case notTold
  }

  /// The action.
  public var action: TaskAction
  /// The role that may take it.
  public var role: Role
  /// The states from which it may be taken.
  public var from: Set<TaskState>
  /// The state that it leads to; nil leads back to the state before the task was provided, or
  /// before the decision.
  public var to: TaskState?
  /// The condition besides state and role.
  public var `guard`: Guard
  /// True if the action needs a reason in words.
  public var needsReason: Bool

  /// The only transition table: all code that changes a task's state asks it.
  public static let table: [TransitionRule] = [
    TransitionRule(.open, by: .inspector, from: [.new], to: .open),
    TransitionRule(
      .provide, by: .inspector, from: [.open, .returned], to: .dataProvided, if: .isComplete),
    TransitionRule(
      .takeBack, by: .inspector, from: [.dataProvided], to: nil, if: .batchNotBegun),
    TransitionRule(
      .returnToInspector, by: .officer, from: [.dataProvided], to: .returned, needsReason: true),
    TransitionRule(
      .accept, by: .officer, from: [.dataProvided], to: .accepted, if: .isChecked),
    TransitionRule(
      .decline, by: .officer, from: [.dataProvided], to: .declined, if: .isChecked,
      needsReason: true),
    TransitionRule(.withdraw, by: .officer, from: [.new, .open, .returned], to: .withdrawn),
    TransitionRule(
      .reopen, by: .administrator, from: [.accepted, .declined], to: .dataProvided,
      needsReason: true),
    TransitionRule(
      .undo, by: .officer, from: [.accepted, .declined, .returned, .withdrawn], to: nil,
      if: .notTold),
  ]

  /// The time for which an officer can undo a decision made on a page, in seconds. Until it is
  /// over, devices are not told of the decision.
  public static let undoSeconds = 10.0

  private init(
    _ action: TaskAction, by role: Role, from: Set<TaskState>, to: TaskState?,
    if guarded: Guard = .none, needsReason: Bool = false
  ) {
    self.action = action
    self.role = role
    self.from = from
    self.to = to
    self.guard = guarded
    self.needsReason = needsReason
  }
}

extension TaskAction {
  /// The action's row of the table.
  public var rule: TransitionRule {
    guard let rule = TransitionRule.table.first(where: { $0.action == self }) else {
      preconditionFailure("the table has a row for each action; a test holds it to that")
    }
    return rule
  }
}

/// A transition that happened. It is added to the task's history and never changed afterwards.
public struct TaskTransition: Hashable, Sendable {
  /// The identifier, made on the device; also the identifier of the transition's record.
  public var id: Identifier
  /// The action.
  public var action: TaskAction
  /// The state before it.
  public var from: TaskState
  /// The state after it.
  public var to: TaskState
  /// The person who took the action.
  public var person: Person
  /// The time by the device's clock.
  public var time: DeviceTime
  /// The reason; nil if none was given.
  public var reason: String?

  /// Creates a transition as it was recorded.
  public init(
    id: Identifier, action: TaskAction, from: TaskState, to: TaskState, person: Person,
    time: DeviceTime, reason: String?
  ) {
    self.id = id
    self.action = action
    self.from = from
    self.to = to
    self.person = person
    self.time = time
    self.reason = reason
  }
}
