import GRDB
import Inspection
import Sync
import TimeAndText

/// A person's last word on each item of their tasks.
public struct FieldAnswerTable: FieldTable {
  let session: FieldSession
}

extension FieldAnswerTable {
  /// Returns the last word on each item of a task, by item.
  public func answers(ofTask task: Identifier) throws -> [ItemName: SealedAnswer] {
    try rows(
      """
      SELECT * FROM item_answer
      WHERE task = :task AND agency = :agency AND inspector = :inspector
      """, ["task": task.description]
    ).reduce(into: [:]) { found, row in
      let answer = try AnswerRows.answer(row, id: "record", revision: nil)
      found[answer.item] = answer
    }
  }

  /// Returns the office's last words on the items of a task.
  public func verdicts(ofTask task: Identifier) throws -> ItemVerdicts {
    let row = try rows(
      """
      SELECT verdicts FROM item_verdict
      WHERE task = :task AND agency = :agency AND inspector = :inspector
      """, ["task": task.description]
    ).first
    guard let row else { return .none }
    return try RowJSON.value(VerdictsMessage.self, row["verdicts"]).itemVerdicts()
  }

  /// Keeps the office's last words on the items of a task, in place of those before.
  public func keep(_ verdicts: ItemVerdicts, ofTask task: Identifier) throws {
    try database.execute(
      sql: """
        INSERT INTO item_verdict (task, agency, inspector, verdicts)
        VALUES (:task, :agency, :inspector, :verdicts)
        ON CONFLICT (task) DO UPDATE SET verdicts = excluded.verdicts
        """,
      arguments: arguments([
        "task": task.description, "verdicts": RowJSON.text(VerdictsMessage(verdicts)),
      ]))
  }

  /// Keeps a word on an item, whose link is in the chain already, in place of the one before.
  public func keep(_ answer: SealedAnswer) throws {
    try database.execute(
      sql: """
        INSERT INTO item_answer (task, item, agency, inspector, record, answered, answer)
        VALUES (:task, :item, :agency, :inspector, :record, :answered, :answer)
        ON CONFLICT (task, item) DO UPDATE SET record = excluded.record,
          answered = excluded.answered, answer = excluded.answer
        """,
      arguments: arguments([
        "task": answer.task.description, "item": answer.item.description,
        "record": answer.id.description, "answered": answer.time.millisecondsSince1970,
        "answer": AnswerRows.text(answer),
      ]))
  }
}
