import Foundation
import GRDB
import Geodesy
import Inspection
import Positioning

/// Which photos or tracks of a person are meant.
public enum Selection: Hashable, Sendable {
  /// All of them.
  case all
  /// Those of one task.
  case task(Identifier)
  /// Those that belong to no task.
  case standalone
}

extension FieldSession {
  /// The person's photos that are not deleted, the oldest first.
  public func photos(_ selection: Selection = .all) throws -> [Photo] {
    var task: String?
    if case .task(let id) = selection { task = id.description }
    return try Row.fetchAll(
      database,
      sql: """
        SELECT * FROM photo
        WHERE agency = :agency AND inspector = :inspector AND deleted IS NULL
        AND (:everything OR (:task IS NULL AND task IS NULL) OR task = :task)
        ORDER BY device_time, id
        """, arguments: arguments(["everything": selection == .all, "task": task])
    ).map(PhotoColumns.photo)
  }

  /// One of the person's photos.
  /// - Throws: `StoreError.unknown` for one that was never there or is deleted.
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

  /// Adds a photo whose link is there already.
  public func insert(_ photo: Photo) throws {
    try database.execute(
      sql: PhotoColumns.insert,
      arguments: arguments(PhotoColumns.values(photo)))
  }

  /// Keeps the inspector's note on a photo.
  public func setNote(_ text: String, ofPhoto id: Identifier) throws {
    try updatePhoto("note = :note", id, ["note": text])
  }

  /// Marks a photo as delivered. One whose bytes were deleted before Send was never sent: its record
  /// went, the photo did not.
  public func markDelivered(photo id: Identifier, at time: DeviceTime) throws {
    try updatePhoto(
      "delivered = CASE WHEN sent IS NULL THEN NULL ELSE :time END", id,
      ["time": time.millisecondsSince1970])
  }

  /// Marks a photo as sent.
  public func markSent(photo id: Identifier, at time: DeviceTime?) throws {
    try updatePhoto("sent = :time", id, ["time": time?.millisecondsSince1970])
  }

  /// Hides a photo whose bytes are removed; its row and its link stay.
  public func markDeleted(photo id: Identifier, at time: DeviceTime, reason: String) throws {
    try updatePhoto(
      "deleted = :time, deleted_reason = :reason", id,
      ["time": time.millisecondsSince1970, "reason": reason])
  }

  /// Photos whose bytes must not be there any more.
  public func deletedPhotos() throws -> [Identifier] {
    try String.fetchAll(
      database, sql: "SELECT id FROM photo WHERE deleted IS NOT NULL OR removed IS NOT NULL"
    ).compactMap(Identifier.init(_:))
  }

  private func updatePhoto(
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
