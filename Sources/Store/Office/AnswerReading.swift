import GRDB
import Inspection
import Sync
import TimeAndText

/// Reads answers through the wall of visible rows.
public protocol AnswerReading {
  /// The rows that this reader may see.
  var rows: VisibleRows { get }
}

/// The answers that an inspector may see, or all of an agency's.
public struct VisibleAnswers: AnswerReading {
  /// The rows that this reader may see.
  public let rows: VisibleRows
}

extension AnswerReading {
  /// Returns the words of some decisions on the items of their tasks, by decision.
  public func verdicts(ofDecisions ids: [Identifier]) throws -> [Identifier: [ItemVerdict]] {
    try rows.all(
      rows.select(
        from: .itemVerdict, where: "decision IN (SELECT value FROM json_each(:decisions))",
        "ORDER BY decision, item"),
      ["decisions": RowJSON.text(ids.map(\.description))]
    ).reduce(into: [:]) { found, row in
      let marks = try (row["marks"] as String?).map {
        try RowJSON.value([VerdictMessage.MarkMessage].self, $0)
      }
      let message = VerdictMessage(
        item: row["item"], returned: row["returned"],
        judged: try RowJSON.value([String].self, row["judged"]), marks: marks)
      do throws(SyncError) {
        guard let decision = Identifier(row["decision"]) else {
          throw .malformedMessage("its decision")
        }
        found[decision, default: []].append(try message.verdict())
      } catch {
        throw StoreError.damagedRow("a verdict on an item: \(error)")
      }
    }
  }

  /// Returns how far the items of some tasks are; a task whose order asks for none is not among them.
  public func progress(ofTasks ids: [Identifier]) throws -> [Identifier: KnownProgress] {
    let told = try rows.all(
      rows.select(
        from: .progress, where: "task_progress.task IN (SELECT value FROM json_each(:tasks))"),
      ["tasks": RowJSON.text(ids.map(\.description))]
    ).reduce(into: [:]) { found, row in
      found[row["task"] as String] = ItemProgress(answered: row["answered"], asked: row["asked"])
    }
    return try rows.all(
      rows.select(
        from: .standing, where: "task_standing.task IN (SELECT value FROM json_each(:tasks))"),
      ["tasks": RowJSON.text(ids.map(\.description))]
    ).reduce(into: [:]) { found, row in
      guard let id = Identifier(row["task"]) else {
        throw StoreError.damagedRow("the standing of a task")
      }
      found[id] = KnownProgress(
        held: ItemProgress(answered: row["answered"], asked: row["asked"]),
        told: told[id.description])
    }
  }

  /// Returns each word on the items of a task, late ones too, the oldest first.
  public func list(ofTask task: Identifier) throws -> [ReceivedAnswer] {
    try rows.all(
      rows.select(from: .itemAnswer, where: "task = :task", "ORDER BY answered, item_answer.rowid"),
      ["task": task.description]
    ).map { row in
      ReceivedAnswer(
        try AnswerRows.answer(row, id: "id", revision: row["revision"]),
        inspector: row["inspector"],
        received: DeviceTime(millisecondsSince1970: row["received"]), isLate: row["late"])
    }
  }
}
