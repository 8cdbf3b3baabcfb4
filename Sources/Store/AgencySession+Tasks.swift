import GRDB
import Geodesy
import Inspection
import Positioning
import Sync

extension AgencySession {
  /// A page of a list.
  private static func pageSQL(
    _ condition: String, _ order: TaskSorting, of filter: TaskFilter
  ) -> String {
    // The first key of the order of review is the same in all that have one state; SQLite does not see it.
    let first = order.column == .review && filter.state != nil ? 1 : 0
    return """
      SELECT * FROM task INDEXED BY \(order.index) WHERE agency = :agency AND \(condition)
      ORDER BY \(order.sql(from: first)) LIMIT :limit OFFSET :offset
      """
  }

  /// The same of tasks in one state, or of one inspector, where those are few: they are looked up and put in
  /// order. The order's own index would be walked to its end for them.
  private static func sortedPageSQL(
    _ condition: String, _ order: TaskSorting, by index: String
  ) -> String {
    """
    SELECT task.* FROM (
      SELECT rowid AS place FROM task INDEXED BY \(index)
      WHERE agency = :agency AND \(condition) ORDER BY \(order.sql()) LIMIT :limit OFFSET :offset
    ) AS part CROSS JOIN task ON task.rowid = part.place AND task.agency = :agency
    ORDER BY \(order.sql())
    """
  }

  /// So many are put in order in some 10 ms.
  private static let sortedAtMost = 5000

  /// By which index those tasks are looked up that a filter's state or inspector names; nil where it names
  /// none, or they are many.
  private func indexOfFew(_ filter: TaskFilter) throws -> String? {
    var part = TaskFilter(state: filter.state)
    part.inspector = filter.inspector
    guard part != TaskFilter() else { return nil }
    let index = filter.state == nil ? "task_by_inspector" : "task_by_agency"
    var (condition, values) = part.condition(at: DeviceTime(millisecondsSince1970: 0))
    values["limit"] = Self.sortedAtMost + 1
    let count = try Int.fetchOne(
      database.cachedStatement(
        sql: """
          SELECT count(*) FROM (SELECT 1 FROM task INDEXED BY \(index)
            WHERE agency = :agency AND \(condition) LIMIT :limit)
          """), arguments: arguments(values))
    return (count ?? 0) <= Self.sortedAtMost ? index : nil
  }

  /// Where a filter's tasks are read from. One that looks for words, and has nothing to look its tasks up
  /// by, reads every one: from the table as it lies, which is five times as fast as one after the other by
  /// an index, unless most of it is other agencies'.
  func source(of filter: TaskFilter) throws -> String {
    var rest = filter
    rest.text = nil
    guard filter.text != nil, rest == TaskFilter() else { return "task" }
    let own = try Bool.fetchOne(
      database.cachedStatement(
        sql: """
          SELECT count(*) > 0 FROM (SELECT 1 FROM task INDEXED BY task_by_agency
            WHERE agency = :agency LIMIT 1 OFFSET (SELECT coalesce(max(rowid) / 5, 0) FROM task /* every agency's */))
          """), arguments: arguments())
    return own == true ? "task NOT INDEXED" : "task"
  }

  /// The first that stands behind a task, of those that differ from it in the key `key` and in none before.
  private static func nextSQL(
    _ condition: String, _ order: TaskSorting, from key: Int, isReversed: Bool
  ) -> String {
    """
    SELECT id FROM task INDEXED BY \(order.index) WHERE agency = :agency
    AND \(order.behindSQL(from: key, isReversed: isReversed)) AND \(condition)
    ORDER BY \(order.sql(isReversed: isReversed, from: key)) LIMIT 1
    """
  }

