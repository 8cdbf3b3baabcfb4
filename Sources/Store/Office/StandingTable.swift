import GRDB
import Inspection
import TimeAndText

/// The standing of the items of an agency's tasks.
public struct StandingTable: AgencyTable {
  let database: Database
  let agency: String

  init(database: Database, agency: String) {
    (self.database, self.agency) = (database, agency)
  }
}

extension StandingTable {
  /// Returns the tasks whose standing is to be computed anew.
  public func toJudge(limit: Int) throws -> [(task: Identifier, isFresh: Bool)] {
    try Row.fetchAll(
      database.cachedStatement(
        sql: "SELECT task, fresh FROM task_to_judge WHERE agency = :agency LIMIT :limit"),
      arguments: arguments(["limit": limit])
    ).map { row in
      guard let id = Identifier(row["task"]) else {
        throw StoreError.damagedRow("a task whose items are to be judged")
      }
      return (id, row["fresh"])
    }
  }

  /// Keeps the standing of a task in place of the one before; nil if its order asks for no items.
  public func keep(_ standing: TaskStanding?, ofTask task: Identifier) throws {
    for table in ["task_to_judge", "task_standing", "item_value"] {
      try database.cachedStatement(
        sql: "DELETE FROM \(table) WHERE agency = :agency AND task = :task"
      ).execute(arguments: arguments(["task": task.description]))
    }
    guard let standing else { return }
    try database.cachedStatement(
      sql: """
        INSERT INTO task_standing (agency, task, asked, answered, missing, impossible)
        VALUES (:agency, :task, :asked, :answered, :missing, :impossible)
        """
    ).execute(
      arguments: arguments([
        "task": task.description, "asked": standing.asked, "answered": standing.answered,
        "missing": standing.missing, "impossible": standing.impossible,
      ]))
    let insert = try database.cachedStatement(
      sql: """
        INSERT OR IGNORE INTO item_value (agency, item, value, type, kind, inspector, week, task)
        VALUES (:agency, :item, :value, :type, :kind, :inspector, :week, :task)
        """)
    for value in standing.values {
      try insert.execute(
        arguments: arguments([
          "item": value.item.description, "value": value.text, "type": standing.type,
          "kind": value.kind.rawValue, "inspector": standing.inspector,
          "week": Self.week(of: value.time), "task": task.description,
        ]))
    }
  }

  /// Keeps how far a task is, as its inspector's device told it, in place of the word before.
  public func keep(told progress: ItemProgress, ofTask task: Identifier) throws {
    try database.cachedStatement(
      sql: """
        INSERT INTO task_progress (agency, task, answered, asked)
        VALUES (:agency, :task, :answered, :asked)
        ON CONFLICT DO UPDATE SET answered = :answered, asked = :asked
        """
    ).execute(
      arguments: arguments([
        "task": task.description, "answered": progress.answered, "asked": progress.asked,
      ]))
  }

  /// Counts the answers to the questions of a type's tasks, by item and value.
  public func counts(ofType type: String) throws -> [AnswerCount] {
    // The rows are adjacent in this order: nothing is sorted.
    try counts(
      sql: """
        SELECT item, kind, value, '' AS part, count(*) AS tasks FROM item_value
        WHERE agency = :agency AND type = :type GROUP BY item, value, kind
        """, ["type": type])
  }

  /// Counts the answers to one question by inspector and value, or by week and value.
  public func counts(
    ofType type: String, item: ItemName, by group: AnswerCount.Group
  ) throws -> [AnswerCount] {
    let column = group == .inspector ? "inspector" : "week"
    let found = try counts(
      sql: """
        SELECT item, kind, value, CAST(\(column) AS TEXT) AS part, count(*) AS tasks FROM item_value
        WHERE agency = :agency AND item = :item AND type = :type
        GROUP BY \(column), value, kind ORDER BY \(column), value, kind
        """, ["type": type, "item": item.description])
    guard group == .week else { return found }
    return found.map { count in
      var count = count
      count.group = Self.monday(ofWeek: Int(count.group) ?? 0)
      return count
    }
  }

  /// Counts the tasks of a type by their state.
  public func states(ofType type: String) throws -> [TaskState: Int] {
    // The index has state and type: the rows themselves are not read.
    try Row.fetchAll(
      database,
      sql: """
        SELECT state, count(*) AS tasks FROM task INDEXED BY task_by_created
        WHERE agency = :agency AND type = :type GROUP BY state
        """, arguments: arguments(["type": type])
    ).reduce(into: [:]) { states, row in
      guard let state = TaskState(rawValue: row["state"]) else {
        throw StoreError.damagedRow("the state of a task")
      }
      states[state] = row["tasks"]
    }
  }

  private func counts(
    sql: String, _ values: [String: (any DatabaseValueConvertible)?]
  ) throws -> [AnswerCount] {
    try Row.fetchAll(database.cachedStatement(sql: sql), arguments: arguments(values)).map { row in
      guard let item = ItemName(row["item"] as String),
        let kind = TaskStanding.Value.Kind(rawValue: row["kind"])
      else { throw StoreError.damagedRow("the value of an answer") }
      return AnswerCount(
        item: item, kind: kind, value: row["value"], group: row["part"], tasks: row["tasks"])
    }
  }

  private static let millisecondsPerWeek: Int64 = 7 * 86_400_000
  /// The first Monday of 1970 was its fifth day.
  private static let firstMonday: Int64 = 4 * 86_400_000

  /// The number of a moment's week since the first Monday of 1970; it begins on Monday, in UTC.
  private static func week(of time: DeviceTime) -> Int64 {
    let since = time.millisecondsSince1970 - firstMonday
    return since >= 0
      ? since / millisecondsPerWeek : (since - millisecondsPerWeek + 1) / millisecondsPerWeek
  }

  private static func monday(ofWeek week: Int) -> String {
    DeviceTime(millisecondsSince1970: firstMonday + Int64(week) * millisecondsPerWeek).date.iso8601
  }
}
