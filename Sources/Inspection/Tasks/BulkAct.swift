import TimeAndText

/// An act of an officer on many tasks at once. It is planned first, so that the officer reads what will
/// happen to each task; then done, each task by the rules for one; and can be undone once, for each task
/// of which no device has heard.
public struct BulkAct: Hashable, Sendable {
  /// The change that the officer makes to each task.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// Accepts it, if nothing speaks against it.
    case accept
    /// Returns it to its inspector, with a reason.
    case giveBack = "return"
    /// Withdraws it.
    case withdraw
    /// Gives it to another inspector: the order is withdrawn from the one who has it, with everything
    /// that was done for it, and ordered of the other one.
    case reassign
    /// Sets another date by which it is due.
    case moveDue = "due"

    /// The decision that the act makes; nil for a change of the order.
    public var action: TaskAction? {
      switch self {
      case .accept: .accept
      case .giveBack: .returnToInspector
      case .withdraw, .reassign: .withdraw
      case .moveDue: nil
      }
    }

    /// True if the act can be done to a task in this state.
    public func isPossible(from state: TaskState) -> Bool {
      action?.rule.from.contains(state) ?? state.isEditable
    }
  }

  /// The most tasks of one act.
  public static let mostTasks = 2000

  /// The time for which no device hears of an act, in seconds.
  public static let heldSeconds = 60.0

  /// The time for which a plan that is not done is kept, in seconds: an officer may come back to it
  /// after a night.
  public static let planSeconds = 86_400.0

  /// The identifier.
  public var id: Identifier
  /// The kind of act.
  public var kind: Kind
  /// The login of the officer; nobody else does it or undoes it.
  public var officer: String
  /// The address of the list from which the tasks were chosen.
  public var list: String
  /// The reason, the inspector's login or the date in RFC 3339, as the kind has it; nil for none.
  public var value: String?
  /// The time at which it was planned.
  public var planned: DeviceTime
  /// The time at which it was done; nil before.
  public var done: DeviceTime?
  /// The time at which it was undone; nil if it was not.
  public var undone: DeviceTime?

  /// Creates an act that is planned.
  public init(
    id: Identifier, kind: Kind, officer: String, list: String, value: String? = nil,
    planned: DeviceTime, done: DeviceTime? = nil, undone: DeviceTime? = nil
  ) {
    self.id = id
    self.kind = kind
    self.officer = officer
    self.list = list
    self.value = value
    self.planned = planned
    self.done = done
    self.undone = undone
  }
}

/// One task of an act on many.
public struct BulkStep: Hashable, Sendable {
  /// How far the act is with the task.
  public enum State: String, Hashable, Sendable, CaseIterable {
    /// The act will be done to it.
    case planned
    /// The act cannot be done to it, or the officer took it out.
    case left
    /// The act was done.
    case done
    /// The act was tried, and refused.
    case refused
    /// The act was done and undone.
    case undone
    /// The act was done, and undoing it was refused.
    case kept
  }

  /// The task.
  public var task: Identifier
  /// The number of transitions that the task had when it was planned.
  public var transitions: Int
  /// The revision that its order had then.
  public var revision: Int
  /// The number of its photos that had been checked then.
  public var examined: Int
  /// The mark of its photos then; empty for an act that does not depend on them.
  public var shown: String
  /// How far the act is with it.
  public var state: State
  /// The reason for which it was left, refused or kept; nil for none.
  public var words: Wording?
  /// The number of the change that the act made, by which the office knows if a device has heard of it;
  /// nil before.
  public var change: Int?
  /// The order of the other inspector, with the number of its change; nil if there is none.
  public var copy: Copy?
  /// The date by which the task was due before; nil for none, and for other acts.
  public var dueBefore: DeviceTime?

  /// The order that another inspector got.
  public struct Copy: Hashable, Sendable {
    /// Its task.
    public var task: Identifier
    /// The number of the change that added it.
    public var change: Int

    /// Creates the order that another inspector got.
    public init(task: Identifier, change: Int) { (self.task, self.change) = (task, change) }
  }

  /// Creates a step.
  public init(
    task: Identifier, transitions: Int, revision: Int, examined: Int = 0, shown: String = "",
    state: State = .planned, words: Wording? = nil, change: Int? = nil, copy: Copy? = nil,
    dueBefore: DeviceTime? = nil
  ) {
    self.task = task
    self.transitions = transitions
    self.revision = revision
    self.examined = examined
    self.shown = shown
    self.state = state
    self.words = words
    self.change = change
    self.copy = copy
    self.dueBefore = dueBefore
  }
}