  /// How SQLite goes about a page of a list and the way to the next task, for tests: in its words.
  func plans(of filter: TaskFilter, _ order: TaskSorting, at now: DeviceTime) throws -> [String] {
    let condition = filter.condition(at: now, in: order).sql
    let queries =
      [Self.pageSQL(filter.condition(at: now, in: order, isFromStart: true).sql, order, of: filter)]
      + [false, true].flatMap { isReversed in
        (0..<order.keyCount).map {
          Self.nextSQL(condition, order, from: $0, isReversed: isReversed)
        }
      }
    // What is bound changes no plan here.
    return try queries.map { sql in
      let statement = try database.makeStatement(sql: "EXPLAIN QUERY PLAN " + sql)
      statement.setUncheckedArguments(StatementArguments())
      return try Row.fetchAll(statement).map { $0["detail"] as String }.joined(separator: "; ")
    }
  }

  /// The agency's tasks, in an order.
  public func tasks(
    _ filter: TaskFilter = TaskFilter(), _ order: TaskSorting = TaskSorting(), at now: DeviceTime,
    limit: Int, offset: Int = 0
  ) throws -> [InspectionTask] {
    let index = try indexOfFew(filter)
    var (condition, values) =
      index == nil
      ? filter.condition(at: now, in: order, isFromStart: true) : filter.condition(at: now)
    condition += " \(own("+task.inspector"))"
    values["limit"] = limit
    values["offset"] = offset
    return try Row.fetchAll(
      database,
      sql: index.map { Self.sortedPageSQL(condition, order, by: $0) }
        ?? Self.pageSQL(condition, order, of: filter),
      arguments: arguments(values)
    ).map(task)
  }

  /// The agency's tasks that a filter lets through, all of them, in an order: for filters that have to look
  /// at every task, which count them and find a page of them in one walk.
  public func taskIdentifiers(
    _ filter: TaskFilter, _ order: TaskSorting, at now: DeviceTime
  ) throws -> [Identifier] {
    let (condition, values) = filter.condition(at: now, in: order)
    var source = try source(of: filter)
    if source == "task" { source = "task INDEXED BY \(order.index)" }
    return try String.fetchAll(
      database,
      sql: """
        SELECT id FROM \(source) WHERE agency = :agency AND \(condition)
        \(own("+task.inspector")) ORDER BY \(order.sql())
        """, arguments: arguments(values)
    ).compactMap(Identifier.init(_:))
  }

  /// How many tasks a filter lets through.
  public func taskCount(_ filter: TaskFilter = TaskFilter(), at now: DeviceTime) throws -> Int {
    let (condition, values) = filter.condition(at: now)
    return try Int.fetchOne(
      database,
      sql: """
        SELECT count(*) FROM \(source(of: filter)) WHERE agency = :agency AND \(condition) \(own())
        """, arguments: arguments(values)) ?? 0
  }

  /// What stands before and behind a task in a list, whether the list has it or not.
  public func neighbours(
    of id: Identifier, _ filter: TaskFilter, _ order: TaskSorting, at now: DeviceTime
  ) throws -> (previous: Identifier?, next: Identifier?) {
    var (condition, values) = filter.condition(at: now, in: order)
    condition += " \(own("+task.inspector"))"
    let here = try Row.fetchOne(
      database,
      sql: "SELECT \(order.keySQL) FROM task WHERE id = :id AND agency = :agency \(own())",
      arguments: arguments(["id": id.description]))
    guard let here else { throw StoreError.unknown(what: "task", id: id.description) }
    for key in 0..<order.keyCount { values["k\(key)"] = here[key] as DatabaseValue }
    // What differs in the last key alone stands nearest. Each is a place in the order's index.
    func neighbour(isBefore: Bool) throws -> Identifier? {
      for key in (0..<order.keyCount).reversed() {
        let found = try String.fetchOne(
          database,
          sql: Self.nextSQL(condition, order, from: key, isReversed: isBefore),
          arguments: arguments(
            values.filter { name, _ in
              !name.hasPrefix("k") || Int(name.dropFirst()).map { $0 <= key } ?? true
            }))
        if let found { return Identifier(found) }
      }
      return nil
    }
    return (try neighbour(isBefore: true), try neighbour(isBefore: false))
  }

