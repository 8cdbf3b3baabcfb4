import Foundation
import GRDB
import Geodesy
import Inspection
import Positioning

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
    try database.execute(
      sql: """
        INSERT INTO task (id, agency, inspector, name, type, instructions, state, revision,
          created, due, note, parcel_identifier, parcel_rings)
        VALUES (:id, :agency, :inspector, :name, :type, :instructions, :state, :revision,
          :created, :due, :note, :parcelIdentifier, :parcelRings)
        """,
      arguments: arguments([
        "id": task.id.description, "name": task.name, "type": task.type,
        "instructions": task.instructions, "state": task.state.rawValue,
        "revision": task.revision, "created": task.created.millisecondsSince1970,
        "due": task.due?.millisecondsSince1970, "note": task.note,
        "parcelIdentifier": task.parcel?.identifier,
        "parcelRings": task.parcel.map { RowJSON.text(RingsRow($0.rings)) },
      ]))
  }

  /// Keeps a transition and the state that it leads to.
  public func save(_ transition: TaskTransition, of task: InspectionTask) throws {
    try database.execute(
      sql: """
        INSERT INTO task_transition (id, agency, inspector, task, number, action, from_state,
          to_state, person, role, time, reason)
        VALUES (:id, :agency, :inspector, :task, :number, :action, :from, :to, :person, :role,
          :time, :reason)
        """,
      arguments: arguments([
        "id": transition.id.description, "task": task.id.description,
        "number": task.history.count, "action": transition.action.rawValue,
        "from": transition.from.rawValue, "to": transition.to.rawValue,
        "person": transition.person.login, "role": transition.person.role.rawValue,
        "time": transition.time.millisecondsSince1970, "reason": transition.reason,
      ]))
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

  private func task(_ row: Row) throws -> InspectionTask {
    let id: String = row["id"]
    guard let identifier = Identifier(id),
      let state = TaskState(rawValue: row["state"])
    else { throw StoreError.damagedRow("task \(id)") }
    var parcel: Parcel?
    if let parcelIdentifier: String = row["parcel_identifier"],
      let text: String = row["parcel_rings"]
    {
      parcel = Parcel(
        identifier: parcelIdentifier, rings: try RowJSON.value(RingsRow.self, text).rings())
    }
    return InspectionTask(
      id: identifier, agency: row["agency"], inspector: row["inspector"], name: row["name"],
      type: row["type"], instructions: row["instructions"], state: state,
      revision: row["revision"], created: DeviceTime(millisecondsSince1970: row["created"]),
      due: (row["due"] as Int64?).map(DeviceTime.init(millisecondsSince1970:)), note: row["note"],
      parcel: parcel, history: try history(of: id))
  }

  private func history(of task: String) throws -> [TaskTransition] {
    try Row.fetchAll(
      database,
      sql: """
        SELECT * FROM task_transition
        WHERE task = :task AND agency = :agency AND inspector = :inspector ORDER BY number
        """, arguments: arguments(["task": task])
    ).map { row in
      let id: String = row["id"]
      guard let identifier = Identifier(id), let action = TaskAction(rawValue: row["action"]),
        let from = TaskState(rawValue: row["from_state"]),
        let to = TaskState(rawValue: row["to_state"]), let role = Role(rawValue: row["role"])
      else { throw StoreError.damagedRow("transition \(id)") }
      return TaskTransition(
        id: identifier, action: action, from: from, to: to,
        person: Person(agency: row["agency"], login: row["person"], role: role),
        time: DeviceTime(millisecondsSince1970: row["time"]), reason: row["reason"])
    }
  }
}
