import Evidence
import Foundation
import GRDB
import Inspection
import Sync
import TimeAndText

/// An agency's photos, as they were delivered.
public struct PhotoTable: AgencyTable, PhotoReading {
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

extension PhotoTable {
  /// Returns a page of the agency's photos without a task, the newest first; deleted ones are left out.
  /// - Parameters:
  ///   - isHidden: true for the photos that an officer has hidden, false for all others.
  ///   - inspector: the inspector's login; nil for all.
  /// - Returns: the photos, and the place of the next page; nil if there are no more.
  public func standalone(
    isHidden: Bool, inspector: String?, after place: ListPlace?, limit: Int
  ) throws -> (photos: [ReceivedPhoto], next: ListPlace?) {
    let rows = try Row.fetchAll(
      database,
      sql: """
        SELECT *, device_time AS k0, id AS k1 FROM photo
        WHERE agency = :agency AND task IS NULL AND deleted IS NULL
        AND hidden IS \(isHidden ? "NOT NULL" : "NULL")
        AND (:inspector IS NULL OR inspector = :inspector)
        AND (:k0 IS NULL OR (device_time, id) < (:k0, :k1))
        ORDER BY device_time DESC, id DESC LIMIT :limit
        """, arguments: arguments(ListPlace.bound(place, limit, inspector)))
    let page = rows.prefix(limit)
    let next = rows.count > limit ? page.last.map { ListPlace(of: $0, keys: 2) } : nil
    return (try page.map { row in try self.rows.photo(row) }, next)
  }

  /// Returns the agency's other photos with the same picture: all of them, or only those that
  /// arrived earlier.
  public func photos(
    withImage digest: String, except id: Identifier, onlyEarlier: Bool
  ) throws -> [Identifier] {
    try String.fetchAll(
      database,
      sql: """
        SELECT id FROM photo WHERE agency = :agency AND image_digest = :digest AND id <> :id
        AND (NOT :earlier
          OR rowid < (SELECT rowid FROM photo WHERE id = :id AND agency = :agency))
        ORDER BY device_time, id
        """,
      arguments: arguments(["digest": digest, "id": id.description, "earlier": onlyEarlier])
    ).compactMap(Identifier.init(_:))
  }

  /// Adds a delivered photo, with the results of its checks.
  public func insert(_ received: ReceivedPhoto) throws {
    let photo = received.photo
    var values = PhotoColumns.values(photo)
    values["inspector"] = photo.inspector
    try database.cachedStatement(sql: PhotoColumns.insert).execute(arguments: arguments(values))
    try database.cachedStatement(
      sql: """
        UPDATE photo SET revision = :revision, late_task = :late, deleted_reason = :reason,
          deleted = CASE WHEN :reason IS NULL THEN NULL ELSE coalesce(:deleted, delivered) END
        WHERE id = :id AND agency = :agency
        """
    ).execute(
      arguments: arguments([
        "id": photo.id.description, "revision": received.revision,
        "reason": received.deletedReason, "late": received.lateTask?.description,
        "deleted": received.deleted?.millisecondsSince1970,
      ]))
    if received.deletedReason == nil {
      try map.keepPlace(of: photo)
      try map.countPhoto(photo, task: photo.task, isAdded: true)
    }
    try keepChecks(of: received)
  }

  /// Keeps the results of a photo's examination: verdict, findings, checks, the picture's digest
  /// and the file's size.
  public func keepChecks(of received: ReceivedPhoto) throws {
    try database.cachedStatement(
      sql: """
        UPDATE photo SET verdict = :verdict, findings = :findings, image_digest = :image, bytes = :bytes
        WHERE id = :id AND agency = :agency
        """
    ).execute(
      arguments: arguments([
        "id": received.photo.id.description, "verdict": received.verdict?.rawValue,
        "findings": RowJSON.text(received.findings.map(FindingRow.init)),
        "image": received.imageDigest, "bytes": received.photo.bytes,
      ]))
    try requireOwn("photo", received.photo.id.description)
    try checks.keep(received.checks, ofPhoto: received.photo.id)
  }

  /// Finds photos that have not been examined yet, in the order of their arrival.
  /// - Parameter place: the place of the last photo of the page before, or `.beginning`.
  public func unexaminedPhotos(
    after place: ListPlace, limit: Int
  ) throws -> [(place: ListPlace, id: Identifier)] {
    var last: Int64 = 0
    if case .integer(let number)? = place.keys.first { last = number }
    return try Row.fetchAll(
      database,
      sql: """
        SELECT rowid AS place, id FROM photo
        WHERE agency = :agency AND verdict IS NULL AND rowid > :place ORDER BY rowid LIMIT :limit
        """, arguments: arguments(["place": last, "limit": limit])
    ).compactMap { row in
      Identifier(row["id"]).map { (place: ListPlace([.integer(row["place"])]), id: $0) }
    }
  }

  /// Sets the inspector's note on a photo.
  public func setNote(_ text: String, ofPhoto id: Identifier) throws {
    try database.execute(
      sql: "UPDATE photo SET note = :note WHERE id = :id AND agency = :agency",
      arguments: arguments(["id": id.description, "note": text]))
    try requireOwn("photo", id.description)
  }

  /// Assigns a photo without a task to a task, or takes it out again if `task` is nil.
  /// - Parameter time: the time of the assignment.
  public func assign(_ photo: Photo, to task: Identifier?, at time: DeviceTime) throws {
    if let task { try requireTask(task) }
    try database.execute(
      sql: """
        UPDATE photo SET task = :task, assigned = :time, office_item = NULL
        WHERE id = :id AND agency = :agency
        """,
      arguments: arguments([
        "id": photo.id.description, "task": task?.description,
        "time": task == nil ? nil : time.millisecondsSince1970,
      ]))
    try requireOwn("photo", photo.id.description)
    try map.countPhoto(photo, task: photo.task, isAdded: false)
    try map.countPhoto(photo, task: task, isAdded: true)
  }

  /// Moves a photo of a task to an item of the task's order, or leaves it to the first open shot (nil).
  public func move(_ id: Identifier, toItem item: ItemName?) throws {
    try database.execute(
      sql: "UPDATE photo SET office_item = :item WHERE id = :id AND agency = :agency",
      arguments: arguments(["id": id.description, "item": item?.description]))
    try requireOwn("photo", id.description)
  }

  /// Hides a photo without a task from lists and maps, or shows it again if `time` is nil. The
  /// photo is kept.
  public func setHidden(_ time: DeviceTime?, _ photo: Photo) throws {
    try database.execute(
      sql: "UPDATE photo SET hidden = :time WHERE id = :id AND agency = :agency",
      arguments: arguments([
        "id": photo.id.description, "time": time?.millisecondsSince1970,
      ]))
    try requireOwn("photo", photo.id.description)
    try map.countPhoto(photo, task: photo.task, isAdded: time == nil)
  }
}