  /// The types that the agency's tasks have, by name; no more than somebody can choose from.
  public func taskTypes() throws -> [String] {
    var types: [String] = []
    // From one to the next in the index: reading all tasks for three words would take longer.
    while types.count < 100,
      let next = try String.fetchOne(
        database,
        sql:
          "SELECT min(type) FROM task WHERE agency = :agency AND type > :last \(own("+inspector"))",
        arguments: arguments(["last": types.last ?? ""]))
    {
      types.append(next)
    }
    return types
  }

  /// An inspector's tasks that changed since a cursor, those that changed last at the end.
  /// - Parameter cursor: where to go on; nil, or one that this database has not given, is from the
  ///   beginning.
  /// - Returns: the tasks, where to go on next time, and whether there are more already.
  public func changedTasks(
    ofInspector login: String, since cursor: String?, limit: Int
  ) throws -> (tasks: [InspectionTask], cursor: String?, hasMore: Bool) {
    let known = try cursor.flatMap { try place(ofCursor: $0, inspector: login) }
    let rows = try Row.fetchAll(
      database,
      sql: """
        WITH latest AS (
          SELECT task, max(number) AS number FROM task_change
          WHERE agency = :agency AND inspector = :inspector AND number > :after GROUP BY task)
        SELECT task.*, latest.number AS change FROM task JOIN latest ON latest.task = task.id
        WHERE task.agency = :agency ORDER BY latest.number LIMIT :limit
        """,
      arguments: arguments(["inspector": login, "after": known ?? 0, "limit": limit + 1]))
    let page = rows.prefix(limit)
    guard let last: Int = page.last?["change"] else {
      return ([], known == nil ? nil : cursor, false)
    }
    let mark = try String.fetchOne(
      database, sql: "SELECT mark FROM task_change WHERE number = :number AND agency = :agency",
      arguments: arguments(["number": last]))
    return (try page.map(task), mark.map { "\(last)-\($0)" }, rows.count > limit)
  }

  /// The number that a cursor names; nil for one that this database has not given to this inspector.
  private func place(ofCursor cursor: String, inspector: String) throws -> Int? {
    let parts = cursor.split(separator: "-")
    guard parts.count == 2, let number = Int(parts[0]) else { return nil }
    return try Int.fetchOne(
      database,
      sql: """
        SELECT number FROM task_change WHERE number = :number AND mark = :mark
        AND agency = :agency AND inspector = :inspector
        """,
      arguments: arguments(["number": number, "mark": String(parts[1]), "inspector": inspector]))
  }

  /// One of the agency's tasks.
  /// - Throws: `StoreError.unknown`, also for another agency's.
  public func task(_ id: Identifier) throws -> InspectionTask {
    guard
      let row = try Row.fetchOne(
        database, sql: "SELECT * FROM task WHERE id = :id AND agency = :agency \(own())",
        arguments: arguments(["id": id.description]))
    else { throw StoreError.unknown(what: "task", id: id.description) }
    return try task(row)
  }

  /// Adds a task that was ordered.
  public func insert(_ task: InspectionTask) throws {
    var values = TaskColumns.values(task)
    values["inspector"] = task.inspector
    try database.cachedStatement(sql: TaskColumns.insert).execute(arguments: arguments(values))
    try countTask(task, isAdded: true)
  }

  /// Keeps an order that replaces the one before it; both stay readable.
  public func replaceOrder(
    of before: InspectionTask, with after: InspectionTask, at time: DeviceTime
  ) throws {
    var old = TaskColumns.order(before, at: time)
    old["inspector"] = before.inspector
    try database.execute(sql: TaskColumns.insertOrder, arguments: arguments(old))
    var new = TaskColumns.values(after)
    for name in ["state", "created", "note"] { new.removeValue(forKey: name) }
    try database.execute(
      sql: """
        UPDATE task SET name = :name, type = :type, instructions = :instructions,
          revision = :revision, due = :due, parcel_identifier = :parcelIdentifier,
          parcel_rings = :parcelRings WHERE id = :id AND agency = :agency
        """, arguments: arguments(new))
    if before.parcel != after.parcel {
      try countTask(before, isAdded: false)
      try countTask(after, isAdded: true)
    }
  }

