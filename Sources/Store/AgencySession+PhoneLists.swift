import GRDB
import Inspection
import Sync

// What phones are told of by number alone: no photo is read for it.
extension AgencySession {
  /// The numbers of an inspector's tasks, of those that have one.
  public func phoneTaskNumbers(ofInspector login: String) throws -> [Identifier: Int64] {
    let rows = try Row.fetchCursor(
      database.cachedStatement(
        sql: """
          SELECT task.id, phone_number.number FROM task JOIN phone_number
            ON phone_number.agency = :agency AND kind = 'task' AND subject = task.id
          WHERE task.agency = :agency AND task.inspector = :login
          """), arguments: arguments(["login": login]))
    var numbers: [Identifier: Int64] = [:]
    while let row = try rows.next() {
      guard let id = Identifier(row["id"]) else { throw StoreError.damagedRow("a task") }
      numbers[id] = row["number"]
    }
    return numbers
  }

  /// The whole photos of each of an inspector's tasks, the oldest first.
  public func phonePhotos(ofTasksOf login: String) throws -> [Identifier: [NumberedPhoto]] {
    let rows = try Row.fetchCursor(
      database.cachedStatement(
        sql: """
          SELECT photo.task, photo.id, phone_number.number FROM task
          JOIN photo ON photo.agency = :agency AND photo.task = task.id AND photo.deleted IS NULL
          LEFT JOIN phone_number
            ON phone_number.agency = :agency AND kind = 'photo' AND subject = photo.id
          WHERE task.agency = :agency AND task.inspector = :login
          ORDER BY photo.device_time, photo.id
          """), arguments: arguments(["login": login]))
    var photos: [Identifier: [NumberedPhoto]] = [:]
    while let row = try rows.next() {
      guard let task = Identifier(row["task"]) else { throw StoreError.damagedRow("a photo") }
      photos[task, default: []].append(try numbered(row))
    }
    return photos
  }

  /// The newest of an inspector's whole photos that are of no task and not hidden, the oldest of them first.
  public func phonePhotosWithoutTask(
    ofInspector login: String, limit: Int
  ) throws -> [NumberedPhoto] {
    try Row.fetchAll(
      database.cachedStatement(
        sql: """
          SELECT photo.id, phone_number.number FROM photo INDEXED BY photo_alone
          LEFT JOIN phone_number
            ON phone_number.agency = :agency AND kind = 'photo' AND subject = photo.id
          WHERE photo.agency = :agency AND task IS NULL AND hidden IS NULL AND deleted IS NULL
          AND inspector = :login ORDER BY device_time DESC, id DESC LIMIT :limit
          """), arguments: arguments(["login": login, "limit": limit])
    ).reversed().map(numbered)
  }

  private func numbered(_ row: Row) throws -> NumberedPhoto {
    guard let id = Identifier(row["id"]) else { throw StoreError.damagedRow("a photo") }
    return NumberedPhoto(id: id, number: row["number"])
  }
}
