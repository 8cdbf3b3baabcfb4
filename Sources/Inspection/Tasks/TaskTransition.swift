import Positioning

/// What can be done with a task.
public enum TaskAction: String, Hashable, Sendable, CaseIterable {
  /// The inspector looks at it for the first time.
  case open
  /// The inspector sends it.
  case provide
  /// The inspector takes it back before its batch has begun.
  case takeBack
  /// The officer sends it back.
  case returnToInspector
  /// The officer takes it.
  case accept
  /// The officer refuses it.
  case decline
  /// The officer calls it off.
  case withdraw
  /// The administrator undoes a decision.
  case reopen

  /// Who may do it.
  public var role: Role { rule.role }

  /// "A task is …" — for messages.
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
    }
  }
}

/// A row of the transition table: who may bring a task from where to where, and on what condition.
public struct TransitionRule: Hashable, Sendable {
  /// What must hold beside the state and the role.
  public enum Guard: String, Hashable, Sendable {
    /// Nothing more.
    case none
    /// It holds what its type asks for.
    case isComplete
    /// Its batch has not begun to travel.
    case batchNotBegun
    /// Whoever decides has before them what was checked of all its photos: money hangs on it.
    case isChecked
  }

  /// What is done.
  public var action: TaskAction
  /// By whom.
  public var role: Role
  /// From any of these states.
  public var from: Set<TaskState>
  /// Where it leads; nil leads back to where the task was before it was provided.
  public var to: TaskState?
  /// What must hold.
  public var `guard`: Guard
  /// Whether it needs a reason in words.
  public var needsReason: Bool

  /// The one table. Everything that changes a task's state asks it.
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
  ]

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
  /// Its row of the table.
  public var rule: TransitionRule {
    guard let rule = TransitionRule.table.first(where: { $0.action == self }) else {
      preconditionFailure("the table has a row for each action; a test holds it to that")
    }
    return rule
  }
}

/// A transition that happened. It is added to the task's history and never changed again.
public struct TaskTransition: Hashable, Sendable {
  /// Made on the device; also the identifier of its record.
  public var id: Identifier
  /// What was done.
  public var action: TaskAction
  /// The state before.
  public var from: TaskState
  /// The state after.
  public var to: TaskState
  /// By whom.
  public var person: Person
  /// When, by the device's clock.
  public var time: DeviceTime
  /// Why; nil where none was asked for and none given.
  public var reason: String?

  /// A transition as it was recorded.
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
