import GRDB
import Inspection
import TimeAndText

/// An agency's acts on many tasks at once, and the changes of tasks that devices have fetched.
public struct BulkActTable: AgencyTable {
  let database: Database
  let agency: String

  init(database: Database, agency: String) {
    (self.database, self.agency) = (database, agency)
  }
}

extension BulkActTable {
  /// Returns an act; nil if there is none.
  public func act(_ id: Identifier) throws -> BulkAct? {
    try Row.fetchOne(
      database, sql: "SELECT * FROM bulk_act WHERE id = :id AND agency = :agency",
      arguments: arguments(["id": id.description])
    ).map { row in
      guard let kind = BulkAct.Kind(rawValue: row["kind"]) else {
        throw StoreError.damagedRow("an act on many tasks")
      }
      return BulkAct(
        id: id, kind: kind, officer: row["officer"], list: row["list"], value: row["value"],
        planned: DeviceTime(millisecondsSince1970: row["planned"]), done: Self.time(row["done"]),
        undone: Self.time(row["undone"]))
    }
  }

  /// Adds a planned act with its steps.
  public func insert(_ act: BulkAct, _ steps: [BulkStep]) throws {
    try database.execute(
      sql: """
        INSERT INTO bulk_act (id, agency, kind, officer, list, value, planned)
        VALUES (:id, :agency, :kind, :officer, :list, :value, :planned)
        """,
      arguments: arguments([
        "id": act.id.description, "kind": act.kind.rawValue, "officer": act.officer,
        "list": act.list, "value": act.value, "planned": act.planned.millisecondsSince1970,
      ]))
    for (number, step) in steps.enumerated() { try save(step, number: number, ofAct: act.id) }
  }

  /// Sets the value of an act, and the times at which it was done and undone.
  /// - Parameter heldUntil: the time before which no device hears of it; nil for at once.
  public func save(_ act: BulkAct, heldUntil: DeviceTime?) throws {
    try database.execute(
      sql: """
        UPDATE bulk_act SET value = :value, done = :done, undone = :undone, held_until = :held
        WHERE id = :id AND agency = :agency
        """,
      arguments: arguments([
        "id": act.id.description, "value": act.value, "done": act.done?.millisecondsSince1970,
        "undone": act.undone?.millisecondsSince1970, "held": heldUntil?.millisecondsSince1970,
      ]))
    try requireOwn("act", act.id.description)
  }

  /// Removes the acts that were planned before a time and never done.
  public func removePlans(before time: DeviceTime) throws {
    try database.execute(
      sql: "DELETE FROM bulk_act WHERE agency = :agency AND done IS NULL AND planned < :time",
      arguments: arguments(["time": time.millisecondsSince1970]))
  }

  /// Returns steps of an act in one state, with their numbers, from a number on.
  public func steps(
    ofAct act: Identifier, _ state: BulkStep.State, from number: Int, limit: Int
  ) throws -> [(number: Int, step: BulkStep)] {
    try Row.fetchAll(
      database,
      sql: """
        SELECT * FROM bulk_step WHERE act = :act AND agency = :agency AND state = :state
        AND number >= :number ORDER BY number LIMIT :limit
        """,
      arguments: arguments([
        "act": act.description, "state": state.rawValue, "number": number, "limit": limit,
      ])
    ).map { (number: $0["number"], step: try Self.step($0, state)) }
  }

  /// Counts the steps of an act by their state; a state that only a later version knows is left out.
  public func counts(ofAct act: Identifier) throws -> [BulkStep.State: Int] {
    try Row.fetchAll(
      database,
      sql: """
        SELECT state, count(*) AS steps FROM bulk_step WHERE act = :act AND agency = :agency
        GROUP BY state
        """, arguments: arguments(["act": act.description])
    ).reduce(into: [:]) { counts, row in
      if let state = BulkStep.State(rawValue: row["state"]) { counts[state] = row["steps"] }
    }
  }

  /// Keeps a step in place of the one with its number.
  public func save(_ step: BulkStep, number: Int, ofAct act: Identifier) throws {
    try database.cachedStatement(
      sql: """
        INSERT OR REPLACE INTO bulk_step (act, number, agency, task, transitions, revision, examined,
          shown, state, words, change, copy, copy_change, due_before)
        VALUES (:act, :number, :agency, :task, :transitions, :revision, :examined, :shown, :state,
          :words, :change, :copy, :copyChange, :dueBefore)
        """
    ).execute(
      arguments: arguments([
        "act": act.description, "number": number, "task": step.task.description,
        "transitions": step.transitions, "revision": step.revision, "examined": step.examined,
        "shown": step.shown, "state": step.state.rawValue, "words": step.words?.stored,
        "change": step.change, "copy": step.copy?.task.description,
        "copyChange": step.copy?.change, "dueBefore": step.dueBefore?.millisecondsSince1970,
      ]))
  }

  /// The tasks that are held: their last decision, or their part in an act, is told to devices later. A
  /// time further away than the longest hold was set by a clock that was wrong, and holds nothing.
  static let held = """
    SELECT step.task FROM task_transition AS step INDEXED BY task_transition_held
    WHERE step.agency = :agency AND step.inspector = :inspector
      AND step.held_until > :now AND step.held_until <= :latest
    UNION ALL SELECT step.task FROM bulk_act AS act INDEXED BY bulk_act_held
    JOIN bulk_step AS step ON step.act = act.id AND step.state = 'done'
    WHERE act.agency = :agency AND act.held_until > :now AND act.held_until <= :latest
    UNION ALL \(heldCopies)
    """

