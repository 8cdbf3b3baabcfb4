import GRDB
import Inspection
import Sync
import TimeAndText

/// A person's tasks with their transitions, notes and earlier orders.
public struct FieldTaskTable: FieldTable {
  let session: FieldSession
}

extension FieldTaskTable {
  /// Returns the person's tasks in one state, the oldest first.
  /// - Parameter state: nil for all states.
  public func list(in state: TaskState? = nil) throws -> [InspectionTask] {
    try rows(in: state).map(task(in:))
  }

  /// Returns the tasks of `list(in:)` without their history, for lists, which show none of it.
  public func listings(in state: TaskState? = nil) throws -> [InspectionTask] {
    try rows(in: state).map(TaskColumns.task)
  }

  private func rows(in state: TaskState?) throws -> [Row] {
    try Row.fetchAll(
      database,
      sql: """
        SELECT * FROM task WHERE agency = :agency AND inspector = :inspector
        AND (:state IS NULL OR state = :state) ORDER BY created, rowid
        """, arguments: arguments(["state": state?.rawValue]))
  }

  /// Returns one of the person's tasks.
  /// - Throws: `StoreError.unknown`.
  public func task(_ id: Identifier) throws -> InspectionTask {
    guard
      let row = try Row.fetchOne(
        database,
        sql: """
          SELECT * FROM task WHERE id = :id AND agency = :agency AND inspector = :inspector
          """, arguments: arguments(["id": id.description]))
    else { throw StoreError.unknown(what: "task", id: id.description) }
    return try task(in: row)
  }

  /// Adds a task that was ordered.
  public func insert(_ task: InspectionTask) throws {
    try database.execute(sql: TaskColumns.insert, arguments: arguments(TaskColumns.values(task)))
  }

  /// Adds a task that came from the office, with the history that it has there.
  public func take(_ task: InspectionTask) throws {
    try insert(task)
    for (offset, transition) in task.history.enumerated() {
      try insert(transition, number: offset + 1, of: task.id)
    }
  }

  /// Adds a task's last transition, and sets the state that it leads to.
  public func save(_ transition: TaskTransition, of task: InspectionTask) throws {
    try insert(transition, number: task.history.count, of: task.id)
    try database.execute(
      sql: """
        UPDATE task SET state = :state
        WHERE id = :id AND agency = :agency AND inspector = :inspector
        """, arguments: arguments(["id": task.id.description, "state": task.state.rawValue]))
  }

  /// Sets the inspector's note on a task.
  public func setNote(_ text: String, of task: Identifier) throws {
    try database.execute(
      sql: """
        UPDATE task SET note = :note
        WHERE id = :id AND agency = :agency AND inspector = :inspector
        """, arguments: arguments(["id": task.description, "note": text]))
  }

  /// Keeps the office's changes to a task: transitions that the device did not know, and the present
  /// order. The order that it replaces, if any, stays readable.
  public func save(_ merge: TaskMerge, at time: DeviceTime) throws {
    let task = merge.task
    for (offset, transition) in merge.newTransitions.enumerated() {
      let number = task.history.count - merge.newTransitions.count + offset + 1
      try insert(transition, number: number, of: task.id)
    }
    for transition in merge.elsewhere { try insert(elsewhere: transition, of: task.id) }
    if let before = merge.replacedOrder {
      try database.execute(
        sql: TaskColumns.insertOrder, arguments: arguments(TaskColumns.order(before, at: time)))
    }
    try database.execute(
      sql: """
        UPDATE task SET name = :name, type = :type, instructions = :instructions, state = :state,
          revision = :revision, due = :due, parcel_identifier = :parcelIdentifier,
          parcel_rings = :parcelRings, repeats = :repeats, around_sectors = :aroundSectors,
          turn_views = :turnViews, places = :places, attachments = :attachments
        WHERE id = :id AND agency = :agency AND inspector = :inspector
        """, arguments: arguments(TaskColumns.values(task)))
  }

  /// Returns the items that a task's present order asks for; nil if it asks for none.
  public func items(ofTask id: Identifier) throws -> OrderedItems? {
    let row = try Row.fetchOne(
      database,
      sql: """
        SELECT * FROM task_items
        WHERE task = :task AND agency = :agency AND inspector = :inspector
        ORDER BY revision DESC LIMIT 1
        """, arguments: arguments(["task": id.description]))
    guard let row, let type = row["type"] as String? else { return nil }
    return OrderedItems(
      type: type, version: row["version"],
      items: try ItemRows.items(row["items"], of: "the items of task \(id)"))
  }

  /// Keeps the items that a task's present order asks for.
  /// - Parameter items: nil if it asks for none, and an earlier order did.
  public func keep(_ items: OrderedItems?, ofTask task: InspectionTask) throws {
    try database.execute(
      sql: """
        INSERT INTO task_items (task, revision, agency, inspector, type, version, items)
        VALUES (:task, :revision, :agency, :inspector, :type, :version, :items)
        ON CONFLICT (task, revision)
        DO UPDATE SET type = excluded.type, version = excluded.version, items = excluded.items
        """,
      arguments: arguments([
        "task": task.id.description, "revision": task.revision, "type": items?.type,
        "version": items?.version, "items": items.map { ItemRows.text($0.items) },
      ]))
  }

  /// Returns a task's orders that later ones have replaced, the oldest first.
  public func earlierOrders(of task: Identifier) throws -> [EarlierOrder] {
    try Row.fetchAll(
      database,
      sql: """
        SELECT * FROM task_order
        WHERE task = :task AND agency = :agency AND inspector = :inspector ORDER BY revision
        """, arguments: arguments(["task": task.description])
    ).map(TaskColumns.order)
  }

  /// Returns the person's transitions of a task on other devices, the oldest first.
  public func transitionsElsewhere(of task: Identifier) throws -> [TaskTransition] {
    try Row.fetchAll(
      database,
      sql: """
        SELECT * FROM transition_elsewhere
        WHERE task = :task AND agency = :agency AND inspector = :inspector ORDER BY time, id
        """, arguments: arguments(["task": task.description])
    ).map(TaskColumns.transition)
  }

  private func insert(elsewhere transition: TaskTransition, of task: Identifier) throws {
    var values = TaskColumns.values(transition, number: 0, of: task)
    values["number"] = nil
    try database.execute(
      sql: """
        INSERT OR IGNORE INTO transition_elsewhere (id, agency, inspector, task, action, from_state,
          to_state, person, role, time, reason)
        VALUES (:id, :agency, :inspector, :task, :action, :from, :to, :person, :role, :time, :reason)
        """, arguments: arguments(values))
  }

  private func insert(_ transition: TaskTransition, number: Int, of task: Identifier) throws {
    try database.execute(
      sql: TaskColumns.insertTransition,
      arguments: arguments(TaskColumns.values(transition, number: number, of: task)))
  }

  /// Makes a task from its row, with its history.
  private func task(in row: Row) throws -> InspectionTask {
    var task = try TaskColumns.task(row)
    task.history = try Row.fetchAll(
      database,
      sql: """
        SELECT * FROM task_transition
        WHERE task = :task AND agency = :agency AND inspector = :inspector ORDER BY number
        """, arguments: arguments(["task": task.id.description])
    ).map(TaskColumns.transition)
    return task
  }
}
