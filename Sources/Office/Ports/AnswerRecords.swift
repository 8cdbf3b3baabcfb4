import Inspection
import Store

/// Reads the answers that a person may see: all of an agency's, or those to one inspector's tasks.
public protocol AnswerReads {
  /// Reads each word on the items of a task, late ones too, the oldest first.
  func list(ofTask task: Identifier) throws -> [ReceivedAnswer]
  /// Reads how far the items of some tasks are; a task whose order asks for none is not among them.
  func progress(ofTasks ids: [Identifier]) throws -> [Identifier: KnownProgress]
  /// Reads the words of some decisions on the items of their tasks, by decision; a decision without
  /// any is not among them.
  func verdicts(ofDecisions ids: [Identifier]) throws -> [Identifier: [ItemVerdict]]
}

/// Keeps the answers that came to an agency. None is ever changed: a change of mind is a further one.
public protocol AnswerRecords: AnswerReads {
  /// Adds an answer. One that is there already stays as it is.
  func insert(_ received: ReceivedAnswer) throws
  /// Adds the words of a decision on the items of a task.
  /// - Parameter decision: the transition.
  func insert(_ verdicts: [ItemVerdict], ofTask task: Identifier, decision: Identifier) throws
}
