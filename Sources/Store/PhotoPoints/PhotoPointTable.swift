import GRDB
import Geodesy
import Inspection
import Sync
import TimeAndText

/// An agency's photo points, with the photos that repeat them.
public struct PhotoPointTable: AgencyTable {
  let database: Database
  let agency: String

  init(database: Database, agency: String) {
    (self.database, self.agency) = (database, agency)
  }
}

extension PhotoPointTable {
  /// Adds a photo point. A known one stays as it is.
  /// - Returns: false if the point is known, or if its code is another point's.
  public func insert(_ point: PhotoPoint) throws -> Bool {
    try database.execute(
      sql: "INSERT OR IGNORE INTO map_agency (agency) VALUES (:agency)", arguments: arguments())
    try database.cachedStatement(
      sql: PhotoPointColumns.insert() + " ON CONFLICT DO NOTHING"
    ).execute(arguments: arguments(PhotoPointColumns.values(point)))
    guard database.changesCount > 0 else { return false }
    try database.cachedStatement(
      sql: """
        INSERT INTO photo_point_place (number, west, east, south, north, least_agency, most_agency)
        SELECT photo_point.number, longitude, longitude, latitude, latitude, map_agency.number,
          map_agency.number + 0.5
        FROM photo_point JOIN map_agency USING (agency)
        WHERE photo_point.id = :id AND agency = :agency
        """
    ).execute(arguments: arguments(["id": point.id.description]))
    return true
  }

  /// Returns a photo point; nil if the agency has none of that identifier.
  public func point(_ id: Identifier) throws -> PhotoPoint? {
    try Row.fetchOne(
      database.cachedStatement(
        sql: "SELECT * FROM photo_point WHERE id = :id AND agency = :agency"),
      arguments: arguments(["id": id.description])
    ).map(PhotoPointColumns.point)
  }

  /// Returns the photo point with a code; nil if the agency has none.
  public func point(withCode code: PhotoPointCode) throws -> PhotoPoint? {
    try Row.fetchOne(
      database, sql: "SELECT * FROM photo_point WHERE agency = :agency AND code = :code",
      arguments: arguments(["code": code.description])
    ).map(PhotoPointColumns.point)
  }

  /// Returns the photo points whose reference is a photo, the earliest first.
  public func points(ofPhoto photo: Identifier) throws -> [PhotoPoint] {
    try Row.fetchAll(
      database.cachedStatement(
        sql:
          "SELECT * FROM photo_point WHERE agency = :agency AND photo = :photo ORDER BY made, id"),
      arguments: arguments(["photo": photo.description])
    ).map(PhotoPointColumns.point)
  }

  /// Returns a page of the agency's photo points, the newest first.
  /// - Parameters:
  ///   - name: a part of the name, or a code's beginning; nil for all.
  ///   - isWithdrawn: true for the withdrawn points, false for the others; nil for all.
  public func page(
    named name: String?, isWithdrawn: Bool?, after place: ListPlace?, limit: Int
  ) throws -> (points: [PhotoPoint], next: ListPlace?) {
    let condition = Self.condition(isWithdrawn: isWithdrawn)
    let rows = try Row.fetchAll(
      database,
      sql: """
        SELECT *, made AS k0, id AS k1 FROM photo_point WHERE agency = :agency AND \(condition)
        AND (:inspector IS NULL OR instr(lower(coalesce(name, '')), lower(:inspector)) > 0
          OR instr(code, upper(replace(:inspector, ' ', ''))) = 1 OR parcel = :inspector)
        AND (:k0 IS NULL OR (made, id) < (:k0, :k1))
        ORDER BY made DESC, id DESC LIMIT :limit
        """, arguments: arguments(ListPlace.bound(place, limit, name)))
    let page = rows.prefix(limit)
    let next = rows.count > limit ? page.last.map { ListPlace(of: $0, keys: 2) } : nil
    return (try page.map(PhotoPointColumns.point), next)
  }

  /// The condition of withdrawn points, of the others, or of all. It is part of the text, so that
  /// the index of the withdrawn ones serves it.
  private static func condition(isWithdrawn: Bool?) -> String {
    switch isWithdrawn {
    case true?: "withdrawn IS NOT NULL"
    case false?: "withdrawn IS NULL"
    case nil: "TRUE"
    }
  }

  /// Counts the agency's photo points: the withdrawn ones, or the others.
  public func count(isWithdrawn: Bool) throws -> Int {
    try Int.fetchOne(
      database,
      sql: """
        SELECT count(*) FROM photo_point WHERE agency = :agency
        AND \(Self.condition(isWithdrawn: isWithdrawn))
        """, arguments: arguments()) ?? 0
  }