  private static let heldCopies = """
    SELECT step.copy FROM bulk_act AS act INDEXED BY bulk_act_held
    JOIN bulk_step AS step ON step.act = act.id AND step.state = 'done' AND step.copy IS NOT NULL
    WHERE act.agency = :agency AND act.held_until > :now AND act.held_until <= :latest
    """

  /// Returns the values for `held`.
  static func moment(_ now: DeviceTime) -> [String: (any DatabaseValueConvertible)?] {
    [
      "now": now.millisecondsSince1970,
      "latest": now.advanced(bySeconds: BulkAct.heldSeconds).millisecondsSince1970,
    ]
  }

  /// Returns the orders of other inspectors that are held.
  public func heldCopies(at now: DeviceTime) throws -> Set<Identifier> {
    Set(
      try String.fetchAll(database, sql: Self.heldCopies, arguments: arguments(Self.moment(now)))
        .compactMap(Identifier.init(_:)))
  }

  /// Returns the number of the newest change of a task; 0 for none.
  public func newestChange(ofTask task: Identifier) throws -> Int {
    try newestChange(where: "task", task.description)
  }

  /// Returns the number of the newest change of an inspector's tasks; 0 for none.
  public func newestChange(ofInspector login: String) throws -> Int {
    try newestChange(where: "inspector", login)
  }

  private func newestChange(where column: String, _ value: String) throws -> Int {
    let sql = "SELECT max(number) FROM task_change WHERE agency = :agency AND \(column) = :value"
    return try Int.fetchOne(
      database.cachedStatement(sql: sql), arguments: arguments(["value": value])) ?? 0
  }

  /// Returns the number of the newest change that an inspector's devices may be told of; 0 for none.
  public func newestTellable(toInspector login: String, at now: DeviceTime) throws -> Int {
    let first = try Int.fetchOne(
      database,
      sql: """
        SELECT min(number) FROM (
          SELECT max(number) AS number FROM task_change INDEXED BY task_change_by_task
          WHERE agency = :agency AND inspector = :inspector AND task IN (\(Self.held))
          GROUP BY task)
        """, arguments: arguments(Self.moment(now).merging(["inspector": login]) { $1 }))
    return try first.map { $0 - 1 } ?? newestChange(ofInspector: login)
  }

  /// Returns the number of the newest change that devices of an inspector have fetched; 0 for none.
  public func told(toInspector login: String) throws -> Int {
    try Int.fetchOne(
      database.cachedStatement(
        sql: "SELECT number FROM inspector_told WHERE agency = :agency AND inspector = :inspector"),
      arguments: arguments(["inspector": login])) ?? 0
  }

  /// Keeps that a device of an inspector fetches the changes up to a cursor.
  public func tell(_ login: String, upTo cursor: String) throws {
    try tell(login, through: Int(cursor.prefix { $0 != "-" }) ?? 0)
  }

  /// Keeps that a device of an inspector fetches the changes up to a number.
  public func tell(_ login: String, through number: Int) throws {
    try database.cachedStatement(
      sql: """
        INSERT INTO inspector_told (agency, inspector, number) VALUES (:agency, :inspector, :number)
        ON CONFLICT (agency, inspector) DO UPDATE SET number = max(number, excluded.number)
        """
    ).execute(arguments: arguments(["inspector": login, "number": number]))
  }

  /// Lets the reference under which a task was ordered name another task.
  public func moveReference(from task: Identifier, to other: Identifier) throws {
    try database.execute(
      sql: "UPDATE task_reference SET task = :other WHERE task = :task AND agency = :agency",
      arguments: arguments(["task": task.description, "other": other.description]))
  }

  /// Returns the task from which an order was given to another inspector, and the order that another
  /// inspector got of it; nil for none.
  public func handed(_ task: Identifier) throws -> (from: Identifier?, to: Identifier?) {
    func one(_ column: String, where other: String) throws -> Identifier? {
      try String.fetchOne(
        database.cachedStatement(
          sql: """
            SELECT \(column) FROM bulk_step WHERE \(other) = :task AND agency = :agency
            AND copy IS NOT NULL AND state IN ('done', 'kept') LIMIT 1
            """), arguments: arguments(["task": task.description])
      ).flatMap(Identifier.init(_:))
    }
    return (try one("task", where: "copy"), try one("copy", where: "task"))
  }

  private static func time(_ value: Int64?) -> DeviceTime? {
    value.map(DeviceTime.init(millisecondsSince1970:))
  }

  private static func step(_ row: Row, _ state: BulkStep.State) throws -> BulkStep {
    guard let task = Identifier(row["task"]) else {
      throw StoreError.damagedRow("a step of an act on many tasks")
    }
    return BulkStep(
      task: task, transitions: row["transitions"], revision: row["revision"],
      examined: row["examined"], shown: row["shown"], state: state,
      words: (row["words"] as String?).map(Wording.init(stored:)), change: row["change"],
      copy: Identifier(row["copy"] ?? "").map {
        BulkStep.Copy(task: $0, change: row["copy_change"])
      },
      dueBefore: time(row["due_before"]))
  }
}
