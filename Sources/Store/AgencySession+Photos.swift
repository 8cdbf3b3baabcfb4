import Evidence
import Foundation
import GRDB
import Inspection
import Positioning
import Sync

extension AgencySession {
  /// A text for each case: one that held all of them could use no index.
  private static func condition(
    _ selection: Selection
  ) -> (sql: String, values: [String: (any DatabaseValueConvertible)?]) {
    switch selection {
    case .all: ("TRUE", [:])
    // What an officer has hidden is left out wherever nobody asks for it by name.
    case .standalone: ("task IS NULL AND hidden IS NULL", [:])
    case .task(let id): ("task = :task", ["task": id.description])
    }
  }

  // MARK: photos

  /// The agency's photos, of one task, without one and not hidden, or all, the oldest first; those deleted
  /// before they were sent are among them and say so.
  public func photos(_ selection: Selection) throws -> [ReceivedPhoto] {
    let (condition, values) = Self.condition(selection)
    return try Row.fetchAll(
      database.cachedStatement(
        sql: """
          SELECT * FROM photo WHERE agency = :agency AND \(condition) \(own()) ORDER BY device_time, id
          """), arguments: arguments(values)
    ).map(photo)
  }

  /// Hands over the same photos one by one, however many there are.
  public func forEachPhoto(
    _ selection: Selection, _ body: (ReceivedPhoto) throws -> Void
  ) throws {
    let (condition, values) = Self.condition(selection)
    let rows = try Row.fetchCursor(
      database,
      sql: """
        SELECT * FROM photo WHERE agency = :agency AND \(condition) \(own()) ORDER BY device_time, id
        """, arguments: arguments(values))
    while let row = try rows.next() { try body(photo(row)) }
  }

  /// How many whole photos each of these tasks has, and what was found of them.
  public func photoCounts(of tasks: [Identifier]) throws -> [Identifier: PhotoCount] {
    let statement = try database.cachedStatement(
      sql: """
        SELECT photos, unchecked, contradicted FROM task_tally WHERE agency = :agency AND task = :task
        \(own(taskOf: "task_tally"))
        """)
    var counts: [Identifier: PhotoCount] = [:]
    for id in tasks {
      let row = try Row.fetchOne(statement, arguments: arguments(["task": id.description]))
      counts[id] =
        row.map {
          PhotoCount(
            photos: $0["photos"], unchecked: $0["unchecked"], contradicted: $0["contradicted"])
        } ?? PhotoCount()
    }
    return counts
  }

  /// One of the agency's photos.
  /// - Throws: `StoreError.unknown`, also for another agency's.
  public func photo(_ id: Identifier) throws -> ReceivedPhoto {
    guard
      let row = try Row.fetchOne(
        database, sql: "SELECT * FROM photo WHERE id = :id AND agency = :agency \(own())",
        arguments: arguments(["id": id.description]))
    else { throw StoreError.unknown(what: "photo", id: id.description) }
    return try photo(row)
  }

  /// Other photos of this agency with the same picture, all of them or those that came before.
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

  /// Adds a photo that was delivered, with what its checks said.
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
      try keepPlace(of: photo.id.description, at: photo.position.coordinate)
      try countPhoto(
        at: photo.position.coordinate, task: photo.task?.description, isAdded: true)
    }
    try keepChecks(of: received)
  }

  /// Keeps what was found out about a photo: verdict, findings, checks, its picture's digest and its
  /// file's size.
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
    try keep(received.checks, ofPhoto: received.photo.id)
  }

  /// Photos that nobody has looked at yet, in the order of their arrival; `place` is where the next page
  /// goes on, 0 at first.
  public func unexaminedPhotos(
    after place: Int64, limit: Int
  ) throws -> [(place: Int64, id: Identifier)] {
    try Row.fetchAll(
      database,
      sql: """
        SELECT rowid AS place, id FROM photo
        WHERE agency = :agency AND verdict IS NULL AND rowid > :place ORDER BY rowid LIMIT :limit
        """, arguments: arguments(["place": place, "limit": limit])
    ).compactMap { row in Identifier(row["id"]).map { (place: row["place"], id: $0) } }
  }

  /// Keeps the inspector's note on a photo.
  public func setNote(_ text: String, ofPhoto id: Identifier) throws {
    try database.execute(
      sql: "UPDATE photo SET note = :note WHERE id = :id AND agency = :agency",
      arguments: arguments(["id": id.description, "note": text]))
  }

  func photo(_ row: Row) throws -> ReceivedPhoto {
    let findings: String? = row["findings"]
    return ReceivedPhoto(
      photo: try PhotoColumns.photo(row),
      // One that nobody here knows is no good sign.
      verdict: (row["verdict"] as String?).map { EvidenceVerdict(rawValue: $0) ?? .doubtful },
      findings: try findings.map {
        try RowJSON.value([FindingRow].self, $0).map { try $0.finding() }
      }
        ?? [], revision: row["revision"], imageDigest: row["image_digest"],
      deletedReason: row["deleted_reason"],
      deleted: (row["deleted"] as Int64?).map(DeviceTime.init(millisecondsSince1970:)),
      checks: try checks(ofPhoto: row["id"]),
      assigned: (row["assigned"] as Int64?).map(DeviceTime.init(millisecondsSince1970:)),
      hidden: (row["hidden"] as Int64?).map(DeviceTime.init(millisecondsSince1970:)),
      lateTask: (row["late_task"] as String?).flatMap(Identifier.init(_:)))
  }

  // MARK: tracks

  /// Tracks that were delivered, of one task, without one and not hidden, or all, the oldest first. Their
  /// points are in their files.
  public func tracks(_ selection: Selection) throws -> [Identifier] {
    let (condition, values) = Self.condition(selection)
    return try String.fetchAll(
      database,
      sql: """
        SELECT id FROM track WHERE agency = :agency AND deleted IS NULL AND \(condition) \(own())
        ORDER BY started, id
        """, arguments: arguments(values)
    ).compactMap(Identifier.init(_:))
  }

  /// Whether a track was deleted before it was sent.
  public func isDeleted(track id: Identifier) throws -> Bool {
    try Bool.fetchOne(
      database,
      sql: "SELECT deleted IS NOT NULL FROM track WHERE id = :id AND agency = :agency",
      arguments: arguments(["id": id.description])) ?? false
  }

  /// Adds a track that was delivered.
  /// - Parameter measures: what its points measure; nil where they are not here or cannot be read.
  public func insert(
    track id: Identifier, inspector: String, task: Identifier?, lateTask: Identifier?,
    name: String, started: DeviceTime, at time: DeviceTime, deletedReason: String?,
    measures: TrackMeasures?
  ) throws {
    try database.execute(
      sql: """
        INSERT INTO track (id, agency, inspector, task, late_task, name, started, delivered, deleted,
          deleted_reason, points, length, duration, area, area_uncertainty)
        VALUES (:id, :agency, :inspector, :task, :late, :name, :started, :time,
          CASE WHEN :reason IS NULL THEN NULL ELSE :time END, :reason, :points, :length, :duration,
          :area, :areaUncertainty)
        """,
      arguments: arguments([
        "points": measures?.points, "length": measures?.lengthMetres,
        "duration": measures?.durationSeconds, "area": measures?.areaSquareMetres,
        "areaUncertainty": measures?.areaUncertaintySquareMetres95,
        "id": id.description, "inspector": inspector, "task": task?.description,
        "late": lateTask?.description, "name": name, "started": started.millisecondsSince1970,
        "time": time.millisecondsSince1970,
        "reason": deletedReason,
      ]))
  }
}
