import GRDB
import Inspection
import Positioning
import Sync

// What came when the office had decided upon its task already.
extension AgencySession {
  /// What came late for a task.
  public func late(ofTask id: Identifier) throws -> LateRecords {
    func rows(_ table: String, _ order: String) throws -> [Row] {
      try Row.fetchAll(
        database,
        sql: """
          SELECT * FROM \(table) WHERE agency = :agency AND late_task = :task \(own()) ORDER BY \(order)
          """, arguments: arguments(["task": id.description]))
    }
    let notes = try Row.fetchAll(
      database,
      sql: """
        SELECT * FROM late_note WHERE agency = :agency AND task = :task \(own()) ORDER BY received, id
        """, arguments: arguments(["task": id.description]))
    return LateRecords(
      photos: try rows("photo", "device_time, id").map(photo),
      tracks: try rows("track", "started, id").map(track), notes: try notes.map(lateNote))
  }

  /// Keeps a note that came late. One that is known stays as it is.
  public func insert(_ note: LateNote) throws {
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

  private func lateNote(_ row: Row) throws -> LateNote {
    guard let id = Identifier(row["id"]), let task = Identifier(row["task"]) else {
      throw StoreError.damagedRow("a note that came late")
    }
    return LateNote(
      id: id, inspector: row["inspector"], task: task,
      photo: (row["photo"] as String?).flatMap(Identifier.init(_:)), text: row["text"],
      received: DeviceTime(millisecondsSince1970: row["received"]))
  }
}
