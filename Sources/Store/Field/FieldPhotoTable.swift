import GRDB
import Inspection
import TimeAndText

/// A person's photos.
public struct FieldPhotoTable: FieldTable {
  let session: FieldSession
}

extension FieldPhotoTable {
  /// Returns the person's photos that are not deleted, the oldest first.
  public func list(_ selection: Selection = .all) throws -> [Photo] {
    try Row.fetchAll(database, sql: Self.oldestFirst, arguments: arguments(selection))
      .map(PhotoColumns.photo)
  }

  /// Calls `body` with each photo of `list`, one after the other, however many there are.
  public func forEach(_ selection: Selection, _ body: (Photo) throws -> Void) throws {
    let rows = try Row.fetchCursor(
      database, sql: Self.oldestFirst, arguments: arguments(selection))
    while let row = try rows.next() { try body(PhotoColumns.photo(row)) }
  }

  private static var oldestFirst: String {
    """
    SELECT * FROM photo
    WHERE \(Self.selected)
    ORDER BY device_time, id
    """
  }

  /// Returns one of the person's photos.
  /// - Throws: `StoreError.unknown` if there was never such a photo, or it is deleted.
  public func photo(_ id: Identifier) throws -> Photo {
    guard
      let row = try Row.fetchOne(
        database,
        sql: """
          SELECT * FROM photo WHERE id = :id AND agency = :agency AND inspector = :inspector
          AND deleted IS NULL
          """, arguments: arguments(["id": id.description]))
    else { throw StoreError.unknown(what: "photo", id: id.description) }
    return try PhotoColumns.photo(row)
  }

  /// Adds a photo whose link is in the chain already.
  public func insert(_ photo: Photo) throws {
    try database.execute(
      sql: PhotoColumns.insert,
      arguments: arguments(PhotoColumns.values(photo)))
  }

  /// Sets the inspector's note on a photo.
  public func setNote(_ text: String, of id: Identifier) throws {
    try update("note = :note", id, ["note": text])
  }

  /// Marks a photo as sent; nil as not sent.
  public func markSent(_ id: Identifier, at time: DeviceTime?) throws {
    try update("sent = :time", id, ["time": time?.millisecondsSince1970])
  }

  /// Marks a photo as delivered. A photo whose bytes were deleted before Send was never sent: only its
  /// record was delivered, and the photo stays undelivered.
  public func markDelivered(_ id: Identifier, at time: DeviceTime) throws {
    try update(
      "delivered = CASE WHEN sent IS NULL THEN NULL ELSE :time END", id,
      ["time": time.millisecondsSince1970])
  }

  /// Hides a photo whose bytes are deleted; its row and its link stay.
  public func markDeleted(_ id: Identifier, at time: DeviceTime, reason: String) throws {
    try update(
      "deleted = :time, deleted_reason = :reason", id,
      ["time": time.millisecondsSince1970, "reason": reason])
  }

  /// Marks photos whose bytes leave the device by rule, because the office holds them.
  /// - Returns: the photos that were marked. A photo is left out if the office does not hold it any
  ///   more: another process may have learned so just now.
  public func markRemoved(_ ids: [Identifier], at time: DeviceTime) throws -> [Identifier] {
    try ids.filter { id in
      try database.execute(
        sql: """
          UPDATE photo SET removed = :time
          WHERE id = :id AND agency = :agency AND inspector = :inspector AND confirmed IS NOT NULL
          AND delivered IS NOT NULL AND id NOT IN (SELECT id FROM outbox)
          """,
        arguments: arguments(["id": id.description, "time": time.millisecondsSince1970]))
      return database.changesCount > 0
    }
  }

  /// Returns true if a photo's bytes left the device after delivery.
  public func isRemoved(_ id: Identifier) throws -> Bool {
    try Bool.fetchOne(
      database,
      sql: """
        SELECT EXISTS (SELECT 1 FROM photo WHERE id = :id AND removed IS NOT NULL AND
          agency = :agency AND inspector = :inspector)
        """, arguments: arguments(["id": id.description])) ?? false
  }

  /// Returns the photos whose bytes left the device after delivery, with the time at which they did.
  public func removed() throws -> [Identifier: DeviceTime] {
    var removed: [Identifier: DeviceTime] = [:]
    for row in try Row.fetchAll(
      database,
      sql: """
        SELECT id, removed FROM photo
        WHERE agency = :agency AND inspector = :inspector AND removed IS NOT NULL
        """, arguments: arguments())
    {
      if let id = Identifier(row["id"]) {
        removed[id] = DeviceTime(millisecondsSince1970: row["removed"])
      }
    }
    return removed
  }

  /// Sets columns of one photo.
  /// - Parameter assignment: constant text; values from outside are bound.
  private func update(
    _ assignment: String, _ id: Identifier, _ values: [String: (any DatabaseValueConvertible)?]
  ) throws {
    var values = values
    values["id"] = id.description
    try database.execute(
      sql: """
        UPDATE photo SET \(assignment)
        WHERE id = :id AND agency = :agency AND inspector = :inspector
        """, arguments: arguments(values))
  }
}
