import Inspection
import Store

/// Keeps the standing of tasks' items, for lists and statistics. It is computed from everything that was
/// given, and computed anew in the transaction that changed something.
public protocol StandingRecords {
  /// Reads the tasks whose standing is to be computed anew. A fresh one is new, and nothing was given for
  /// it yet.
  func toJudge(limit: Int) throws -> [(task: Identifier, isFresh: Bool)]
  /// Keeps the standing of a task in place of the one before, and takes it off the tasks to be judged; nil
  /// if its order asks for no items.
  func keep(_ standing: TaskStanding?, ofTask task: Identifier) throws
  /// Keeps how far a task is, as its inspector's device told it, in place of the word before.
  func keep(told progress: ItemProgress, ofTask task: Identifier) throws
  /// Counts the answers to the questions of a type's tasks, by item and value. Each task counts once.
  func counts(ofType type: String) throws -> [AnswerCount]
  /// Counts the answers to one question by inspector and value, or by week and value.
  func counts(
    ofType type: String, item: ItemName, by group: AnswerCount.Group
  ) throws -> [AnswerCount]
  /// Counts the tasks of a type by their state.
  func states(ofType type: String) throws -> [TaskState: Int]
}