  /// The orders that later ones have replaced, the oldest first.
  public func earlierOrders(of task: Identifier) throws -> [EarlierOrder] {
    try Row.fetchAll(
      database,
      sql: """
        SELECT * FROM task_order WHERE task = :task AND agency = :agency \(own(taskOf: "task_order"))
        ORDER BY revision
        """,
      arguments: arguments(["task": task.description])
    ).map(TaskColumns.order)
  }

  /// Keeps a transition and the state that it leads to.
  public func save(_ transition: TaskTransition, of task: InspectionTask, revision: Int?) throws {
    try insert(transition, of: task, revision: revision, conflict: nil)
    try database.execute(
      sql: "UPDATE task SET state = :state WHERE id = :id AND agency = :agency",
      arguments: arguments(["id": task.id.description, "state": task.state.rawValue]))
  }

  /// Keeps a transition that could not be made.
  public func save(_ conflict: TransitionConflict, of task: InspectionTask, revision: Int?) throws {
    try insert(conflict.transition, of: task, revision: revision, conflict: conflict.reason.stored)
  }

  /// Whether a transition is known already.
  public func knowsTransition(_ id: Identifier) throws -> Bool {
    try Bool.fetchOne(
      database,
      sql: "SELECT EXISTS (SELECT 1 FROM task_transition WHERE id = :id AND agency = :agency)",
      arguments: arguments(["id": id.description])) ?? false
  }

  /// Transitions of a task that came and could not be made.
  public func conflicts(of task: Identifier) throws -> [TransitionConflict] {
    try Row.fetchAll(
      database,
      sql: """
        SELECT * FROM task_transition
        WHERE task = :task AND agency = :agency AND conflict IS NOT NULL
        \(own(taskOf: "task_transition")) ORDER BY number
        """, arguments: arguments(["task": task.description])
    ).map {
      TransitionConflict(
        transition: try TaskColumns.transition($0), reason: Wording(stored: $0["conflict"]))
    }
  }

  /// Keeps the inspector's note on a task.
  public func setNote(_ text: String, of task: Identifier) throws {
    try database.execute(
      sql: "UPDATE task SET note = :note WHERE id = :id AND agency = :agency",
      arguments: arguments(["id": task.description, "note": text]))
  }

  private func insert(
    _ transition: TaskTransition, of task: InspectionTask, revision: Int?, conflict: String?
  ) throws {
    let number =
      (try Int.fetchOne(
        database,
        sql: "SELECT max(number) FROM task_transition WHERE task = :task AND agency = :agency",
        arguments: arguments(["task": task.id.description])) ?? 0) + 1
    var values = TaskColumns.values(transition, number: number, of: task.id)
    values["inspector"] = task.inspector
    // A subscript would take nil for "no such argument".
    values.updateValue(revision, forKey: "revision")
    values.updateValue(conflict, forKey: "conflict")
    try database.execute(
      sql: """
        INSERT INTO task_transition (id, agency, inspector, task, number, action, from_state,
          to_state, person, role, time, reason, revision, conflict)
        VALUES (:id, :agency, :inspector, :task, :number, :action, :from, :to, :person, :role,
          :time, :reason, :revision, :conflict)
        """, arguments: arguments(values))
  }

  func task(_ row: Row) throws -> InspectionTask {
    var task = try TaskColumns.task(row)
    task.history = try Row.fetchAll(
      database,
      sql: """
        SELECT * FROM task_transition
        WHERE task = :task AND agency = :agency AND conflict IS NULL ORDER BY number
        """, arguments: arguments(["task": task.id.description])
    ).map(TaskColumns.transition)
    return task
  }
}
