import GRDB
import Inspection
import Sync
import TimeAndText

/// An answer that came to the office.
public struct ReceivedAnswer: Hashable, Sendable {
  /// The answer.
  public var answer: SealedAnswer
  /// The login of the inspector who gave it.
  public var inspector: String
  /// The time at which the office received it.
  public var received: DeviceTime
  /// True if the office had decided the task before: it is kept apart from the task.
  public var isLate: Bool

  /// Creates an answer that came.
  public init(_ answer: SealedAnswer, inspector: String, received: DeviceTime, isLate: Bool) {
    (self.answer, self.inspector) = (answer, inspector)
    (self.received, self.isLate) = (received, isLate)
  }
}

/// An agency's answers to items of orders.
public struct AnswerTable: AgencyTable, AnswerReading {
  let database: Database
  let agency: String

  init(database: Database, agency: String) {
    (self.database, self.agency) = (database, agency)
  }

  /// All of the agency's rows.
  public var rows: VisibleRows {
    VisibleRows(database: database, agency: agency, inspector: nil)
  }
}

extension AnswerTable {
  /// Adds an answer. One that is there already stays as it is.
  public func insert(_ received: ReceivedAnswer) throws {
    let answer = received.answer
    try database.execute(
      sql: """
        INSERT INTO item_answer
          (id, agency, inspector, task, revision, item, answered, received, late, answer)
        VALUES (:id, :agency, :inspector, :task, :revision, :item, :answered, :received, :late, :answer)
        ON CONFLICT (id) DO NOTHING
        """,
      arguments: arguments([
        "id": answer.id.description, "inspector": received.inspector,
        "task": answer.task.description, "revision": answer.revision,
        "item": answer.item.description, "answered": answer.time.millisecondsSince1970,
        "received": received.received.millisecondsSince1970, "late": received.isLate,
        "answer": AnswerRows.text(answer),
      ]))
  }
}

extension AnswerTable {
  /// Adds the words of a decision on the items of a task.
  /// - Parameter decision: the transition.
  public func insert(
    _ verdicts: [ItemVerdict], ofTask task: Identifier, decision: Identifier
  ) throws {
    for verdict in verdicts {
      let message = VerdictMessage(verdict)
      try database.execute(
        sql: """
          INSERT INTO item_verdict (agency, task, decision, item, returned, judged, marks)
          VALUES (:agency, :task, :decision, :item, :returned, :judged, :marks)
          """,
        arguments: arguments([
          "task": task.description, "decision": decision.description,
          "item": message.item, "returned": message.returned,
          "judged": RowJSON.text(message.judged), "marks": message.marks.map { RowJSON.text($0) },
        ]))
    }
  }
}
