import Evidence
import GRDB
import Geodesy
import Inspection
import Sync
import TimeAndText

/// An agency's register of parcels.
public struct ParcelTable: AgencyTable {
  let database: Database
  let agency: String

  init(database: Database, agency: String) {
    (self.database, self.agency) = (database, agency)
  }
}

extension ParcelTable {
  /// Returns the effect that keeping a parcel would have; nothing is written.
  public func effect(of parcel: DeclaredParcel) throws -> ImportEffect {
    guard let row = try parcelRow(parcel.parcel.identifier) else { return .new }
    return Self.isSame(row, ParcelColumns(parcel)) ? .unchanged : .changed
  }

  private func parcelRow(_ identifier: String) throws -> Row? {
    try Row.fetchOne(
      database.cachedStatement(
        sql: "SELECT * FROM parcel WHERE agency = :agency AND identifier = :identifier"),
      arguments: arguments(["identifier": identifier]))
  }

  private static func isSame(_ row: Row, _ columns: ParcelColumns) -> Bool {
    row["outline"] == columns.outline && row["name"] == columns.name
      && row["crop"] == columns.crop && row["type"] == columns.type
      && row["area"] == columns.area && row["determined"] == columns.determined
  }

  /// Returns the parcel of an identifier; nil if the agency has none.
  public func parcel(_ identifier: String) throws -> RegisteredParcel? {
    try parcelRow(identifier).map(ParcelColumns.parcel)
  }

  /// Returns the number of the agency's parcels.
  public func count() throws -> Int {
    try Int.fetchOne(
      database, sql: "SELECT count(*) FROM parcel WHERE agency = :agency", arguments: arguments())
      ?? 0
  }

  /// Returns the agency's parcels after an identifier (nil: from the first), in the order of their
  /// identifiers.
  public func page(after identifier: String?, limit: Int) throws -> [RegisteredParcel] {
    try Row.fetchAll(
      database,
      sql: """
        SELECT * FROM parcel WHERE agency = :agency AND identifier > :identifier
        ORDER BY identifier LIMIT :limit
        """, arguments: arguments(["identifier": identifier ?? "", "limit": limit])
    ).map(ParcelColumns.parcel)
  }

  /// Returns the agency's parcels whose identifiers begin with a text, in the order of their identifiers.
  public func list(beginningWith prefix: String, limit: Int) throws -> [RegisteredParcel] {
    try Row.fetchAll(
      database,
      sql: """
        SELECT * FROM parcel WHERE agency = :agency AND identifier >= :prefix
        AND identifier < :prefix || char(1114111) ORDER BY identifier LIMIT :limit
        """, arguments: arguments(["prefix": prefix, "limit": limit])
    ).map(ParcelColumns.parcel)
  }

  /// The most points of one parcel that are drawn.
  static let pointsOfOneAtMost = 5000

  /// Returns a cursor over the rectangles of the agency's parcels that meet a part of the world.
  /// - Parameter limit: the most rectangles; nil for all.
  private func places(in part: CoordinateBox, limit: Int?) throws -> RowCursor {
    try Row.fetchCursor(
      database,
      sql: """
        SELECT number, west, east, south, north, points FROM parcel_place AS place
        WHERE place.west <= :east AND place.east >= :west
        AND place.south <= :north AND place.north >= :south
        AND place.least_agency = (SELECT number FROM map_agency WHERE agency = :agency) LIMIT :limit
        """,
      arguments: arguments([
        "west": part.westDegrees, "east": part.eastDegrees, "south": part.southDegrees,
        "north": part.northDegrees, "limit": limit ?? -1,
      ]))
  }

