import GRDB
import Inspection
import Sync
import TimeAndText

/// A person's tasks with their transitions, notes and earlier orders.
public struct FieldTaskTable: FieldTable {
  let session: FieldSession
}

extension FieldTaskTable {
  /// Returns the person's tasks in one state, the oldest first, without their history.
  /// - Parameter state: nil for all states.
  public func listings(in state: TaskState? = nil) throws -> [InspectionTask] {
    try rows(
      """
      SELECT * FROM task WHERE agency = :agency AND inspector = :inspector
      AND (:state IS NULL OR state = :state) ORDER BY created, rowid
      """, ["state": state?.rawValue]
    ).map(TaskColumns.task)
  }

  /// Returns one of the person's tasks; nil if the device does not have it.
  public func find(_ id: Identifier) throws -> InspectionTask? {
    try rows(
      "SELECT * FROM task WHERE id = :id AND agency = :agency AND inspector = :inspector",
      ["id": id.description]
    ).first.map(task(in:))
  }

  /// Returns one of the person's tasks.
  /// - Throws: `StoreError.unknown`.
  public func task(_ id: Identifier) throws -> InspectionTask {
    guard let task = try find(id) else {
      throw StoreError.unknown(what: "task", id: id.description)
    }
    return task
  }

  /// Adds a task that was ordered.
  public func insert(_ task: InspectionTask) throws {
    try execute(TaskColumns.insert, TaskColumns.values(task))
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
    try execute(
      """
      UPDATE task SET state = :state
      WHERE id = :id AND agency = :agency AND inspector = :inspector
      """, ["id": task.id.description, "state": task.state.rawValue])
  }

  /// Sets the inspector's note on a task.
  public func setNote(_ text: String, of task: Identifier) throws {
    try execute(
      """
      UPDATE task SET note = :note
      WHERE id = :id AND agency = :agency AND inspector = :inspector
      """, ["id": task.description, "note": text])
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
    try execute(
      """
      UPDATE task SET name = :name, type = :type, instructions = :instructions, state = :state,
        revision = :revision, due = :due, parcel_identifier = :parcelIdentifier,
        parcel_rings = :parcelRings, repeats = :repeats, around_sectors = :aroundSectors,
        turn_views = :turnViews, places = :places, attachments = :attachments
      WHERE id = :id AND agency = :agency AND inspector = :inspector
      """, TaskColumns.values(task))
  }

  /// Returns the items that a task's present order asks for; nil if it asks for none.
  public func items(ofTask id: Identifier) throws -> OrderedItems? {
    let row = try rows(
      """
      SELECT * FROM task_items WHERE task = :task AND agency = :agency AND inspector = :inspector
      ORDER BY revision DESC LIMIT 1
      """, ["task": id.description]
    ).first
    guard let row, let type = row["type"] as String? else { return nil }
    return OrderedItems(
      type: type, version: row["version"],
      items: try ItemRows.items(row["items"], of: "the items of task \(id)"))
  }

  /// Keeps the items that a task's present order asks for.
  /// - Parameter items: nil if it asks for none, and an earlier order did.
  public func keep(_ items: OrderedItems?, ofTask task: InspectionTask) throws {
    try execute(
      """
      INSERT INTO task_items (task, revision, agency, inspector, type, version, items)
      VALUES (:task, :revision, :agency, :inspector, :type, :version, :items)
      ON CONFLICT (task, revision)
      DO UPDATE SET type = excluded.type, version = excluded.version, items = excluded.items
      """,
      [
        "task": task.id.description, "revision": task.revision, "type": items?.type,
        "version": items?.version, "items": items.map { ItemRows.text($0.items) },
      ])
  }

  /// Returns a task's orders that later ones have replaced, the oldest first.
  public func earlierOrders(of task: Identifier) throws -> [EarlierOrder] {
    try rows(
      """
      SELECT * FROM task_order
      WHERE task = :task AND agency = :agency AND inspector = :inspector ORDER BY revision
      """, ["task": task.description]
    ).map(TaskColumns.order)
  }

  /// Returns the person's transitions of a task on other devices, the oldest first.
  public func transitionsElsewhere(of task: Identifier) throws -> [TaskTransition] {
    try rows(
      """
      SELECT * FROM transition_elsewhere
      WHERE task = :task AND agency = :agency AND inspector = :inspector ORDER BY time, id
      """, ["task": task.description]
    ).map(TaskColumns.transition)
  }

  private func insert(elsewhere transition: TaskTransition, of task: Identifier) throws {
    var values = TaskColumns.values(transition, number: 0, of: task)
    values["number"] = nil
    try execute(
      """
      INSERT OR IGNORE INTO transition_elsewhere (id, agency, inspector, task, action, from_state,
        to_state, person, role, time, reason)
      VALUES (:id, :agency, :inspector, :task, :action, :from, :to, :person, :role, :time, :reason)
      """, values)
  }

  private func insert(_ transition: TaskTransition, number: Int, of task: Identifier) throws {
    try execute(
      TaskColumns.insertTransition, TaskColumns.values(transition, number: number, of: task))
  }

  /// Makes a task from its row, with its history.
  private func task(in row: Row) throws -> InspectionTask {
    var task = try TaskColumns.task(row)
    task.history = try rows(
      """
      SELECT * FROM task_transition
      WHERE task = :task AND agency = :agency AND inspector = :inspector ORDER BY number
      """, ["task": task.id.description]
    ).map(TaskColumns.transition)
    return task
  }
}
