import Evidence
import GRDB
import Geodesy
import Inspection
import Sync
import TimeAndText

/// An agency's tasks: their orders, transitions and notes.
public struct TaskTable: AgencyTable, TaskReading {
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

extension TaskTable {
  /// Returns a page of a list, from a place on.
  ///
  /// - Parameters:
  ///   - place: the place of this order after which the page begins; nil for the beginning.
  ///   - limit: the most tasks on the page, at least 1.
  /// - Returns: the tasks, and the place of the next page; nil if there are no more.
  public func page(
    _ filter: TaskFilter, _ order: TaskSorting, at now: DeviceTime, after place: ListPlace?,
    limit: Int
  ) throws -> (tasks: [InspectionTask], next: ListPlace?) {
    let (condition, values) = filter.condition(at: now, in: order)
    // One task more than the page has tells whether there are more.
    var missing = limit + 1
    var rows: [Row] = []
    func fetch(_ more: [String: (any DatabaseValueConvertible)?], from key: Int?) throws {
      let behind = key.map { order.behindSQL(from: $0, isReversed: false) } ?? "TRUE"
      let found = try Row.fetchAll(
        database,
        sql: """
          SELECT *, \(order.keySQL) FROM task INDEXED BY \(order.index) WHERE agency = :agency
          AND \(behind) AND \(condition) ORDER BY \(order.sql(from: key ?? 0)) LIMIT :limit
          """,
        arguments: arguments(
          values.merging(more) { $1 }.merging(["limit": missing]) { $1 }))
      rows += found
      missing -= found.count
    }
    if let place {
      guard place.keys.count == order.keyCount else {
        throw StoreError.unknown(what: "place", id: "of this list")
      }
      // Tasks that differ only in the last key are the nearest. Each query starts at a place in the
      // order's index.
      for key in (0..<order.keyCount).reversed() where missing > 0 {
        var keys: [String: (any DatabaseValueConvertible)?] = [:]
        for index in 0...key { keys["k\(index)"] = place.keys[index].value }
        try fetch(keys, from: key)
      }
    } else {
      try fetch([:], from: nil)
    }
    let page = rows.prefix(limit)
    let next = rows.count > limit ? page.last.map { ListPlace(of: $0, keys: order.keyCount) } : nil
    return (try page.map { row in try self.rows.task(row) }, next)
  }

  /// Returns an inspector's tasks that changed since a cursor, in the order of their last changes.
  /// - Parameter cursor: the cursor of the answer before; nil, or a cursor that this database did
  ///   not issue, means the beginning.
  /// - Parameter now: the time; a task whose last decision, or whose part in an act on many tasks,
  ///   is held longer, and the tasks that changed after it, are left to a later call. An order that was
  ///   taken back before anybody heard of it is not told.
  /// - Returns: the tasks, the cursor for the next call, and true if there are more tasks already.
  public func changedTasks(
    ofInspector login: String, since cursor: String?, at now: DeviceTime, limit: Int
  ) throws -> (tasks: [InspectionTask], cursor: String?, hasMore: Bool) {
    let known = try cursor.flatMap { try place(ofCursor: $0, inspector: login) }
    let rows = try Row.fetchAll(
      database,
      sql: """
        WITH latest AS (
          SELECT task, max(number) AS number FROM task_change
          WHERE agency = :agency AND inspector = :inspector AND number > :after GROUP BY task)
        SELECT task.*, latest.number AS change FROM task JOIN latest ON latest.task = task.id
        WHERE task.agency = :agency AND latest.number < (
          SELECT coalesce(min(latest.number), :all) FROM (\(BulkActTable.held)) AS held
          JOIN latest ON latest.task = held.task)
          AND NOT EXISTS (
            SELECT 1 FROM bulk_step WHERE copy = task.id AND agency = :agency AND state = 'undone')
        ORDER BY latest.number LIMIT :limit
        """,
      arguments: arguments(
        BulkActTable.moment(now).merging([
          "inspector": login, "after": known ?? 0, "limit": limit + 1, "all": Int.max,
        ]) { $1 }))
    let page = rows.prefix(limit)
    guard let last: Int = page.last?["change"] else {
      return ([], known == nil ? nil : cursor, false)
    }
    let mark = try String.fetchOne(
      database, sql: "SELECT mark FROM task_change WHERE number = :number AND agency = :agency",
      arguments: arguments(["number": last]))
    return (try page.map(self.rows.task), mark.map { "\(last)-\($0)" }, rows.count > limit)
  }

