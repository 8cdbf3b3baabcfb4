import GRDB
import Geodesy
import Inspection
import Sync
import TimeAndText

/// The photo points that a person has on this device: those near their tasks, which came from the
/// office, and those that they have made themselves.
public struct FieldPhotoPointTable: FieldTable {
  let session: FieldSession
}

extension FieldPhotoPointTable {
  /// Adds a photo point that was made on this device; the office is still to be told of it.
  public func insert(_ point: PhotoPoint) throws { try insert(point, isWaiting: true) }

  private func insert(_ point: PhotoPoint, isWaiting: Bool) throws {
    var values = PhotoPointColumns.values(point)
    values["waiting"] = isWaiting
    try database.cachedStatement(
      sql: PhotoPointColumns.insert(with: ["inspector", "waiting"])
    ).execute(arguments: arguments(values))
    try database.cachedStatement(
      sql: """
        INSERT INTO photo_point_place (number, west, east, south, north)
        SELECT number, longitude, longitude, latitude, latitude FROM photo_point
        WHERE agency = :agency AND inspector = :inspector AND id = :id
        """
    ).execute(arguments: arguments(["id": point.id.description]))
  }

  /// Takes the office's list in place of the earlier one. The person's own points stay, and those
  /// that a photo on this device repeats; so do the last uses.
  /// - Parameter withdrawn: the person's own points that an officer has withdrawn: they go, too.
  public func take(_ points: [PhotoPoint], withdrawn: [Identifier] = []) throws {
    let used = try Row.fetchAll(
      database,
      sql: """
        SELECT id, used FROM photo_point WHERE agency = :agency AND inspector = :inspector
        AND used IS NOT NULL
        """, arguments: arguments())
    let listed = points.map(\.id.description)
    let gone = """
      agency = :agency AND inspector = :inspector AND NOT waiting
      AND (id IN (SELECT value FROM json_each(:listed))
        OR ((maker <> :inspector OR id IN (SELECT value FROM json_each(:withdrawn)))
        AND NOT EXISTS (SELECT 1 FROM photo_repeat WHERE photo_repeat.agency = :agency
          AND photo_repeat.inspector = :inspector AND photo_repeat.point = photo_point.id)))
      """
    let values = arguments([
      "listed": RowJSON.text(listed), "withdrawn": RowJSON.text(withdrawn.map(\.description)),
    ])
    try database.execute(
      sql: """
        DELETE FROM photo_point_place WHERE number IN (SELECT number FROM photo_point WHERE \(gone))
        """, arguments: values)
    try database.execute(sql: "DELETE FROM photo_point WHERE \(gone)", arguments: values)
    let waiting = Set(try self.waiting().map(\.id))
    try take(adding: points.filter { !waiting.contains($0.id) })
    for row in used { try setUsed(row["id"], row["used"]) }
  }

  /// Adds points of the office's list to those that are here.
  public func take(adding points: [PhotoPoint]) throws {
    for point in points { try insert(point, isWaiting: false) }
  }

  /// Returns the points of which the office is still to be told, the oldest first.
  public func waiting() throws -> [PhotoPoint] {
    try Row.fetchAll(
      database,
      sql: """
        SELECT * FROM photo_point WHERE agency = :agency AND inspector = :inspector AND waiting
        ORDER BY made, id
        """, arguments: arguments()
    ).map(PhotoPointColumns.point)
  }

  /// Takes a point as the office keeps it, with the office's code: the office has been told of it.
  public func confirm(_ point: PhotoPoint) throws {
    let id = ["id": point.id.description]
    try database.execute(
      sql: """
        DELETE FROM photo_point_place WHERE number IN (SELECT number FROM photo_point
        WHERE agency = :agency AND inspector = :inspector AND id = :id)
        """, arguments: arguments(id))
    try database.execute(
      sql: """
        DELETE FROM photo_point WHERE agency = :agency AND inspector = :inspector AND id = :id
        """, arguments: arguments(id))
    try insert(point, isWaiting: false)
  }