  /// Withdraws a point at a time, or brings it back (nil).
  /// - Throws: `StoreError.unknown`.
  public func set(withdrawn time: DeviceTime?, ofPoint id: Identifier) throws {
    try database.execute(
      sql: "UPDATE photo_point SET withdrawn = :time WHERE id = :id AND agency = :agency",
      arguments: arguments(["id": id.description, "time": time?.millisecondsSince1970]))
    try requireOwn("photo point", id.description)
  }

  /// Returns the withdrawn points that a person has made, the newest first.
  public func withdrawn(madeBy maker: String, limit: Int) throws -> [Identifier] {
    try String.fetchAll(
      database,
      sql: """
        SELECT id FROM photo_point WHERE agency = :agency AND withdrawn IS NOT NULL
        AND maker = :maker ORDER BY made DESC, id DESC LIMIT :limit
        """, arguments: arguments(["maker": maker, "limit": limit])
    ).compactMap(Identifier.init(_:))
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
        AND place.south <= :north AND least_agency <= (
          SELECT number FROM map_agency WHERE agency = :agency)
        AND most_agency >= (SELECT number FROM map_agency WHERE agency = :agency)
        AND agency = :agency AND withdrawn IS NULL LIMIT :limit
        """)
    let nearest = try NearestPlaces.find(around: place, within: metres, limit: limit) {
      try Self.candidates(statement, arguments(Self.sides($0, limit: $1)))
    }
    return try nearest.compactMap { found in
      try Row.fetchOne(
        database.cachedStatement(
          sql: "SELECT * FROM photo_point WHERE number = :number AND agency = :agency"),
        arguments: arguments(["number": found.number])
      ).map { (try PhotoPointColumns.point($0), found.metres) }
    }
  }

  static func sides(
    _ box: CoordinateBox, limit: Int
  ) -> [String: (any DatabaseValueConvertible)?] {
    [
      "west": box.westDegrees, "east": box.eastDegrees, "south": box.southDegrees,
      "north": box.northDegrees, "limit": limit,
    ]
  }

  static func candidates(
    _ statement: Statement, _ arguments: StatementArguments
  ) throws -> [(number: Int64, place: Coordinate)] {
    try Row.fetchAll(statement, arguments: arguments).compactMap { row in
      Coordinate(latitudeDegrees: row["latitude"], longitudeDegrees: row["longitude"]).map {
        (row["number"], $0)
      }
    }
  }

  /// Changes what a person may change: name, parcel, subject and footing photo. Place, attitude and
  /// reference stay.
  public func change(_ point: PhotoPoint) throws {
    let values = PhotoPointColumns.values(point)
    let changed = [
      "name", "parcel", "footing", "footing_digest", "subject_latitude", "subject_longitude",
    ]
    let sets = changed.map { "\($0) = :\($0)" }.joined(separator: ", ")
    try database.execute(
      sql: "UPDATE photo_point SET \(sets) WHERE id = :id AND agency = :agency",
      arguments: arguments(
        values.filter { changed.contains($0.key) || $0.key == "id" }))
    try requireOwn("photo point", point.id.description)
  }

  // MARK: repeats

  /// Keeps the claims of a photo that repeats a point. A known photo's stay as they are. The point
  /// may be unknown: it may come after its repeat.
  public func keep(_ new: ReceivedRepeat) throws {
    try database.cachedStatement(
      sql: """
        INSERT INTO photo_repeat (photo, agency, point, taken, digest, claims)
        VALUES (:photo, :agency, :point, :taken, :digest, :claims) ON CONFLICT DO NOTHING
        """
    ).execute(
      arguments: arguments([
        "photo": new.photo.description, "point": new.claims.point.description,
        "taken": new.taken.millisecondsSince1970, "digest": new.claims.referenceDigest,
        "claims": RowJSON.text(RepeatRow(new.claims)),
      ]))
  }

  /// Keeps the result of comparing a repeat with its reference at the office.
  public func keep(
    _ measured: ReceivedRepeat.Measured, ofPhoto photo: Identifier, at time: DeviceTime
  ) throws {
    let (state, inliers, displacement): (String, Int?, Double?) =
      switch measured {
      case .displaced(let percent, let inliers): ("displaced", inliers, percent)
      case .unlike(let matches): ("unlike", matches, nil)
      case .failed: ("failed", nil, nil)
      }
    try database.execute(
      sql: """
        UPDATE photo_repeat SET state = :state, inliers = :inliers, displacement = :displacement,
          measured = :time WHERE photo = :photo AND agency = :agency
        """,
      arguments: arguments([
        "photo": photo.description, "state": state, "inliers": inliers,
        "displacement": displacement, "time": time.millisecondsSince1970,
      ]))
    try requireOwn("repeat", photo.description)
  }

  /// Counts the repeats of a point whose photos were not deleted, with the time of the last one; nil
  /// if there is none.
  public func tally(ofPoint id: Identifier) throws -> (count: Int, last: DeviceTime?) {
    let row = try Row.fetchOne(
      database.cachedStatement(
        sql: """
          SELECT count(*) AS count, max(photo_repeat.taken) AS last FROM photo_repeat
          JOIN photo ON photo.id = photo_repeat.photo AND photo.agency = :agency
          WHERE photo_repeat.agency = :agency AND point = :point AND photo.deleted_reason IS NULL
          """), arguments: arguments(["point": id.description]))
    let last: Int64? = row?["last"]
    return (row?["count"] ?? 0, last.map { DeviceTime(millisecondsSince1970: $0) })
  }

  /// Returns the repeats of a point, the oldest first.
  public func repeats(ofPoint id: Identifier) throws -> [ReceivedRepeat] {
    try Row.fetchAll(
      database,
      sql: """
        SELECT * FROM photo_repeat WHERE agency = :agency AND point = :point ORDER BY taken, photo
        """, arguments: arguments(["point": id.description])
    ).map(Self.received)
  }

  /// Returns the repeat that a photo is; nil if it repeats nothing.
  public func repetition(ofPhoto id: Identifier) throws -> ReceivedRepeat? {
    try Row.fetchOne(
      database.cachedStatement(
        sql: "SELECT * FROM photo_repeat WHERE photo = :photo AND agency = :agency"),
      arguments: arguments(["photo": id.description])
    ).map(Self.received)
  }

  /// Returns repeats whose pictures were not compared yet and whose points are known.
  public func unmeasured(limit: Int) throws -> [ReceivedRepeat] {
    try Row.fetchAll(
      database,
      sql: """
        SELECT photo_repeat.* FROM photo_repeat INDEXED BY photo_repeat_unmeasured
        JOIN photo_point ON photo_point.id = point AND photo_point.agency = :agency
        WHERE photo_repeat.agency = :agency AND state IS NULL LIMIT :limit
        """, arguments: arguments(["limit": limit])
    ).map(Self.received)
  }

  /// Keeps the reason why a task's photo point was not photographed again; a later one replaces it.
  public func keep(reason text: String, forPoint point: Identifier, task: Identifier) throws {
    try requireTask(task)
    try database.execute(
      sql: """
        INSERT INTO photo_point_reason (task, point, agency, text)
        VALUES (:task, :point, :agency, :text)
        ON CONFLICT (task, point) DO UPDATE SET text = :text WHERE agency = :agency
        """,
      arguments: arguments([
        "task": task.description, "point": point.description, "text": text,
      ]))
  }

  /// Returns what became of a task's photo points: the photos of the task that repeat each, and the
  /// reasons why others have none.
  public func outcome(
    ofTask id: Identifier
  ) throws -> (repeats: [ReceivedRepeat], reasons: [Identifier: String]) {
    let repeats = try Row.fetchAll(
      database,
      sql: """
        SELECT photo_repeat.* FROM photo CROSS JOIN photo_repeat ON photo_repeat.photo = photo.id
        WHERE photo.agency = :agency AND photo.task = :task AND photo.deleted IS NULL
        AND photo_repeat.agency = :agency ORDER BY taken, photo
        """, arguments: arguments(["task": id.description])
    ).map(Self.received)
    var reasons: [Identifier: String] = [:]
    for row in try Row.fetchAll(
      database,
      sql: "SELECT point, text FROM photo_point_reason WHERE task = :task AND agency = :agency",
      arguments: arguments(["task": id.description]))
    {
      if let point = Identifier(row["point"]) { reasons[point] = row["text"] }
    }
    return (repeats, reasons)
  }

  private static func received(_ row: Row) throws -> ReceivedRepeat {
    guard let photo = Identifier(row["photo"]), let point = Identifier(row["point"]) else {
      throw StoreError.damagedRow("repeat \(row["photo"] as String)")
    }
    var received = ReceivedRepeat(
      photo: photo, taken: DeviceTime(millisecondsSince1970: row["taken"]),
      claims: try RowJSON.value(RepeatRow.self, row["claims"])
        .claims(point: point, digest: row["digest"]))
    switch row["state"] as String? {
    case "displaced":
      received.measured = .displaced(
        percent: row["displacement"] ?? 0, inliers: row["inliers"] ?? 0)
    case "unlike": received.measured = .unlike(matches: row["inliers"] ?? 0)
    case "failed": received.measured = .failed
    default: break
    }
    return received
  }
}