  /// Returns the number in a cursor; nil if this database did not issue it for this inspector.
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

  /// Adds a task.
  public func insert(_ task: InspectionTask) throws {
    var values = TaskColumns.values(task)
    values["inspector"] = task.inspector
    try database.cachedStatement(sql: TaskColumns.insert).execute(arguments: arguments(values))
    try map.countTask(task, isAdded: true)
  }

  /// Keeps the version of a template with whose items a task is ordered.
  /// - Parameter template: the type and the number of the version; nil if the present order asks for
  ///   none, and an earlier one did.
  public func keep(
    template: (type: String, version: Int)?, ofTask task: InspectionTask
  ) throws {
    try requireTask(task.id)
    try database.cachedStatement(
      sql: """
        INSERT INTO task_items (task, revision, agency, type, version)
        VALUES (:task, :revision, :agency, :type, :version)
        """
    ).execute(
      arguments: arguments([
        "task": task.id.description, "revision": task.revision, "type": template?.type,
        "version": template?.version,
      ]))
  }

  /// Replaces a task's order by a later one; both stay readable.
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
          parcel_rings = :parcelRings, repeats = :repeats,
          around_sectors = :aroundSectors, turn_views = :turnViews, places = :places,
          attachments = :attachments
          WHERE id = :id AND agency = :agency
        """, arguments: arguments(new))
    try requireOwn("task", after.id.description)
    if before.parcel != after.parcel {
      try map.countTask(before, isAdded: false)
      try map.countTask(after, isAdded: true)
    }
  }

  /// Returns the time until which a transition is held; nil if devices may have been told of it.
  public func heldUntil(_ transition: Identifier) throws -> DeviceTime? {
    try Int64.fetchOne(
      database, sql: "SELECT held_until FROM task_transition WHERE id = :id AND agency = :agency",
      arguments: arguments(["id": transition.description])
    ).map(DeviceTime.init(millisecondsSince1970:))
  }

  /// Adds a transition, and sets the state that it leads to.
  public func save(
    _ transition: TaskTransition, of task: InspectionTask, revision: Int?,
    heldUntil: DeviceTime?
  ) throws {
    try insert(transition, of: task, revision: revision, conflict: nil, heldUntil: heldUntil)
    try database.execute(
      sql: "UPDATE task SET state = :state WHERE id = :id AND agency = :agency",
      arguments: arguments(["id": task.id.description, "state": task.state.rawValue]))
    try requireOwn("task", task.id.description)
  }

  /// Adds a transition that could not be made.
  public func save(_ conflict: TransitionConflict, of task: InspectionTask, revision: Int?) throws {
    try requireTask(task.id)
    try insert(conflict.transition, of: task, revision: revision, conflict: conflict.reason.stored)
  }

  /// Returns true if a transition is known already.
  public func knowsTransition(_ id: Identifier) throws -> Bool {
    try Bool.fetchOne(
      database,
      sql: "SELECT EXISTS (SELECT 1 FROM task_transition WHERE id = :id AND agency = :agency)",
      arguments: arguments(["id": id.description])) ?? false
  }

  /// Sets the inspector's note on a task.
  public func setNote(_ text: String, of task: Identifier) throws {
    try database.execute(
      sql: "UPDATE task SET note = :note WHERE id = :id AND agency = :agency",
      arguments: arguments(["id": task.description, "note": text]))
    try requireOwn("task", task.description)
  }

  private func insert(
    _ transition: TaskTransition, of task: InspectionTask, revision: Int?, conflict: String?,
    heldUntil: DeviceTime? = nil
  ) throws {
    let number =
      (try Int.fetchOne(
        database,
        sql: "SELECT max(number) FROM task_transition WHERE task = :task AND agency = :agency",
        arguments: arguments(["task": task.id.description])) ?? 0) + 1
    var values = TaskColumns.values(transition, number: number, of: task.id)
    values["inspector"] = task.inspector
    // Setting nil by a subscript would remove the argument.
    values.updateValue(revision, forKey: "revision")
    values.updateValue(conflict, forKey: "conflict")
    values.updateValue(heldUntil?.millisecondsSince1970, forKey: "held")
    try database.execute(
      sql: """
        INSERT INTO task_transition (id, agency, inspector, task, number, action, from_state,
          to_state, person, role, time, reason, revision, conflict, held_until)
        VALUES (:id, :agency, :inspector, :task, :number, :action, :from, :to, :person, :role,
          :time, :reason, :revision, :conflict, :held)
        """, arguments: arguments(values))
  }

  /// Returns an inspector's undecided tasks, to which a photo may be assigned, the newest first.
  public func undecidedTasks(
    ofInspector login: String, limit: Int
  ) throws -> [TaskName] {
    let states = TaskState.allCases.filter { !$0.isDecided }.map { "'\($0.rawValue)'" }
    return try Row.fetchAll(
      database,
      sql: """
        SELECT id, inspector, name, state FROM task INDEXED BY task_by_inspector
        WHERE agency = :agency AND inspector = :login AND state IN (\(states.joined(separator: ", ")))
        ORDER BY created DESC, id LIMIT :limit
        """, arguments: arguments(["login": login, "limit": limit])
    ).map(TaskColumns.name)
  }

  /// Returns the task that was ordered under a reference; nil if there is none.
  public func task(withReference reference: String) throws -> Identifier? {
    try String.fetchOne(
      database.cachedStatement(
        sql: "SELECT task FROM task_reference WHERE agency = :agency AND reference = :reference"),
      arguments: arguments(["reference": reference])
    ).flatMap(Identifier.init(_:))
  }

  /// Keeps the reference by which the system that ordered a task knows it.
  public func keep(reference: String, ofTask id: Identifier) throws {
    try requireTask(id)
    try database.cachedStatement(
      sql: """
        INSERT OR REPLACE INTO task_reference (agency, reference, task)
        VALUES (:agency, :reference, :task)
        """
    ).execute(arguments: arguments(["reference": reference, "task": id.description]))
  }

  /// Adds a note that came late. A known note stays as it is.
  public func insert(_ note: LateNote) throws {
    try requireTask(note.task)
    try database.execute(
      sql: """
        INSERT OR IGNORE INTO late_note (id, agency, inspector, task, photo, text, received)
        VALUES (:id, :agency, :inspector, :task, :photo, :text, :received)
        """,
      arguments: arguments([
        "id": note.id.description, "inspector": note.inspector, "task": note.task.description,
        "photo": note.photo?.description, "text": note.text,
        "received": note.received.millisecondsSince1970,
      ]))
  }

  /// Returns the tallies of all inspectors who have any task, photo or track, by login.
  /// - Parameter now: the moment that due dates are compared with.
  public func inspectorTallies(at now: DeviceTime) throws -> [String: InspectorTally] {
    let editable = TaskState.allCases.filter(\.isEditable).map { "'\($0.rawValue)'" }
      .joined(separator: ", ")
    var tallies: [String: InspectorTally] = [:]
    for row in try Row.fetchAll(
      database,
      sql: """
        SELECT inspector, sum(state IN (\(editable))) AS open, sum(state = 'dataProvided') AS waiting,
          sum(due IS NOT NULL AND due < :now AND state IN (\(editable))) AS overdue
        FROM task WHERE agency = :agency GROUP BY inspector
        """, arguments: arguments(["now": now.millisecondsSince1970]))
    {
      var tally = InspectorTally()
      (tally.open, tally.waiting, tally.overdue) = (row["open"], row["waiting"], row["overdue"])
      tallies[row["inspector"]] = tally
    }
    for row in try Row.fetchAll(
      database,
      sql: """
        SELECT inspector, photos FROM standalone_tally
        WHERE agency = :agency AND NOT hidden AND photos > 0
        """, arguments: arguments())
    {
      tallies[row["inspector"], default: InspectorTally()].photos = row["photos"]
    }
    for row in try Row.fetchAll(
      database,
      sql: """
        SELECT inspector, count(*) AS tracks FROM track WHERE agency = :agency
        AND hidden IS NULL AND deleted IS NULL GROUP BY inspector
        """, arguments: arguments())
    {
      tallies[row["inspector"], default: InspectorTally()].tracks = row["tracks"]
    }
    return tallies
  }
}