  /// Returns the agency's parcels that have a ring whose rectangle meets a part of the world, at
  /// most `limit`.
  public func list(in box: CoordinateBox, limit: Int) throws -> [RegisteredParcel] {
    var found: [RegisteredParcel] = []
    var known: Set<Int64> = []
    for part in box.parts {
      let places = try places(in: part, limit: nil)
      while found.count < limit, let place = try places.next() {
        let number = (place["number"] as Int64) / 2
        guard !known.contains(number), let row = try parcelRow(number: number) else { continue }
        let parcel = try ParcelColumns.parcel(row)
        // The tree rounds, and has one rectangle for parts that are far from each other.
        guard parcel.declared.parcel.rings.contains(where: { DegreeBox($0).meets(part) }) else {
          continue
        }
        known.insert(number)
        found.append(parcel)
      }
    }
    return found
  }

  /// Returns the outlines of the agency's parcels whose rectangles meet a part of the world.
  ///
  /// - Parameters:
  ///   - limit: the most parcels that can be drawn, 0 ... 100,000.
  ///   - pointLimit: the most points of all outlines together.
  /// - Returns: all of them; nil if there are more than can be drawn.
  public func outlines(
    in box: CoordinateBox, limit: Int, pointLimit: Int
  ) throws -> [ParcelOutline]? {
    var found: [Int64: Row] = [:]
    var points = 0
    for part in box.parts {
      let places = try places(in: part, limit: limit + 1)
      while let place = try places.next() {
        guard found.updateValue(place.copy(), forKey: (place["number"] as Int64) / 2) == nil else {
          continue
        }
        let own: Int = place["points"]
        points += own > Self.pointsOfOneAtMost ? 5 : own
        guard found.count <= limit, points <= pointLimit else { return nil }
      }
    }
    return try found.sorted { $0.key < $1.key }.compactMap { try outline($0.key, $0.value) }
  }

  /// Returns a parcel of the register as a map draws it; nil if the agency has none of this identifier.
  public func outline(_ identifier: String) throws -> ParcelOutline? {
    let number = try Int64.fetchOne(
      database.cachedStatement(
        sql: "SELECT number FROM parcel WHERE agency = :agency AND identifier = :identifier"),
      arguments: arguments(["identifier": identifier]))
    guard let number else { return nil }
    let place = try Row.fetchOne(
      database.cachedStatement(
        sql: """
          SELECT number, west, east, south, north, points FROM parcel_place WHERE number = 2 * :number
          AND least_agency = (SELECT number FROM map_agency WHERE agency = :agency)
          """), arguments: arguments(["number": number]))
    return try place.flatMap { try outline(number, $0) }
  }

  /// Returns a box round up to 20 of the agency's parcels that are next to each other in the tree:
  /// a view of it shows them. Nil if the register is empty.
  public func neighbourhood() throws -> DegreeBox? {
    let row = try Row.fetchOne(
      database.cachedStatement(
        sql: """
          SELECT min(west) AS west, max(east) AS east, min(south) AS south, max(north) AS north FROM (
            SELECT west, east, south, north FROM parcel_place
            WHERE least_agency = (SELECT number FROM map_agency WHERE agency = :agency) LIMIT 20)
          """), arguments: arguments())
    guard let row, row["west"] as Double? != nil else { return nil }
    return Self.box(row)
  }

  private func outline(_ number: Int64, _ place: Row) throws -> ParcelOutline? {
    let isDrawn = (place["points"] as Int) <= Self.pointsOfOneAtMost
    let row = try Row.fetchOne(
      database.cachedStatement(
        sql: """
          SELECT identifier, name, crop, iif(:isDrawn, outline, NULL) AS outline FROM parcel
          WHERE number = :number AND agency = :agency
          """), arguments: arguments(["number": number, "isDrawn": isDrawn]))
    return row.map {
      ParcelOutline(
        identifier: $0["identifier"], name: $0["name"], crop: $0["crop"],
        coordinates: $0["outline"], box: Self.box(place))
    }
  }

  private func parcelRow(number: Int64) throws -> Row? {
    try Row.fetchOne(
      database.cachedStatement(
        sql: "SELECT * FROM parcel WHERE number = :number AND agency = :agency"),
      arguments: arguments(["number": number]))
  }

