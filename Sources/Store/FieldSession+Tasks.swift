import Foundation
import GRDB
import Geodesy
import Inspection
import Positioning
import Sync

extension FieldSession {
  /// The person's tasks, the oldest first.
  public func tasks(in state: TaskState? = nil) throws -> [InspectionTask] {
    try Row.fetchAll(
      database,
      sql: """
        SELECT * FROM task WHERE agency = :agency AND inspector = :inspector
        AND (:state IS NULL OR state = :state) ORDER BY created, rowid
        """, arguments: arguments(["state": state?.rawValue])
    ).map(task)
  }

  /// One of the person's tasks.
  /// - Throws: `StoreError.unknown`.
  public func task(_ id: Identifier) throws -> InspectionTask {
    guard
      let row = try Row.fetchOne(
        database,
        sql: """
          SELECT * FROM task WHERE id = :id AND agency = :agency AND inspector = :inspector
          """, arguments: arguments(["id": id.description]))
    else { throw StoreError.unknown(what: "task", id: id.description) }
    return try task(row)
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

  /// Keeps a transition and the state that it leads to.
  public func save(_ transition: TaskTransition, of task: InspectionTask) throws {
    try insert(transition, number: task.history.count, of: task.id)
    try database.execute(
      sql: """
        UPDATE task SET state = :state
        WHERE id = :id AND agency = :agency AND inspector = :inspector
        """, arguments: arguments(["id": task.id.description, "state": task.state.rawValue]))
  }

  /// Keeps the inspector's note on a task.
  public func setNote(_ text: String, of task: Identifier) throws {
    try database.execute(
      sql: """
        UPDATE task SET note = :note
        WHERE id = :id AND agency = :agency AND inspector = :inspector
        """, arguments: arguments(["id": task.description, "note": text]))
  }

  /// Keeps what the office has made of a task: transitions that the device did not know, and the
  /// order as it is now, with the one before it.
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
          parcel_rings = :parcelRings
        WHERE id = :id AND agency = :agency AND inspector = :inspector
        """, arguments: arguments(TaskColumns.values(task)))
  }

  /// The orders that later ones have replaced, the oldest first.
  public func earlierOrders(of task: Identifier) throws -> [EarlierOrder] {
    try Row.fetchAll(
      database,
      sql: """
        SELECT * FROM task_order
        WHERE task = :task AND agency = :agency AND inspector = :inspector ORDER BY revision
        """, arguments: arguments(["task": task.description])
    ).map(TaskColumns.order)
  }

  /// What the person has done with a task on other devices, the oldest first.
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

  private func task(_ row: Row) throws -> InspectionTask {
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