  /// Removes the points that wait and rest on a photo which is deleted, and its use as the photo of
  /// the ground: the office will never have it.
  public func forget(photo: Identifier) throws {
    let own = "agency = :agency AND inspector = :inspector AND waiting"
    let values = arguments(["photo": photo.description])
    try database.execute(
      sql: """
        DELETE FROM photo_point_place WHERE number IN (
          SELECT number FROM photo_point WHERE \(own) AND photo = :photo)
        """, arguments: values)
    try database.execute(
      sql: "DELETE FROM photo_point WHERE \(own) AND photo = :photo", arguments: values)
    try database.execute(
      sql: """
        UPDATE photo_point SET footing = NULL, footing_digest = NULL
        WHERE \(own) AND footing = :photo
        """, arguments: values)
  }

  /// Returns a photo point; nil if it is not on this device.
  public func point(_ id: Identifier) throws -> PhotoPoint? {
    try Row.fetchOne(
      database.cachedStatement(
        sql: """
          SELECT * FROM photo_point WHERE agency = :agency AND inspector = :inspector AND id = :id
          """), arguments: arguments(["id": id.description])
    ).map(PhotoPointColumns.point)
  }

  /// Returns the photo point with a code; nil if it is not on this device.
  public func point(withCode code: PhotoPointCode) throws -> PhotoPoint? {
    try Row.fetchOne(
      database,
      sql: """
        SELECT * FROM photo_point WHERE agency = :agency AND inspector = :inspector AND code = :code
        """, arguments: arguments(["code": code.description])
    ).map(PhotoPointColumns.point)
  }

  /// Returns all photo points on this device, the newest first.
  public func all() throws -> [PhotoPoint] {
    try Row.fetchAll(
      database,
      sql: """
        SELECT * FROM photo_point WHERE agency = :agency AND inspector = :inspector
        ORDER BY made DESC, id
        """, arguments: arguments()
    ).map(PhotoPointColumns.point)
  }

  /// Returns true if a photo point rests on a photo, so that the photo stays on this device.
  public func isReference(_ photo: Identifier) throws -> Bool {
    try Bool.fetchOne(
      database.cachedStatement(
        sql: """
          SELECT EXISTS (SELECT 1 FROM photo_point WHERE agency = :agency
          AND inspector = :inspector AND (photo = :photo OR footing = :photo))
          """), arguments: arguments(["photo": photo.description])) ?? false
  }

  /// Returns the photo points within a distance of a place, the nearest first.
  public func near(
    _ place: Coordinate, metres: Double, limit: Int
  ) throws -> [(point: PhotoPoint, metres: Double)] {
    let statement = try database.cachedStatement(
      sql: """
        SELECT photo_point.number, latitude, longitude FROM photo_point_place AS place
        CROSS JOIN photo_point ON photo_point.number = place.number
        WHERE place.east >= :west AND place.west <= :east AND place.north >= :south
        AND place.south <= :north AND agency = :agency AND inspector = :inspector LIMIT :limit
        """)
    let nearest = try NearestPlaces.find(around: place, within: metres, limit: limit) {
      try PhotoPointTable.candidates(
        statement, arguments(PhotoPointTable.sides($0, limit: $1)))
    }
    return try nearest.compactMap { found in
      try Row.fetchOne(
        database.cachedStatement(
          sql: """
            SELECT * FROM photo_point WHERE number = :number AND agency = :agency
            AND inspector = :inspector
            """), arguments: arguments(["number": found.number])
      ).map { (try PhotoPointColumns.point($0), found.metres) }
    }
  }

  /// Notes that a point's picture was looked at: the pictures that were not used longest make room.
  public func markUsed(_ id: Identifier, at time: DeviceTime) throws {
    try setUsed(id.description, time.millisecondsSince1970)
  }

