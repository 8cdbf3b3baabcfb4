import Inspection
import TimeAndText

/// How far an inspector is with the items of the tasks in hand, as the device counts it. The office is told
/// before Send, when photos are still on the device; it is a word for people and no record.
public struct ProgressMessage: Codable, Hashable, Sendable {
  /// The schema's name and version.
  public static let schema = "standpoint.progress/1"
  /// The most tasks of one message. A larger message is refused.
  public static let tasksAtMost = 1000

  /// The progress of one task.
  public struct TaskProgress: Codable, Hashable, Sendable {
    /// The identifier of the task.
    public var task: String
    /// The number of items that are done, or not possible.
    public var answered: Int
    /// The number of items that are asked for.
    public var asked: Int

    /// Creates the progress of a task.
    public init(task: Identifier, _ progress: ItemProgress) {
      (self.task, answered, asked) = (task.description, progress.answered, progress.asked)
    }
  }

  /// The name and version of this message.
  public var schema = Self.schema
  /// The tasks in the inspector's hands whose order asks for items.
  public var tasks: [TaskProgress]

  /// Creates a message.
  public init(tasks: [TaskProgress]) { self.tasks = tasks }

  /// Reads the progress of each task.
  /// - Throws: `SyncError.malformedMessage` for another schema, too many tasks, or impossible numbers.
  public func progress() throws(SyncError) -> [(task: Identifier, progress: ItemProgress)] {
    guard schema == Self.schema else {
      throw .unknownSchema(found: schema, expected: Self.schema)
    }
    guard tasks.count <= Self.tasksAtMost else {
      throw .malformedMessage("it names more than \(Self.tasksAtMost) tasks")
    }
    var found: [(task: Identifier, progress: ItemProgress)] = []
    for entry in tasks {
      guard let id = Identifier(entry.task), (0...OrderItems.itemsAtMost).contains(entry.asked),
        (0...entry.asked).contains(entry.answered)
      else { throw .malformedMessage("tasks: a task or its numbers are not valid") }
      found.append((id, ItemProgress(answered: entry.answered, asked: entry.asked)))
    }
    return found
  }
}