  private static func box(_ row: Row) -> DegreeBox {
    // The tree rounds outwards, so that a side may be beyond ±180° or ±90°.
    DegreeBox(
      west: max(row["west"], -180), south: max(row["south"], -90), east: min(row["east"], 180),
      north: min(row["north"], 90))
  }

  /// Takes all staged parcels over, each under its identifier: as a new parcel, or in place of the
  /// known one. This is the last step of an import, and the only one that other writers wait for.
  ///
  /// Only `OfficeStore.takeParcels` may call it.
  /// - Returns: the numbers of new, changed and unchanged parcels.
  func keepStaged(
    at time: DeviceTime
  ) throws -> ImportCount {
    // New parcels get numbers greater than all present ones.
    let known = try Row.fetchOne(
      database,
      sql: "SELECT count(*) AS count, max(number) AS last FROM parcel WHERE agency = :agency",
      arguments: arguments())
    let staged =
      try Int.fetchOne(
        database, sql: "SELECT count(*) FROM staging.staged_parcel WHERE agency = :agency",
        arguments: arguments()) ?? 0
    try database.execute(
      sql: "INSERT OR IGNORE INTO map_agency (agency) VALUES (:agency)", arguments: arguments())
    // Rectangles are replaced before the outlines change, since the condition compares old with
    // new: a new crop moves no parcel. A parcel that was on both sides of the antimeridian may have
    // left one of them.
    try database.execute(
      sql: """
        DELETE FROM parcel_place WHERE number IN (
          SELECT 2 * parcel.number + 1 FROM staging.staged_parcel AS staged
          CROSS JOIN parcel ON parcel.agency = :agency AND parcel.identifier = staged.identifier
          WHERE staged.agency = :agency AND parcel.outline IS NOT staged.outline)
        AND least_agency = (SELECT number FROM map_agency WHERE agency = :agency)
        """, arguments: arguments())
    try placeStaged("parcel.outline IS NOT staged.outline", arguments())
    try database.execute(
      sql: """
        INSERT INTO parcel (agency, identifier, revision, imported, name, crop, type, area,
          determined, outline)
        SELECT :agency, identifier, 1, :imported, name, crop, type, area, determined, outline
        FROM staging.staged_parcel WHERE agency = :agency ORDER BY place
        ON CONFLICT (agency, identifier) DO UPDATE SET revision = parcel.revision + 1,
          imported = excluded.imported, name = excluded.name, crop = excluded.crop,
          type = excluded.type, area = excluded.area, determined = excluded.determined,
          outline = excluded.outline
        WHERE parcel.outline IS NOT excluded.outline OR parcel.name IS NOT excluded.name
          OR parcel.crop IS NOT excluded.crop OR parcel.type IS NOT excluded.type
          OR parcel.area IS NOT excluded.area OR parcel.determined IS NOT excluded.determined
        """, arguments: arguments(["imported": time.millisecondsSince1970]))
    let written = database.changesCount
    try placeStaged("parcel.number > :last", arguments(["last": (known?["last"] as Int64?) ?? 0]))
    let new = try count() - (known?["count"] ?? 0)
    return ImportCount(new: new, changed: written - new, unchanged: staged - written)
  }

  /// Writes the rectangles of the staged parcels that fulfil a condition. No other step of an
  /// import writes rectangles.
  private func placeStaged(_ condition: String, _ values: StatementArguments) throws {
    try database.execute(
      sql: """
        INSERT OR REPLACE INTO parcel_place (number, west, east, south, north, least_agency,
          most_agency, points)
        SELECT 2 * parcel.number + box.side, box.west, box.east, box.south, box.north,
          map_agency.number, map_agency.number + 0.5, box.points
        FROM staging.staged_parcel AS staged
        CROSS JOIN parcel ON parcel.agency = :agency AND parcel.identifier = staged.identifier
        CROSS JOIN staging.staged_box AS box ON box.place = staged.place
        CROSS JOIN map_agency ON map_agency.agency = :agency
        WHERE staged.agency = :agency AND \(condition)
        """, arguments: values)
  }
}