  private func setUsed(_ id: String, _ time: Int64) throws {
    try database.execute(
      sql: """
        UPDATE photo_point SET used = :time WHERE agency = :agency AND inspector = :inspector
        AND id = :id
        """, arguments: arguments(["id": id, "time": time]))
  }

  /// Returns the points whose pictures were looked at, those that were not used longest first.
  public func used() throws -> [Identifier] {
    try String.fetchAll(
      database,
      sql: """
        SELECT id FROM photo_point WHERE agency = :agency AND inspector = :inspector
        AND used IS NOT NULL ORDER BY used, id
        """, arguments: arguments()
    ).compactMap(Identifier.init(_:))
  }

  // MARK: repeats

  /// Keeps the claims of a photo that repeats a point.
  public func keep(_ claims: RepeatClaims, ofPhoto photo: Identifier) throws {
    try database.execute(
      sql: """
        INSERT INTO photo_repeat (photo, agency, inspector, point, digest, claims)
        VALUES (:photo, :agency, :inspector, :point, :digest, :claims)
        """,
      arguments: arguments([
        "photo": photo.description, "point": claims.point.description,
        "digest": claims.referenceDigest, "claims": RowJSON.text(RepeatRow(claims)),
      ]))
  }

  /// Keeps the reason why a task's photo point is not photographed again; a later one replaces it.
  public func keep(reason text: String, forPoint point: Identifier, task: Identifier) throws {
    try database.execute(
      sql: """
        INSERT INTO photo_point_reason (task, point, agency, inspector, text)
        VALUES (:task, :point, :agency, :inspector, :text)
        ON CONFLICT (task, point) DO UPDATE SET text = :text
        WHERE agency = :agency AND inspector = :inspector
        """,
      arguments: arguments([
        "task": task.description, "point": point.description, "text": text,
      ]))
  }

  /// Returns what became of a task's photo points: the points that photos of the task repeat, and
  /// the reasons why others have none.
  public func outcome(
    ofTask id: Identifier
  ) throws -> (repeated: Set<Identifier>, reasons: [Identifier: String]) {
    let repeated = try String.fetchAll(
      database,
      sql: """
        SELECT point FROM photo_repeat JOIN photo ON photo.id = photo_repeat.photo
        WHERE photo.agency = :agency AND photo.inspector = :inspector AND photo.task = :task
        AND photo.deleted IS NULL
        """, arguments: arguments(["task": id.description])
    ).compactMap(Identifier.init(_:))
    var reasons: [Identifier: String] = [:]
    for row in try Row.fetchAll(
      database,
      sql: """
        SELECT point, text FROM photo_point_reason
        WHERE task = :task AND agency = :agency AND inspector = :inspector
        """, arguments: arguments(["task": id.description]))
    {
      if let point = Identifier(row["point"]) { reasons[point] = row["text"] }
    }
    return (Set(repeated), reasons)
  }

  /// Counts a task's photo points that have neither a repeat nor a reason.
  public func lacking(for task: InspectionTask) throws -> Int {
    guard let wish = task.repeats else { return 0 }
    let (repeated, reasons) = try outcome(ofTask: task.id)
    return wish.points.count { !repeated.contains($0) && reasons[$0] == nil }
  }

  /// Returns the claims of a photo that repeats a point; nil if it repeats nothing.
  public func claims(ofPhoto photo: Identifier) throws -> RepeatClaims? {
    try Row.fetchOne(
      database,
      sql: """
        SELECT * FROM photo_repeat WHERE agency = :agency AND inspector = :inspector
        AND photo = :photo
        """, arguments: arguments(["photo": photo.description])
    ).map { row in
      guard let point = Identifier(row["point"]) else {
        throw StoreError.damagedRow("repeat \(photo)")
      }
      return try RowJSON.value(RepeatRow.self, row["claims"])
        .claims(point: point, digest: row["digest"])
    }
  }
}
