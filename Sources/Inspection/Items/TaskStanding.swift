import TimeAndText

/// The standing of one task's items, as lists and statistics count it.
public struct TaskStanding: Hashable, Sendable {
  /// The value of one answer that counts.
  public struct Value: Hashable, Sendable {
    /// The kinds of answers.
    public enum Kind: String, Hashable, Sendable {
      /// A value that is counted.
      case value
      /// Words, of which only their being there is counted.
      case words
      /// The item was not possible.
      case notPossible
    }

    /// The question.
    public var item: ItemName
    /// The value for programs; empty for words, and where it was not possible.
    public var text: String
    /// The kind of answer.
    public var kind: Kind
    /// The time of the answer.
    public var time: DeviceTime

    /// Creates a value.
    public init(item: ItemName, text: String, kind: Kind, time: DeviceTime) {
      (self.item, self.text, self.kind, self.time) = (item, text, kind, time)
    }
  }

  /// The type of tasks whose template the items are in.
  public var type: String
  /// The inspector whose task it is.
  public var inspector: String
  /// The number of items that are asked for.
  public var asked: Int
  /// The number of items that are done, or not possible.
  public var answered: Int
  /// The number of items that are required and open.
  public var missing: Int
  /// The number of items that are not possible.
  public var impossible: Int
  /// The values of the answers that count. Of several choices, each is a value.
  public var values: [Value]

  /// Creates a standing.
  public init(
    type: String, inspector: String, asked: Int, answered: Int, missing: Int, impossible: Int,
    values: [Value]
  ) {
    (self.type, self.inspector) = (type, inspector)
    (self.asked, self.answered) = (asked, answered)
    (self.missing, self.impossible, self.values) = (missing, impossible, values)
  }
}

/// How far the items of a task are.
public struct ItemProgress: Hashable, Sendable {
  /// The number of items that are done, or not possible.
  public var answered: Int
  /// The number of items that are asked for.
  public var asked: Int

  /// Creates a progress.
  public init(answered: Int, asked: Int) { (self.answered, self.asked) = (answered, asked) }
}

/// How far the items of a task are, as the office knows it.
public struct KnownProgress: Hashable, Sendable {
  /// The progress by everything that the office holds.
  public var held: ItemProgress
  /// The progress that the inspector's device told last, when photos may still be on it; nil if it told
  /// none.
  public var told: ItemProgress?

  /// Creates a progress.
  public init(held: ItemProgress, told: ItemProgress? = nil) {
    (self.held, self.told) = (held, told)
  }

  /// Returns the progress that counts: what the office holds, or the device's own word while the inspector
  /// has the task in hand, if it is about the same items and says more. Another device of the inspector may
  /// have less than the office.
  public func counted(in state: TaskState) -> ItemProgress {
    guard let told, state.isEditable, state != .new, told.asked == held.asked else { return held }
    return told.answered > held.answered ? told : held
  }
}

/// The number of tasks with one answer.
public struct AnswerCount: Hashable, Sendable {
  /// The ways to group answers.
  public enum Group: String, Hashable, Sendable, CaseIterable {
    /// By the login of the inspector.
    case inspector
    /// By the week of the answer, which begins on Monday, in UTC.
    case week
  }

  /// The question.
  public var item: ItemName
  /// The kind of answer.
  public var kind: TaskStanding.Value.Kind
  /// The value; empty for words, and where the item was not possible.
  public var value: String
  /// The inspector's login, or the week's Monday in ISO 8601; empty if answers are not grouped.
  public var group: String
  /// The number of tasks.
  public var tasks: Int

  /// Creates a count.
  public init(
    item: ItemName, kind: TaskStanding.Value.Kind, value: String, group: String = "", tasks: Int
  ) {
    (self.item, self.kind, self.value) = (item, kind, value)
    (self.group, self.tasks) = (group, tasks)
  }
}
