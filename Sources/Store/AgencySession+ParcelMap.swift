import GRDB
import Geodesy
import Inspection
import Positioning

// The problem: a map of a register that has a million parcels, for any view, at once.
//
// The obvious idea: read what lies in the view. The widest view reads the whole register, and one parcel
// with a hundred thousand corners is as much as a thousand others.
//
// What is done: the tree of rectangles is asked for one more than can be drawn. Where it has that many, or
// their outlines have too many points, the view is too wide, and nothing else was read. An outline is handed
// on as it is kept, as GeoJSON's coordinates: nothing of it is read on the way.
//
// Cost: at most `limit` + 1 rows, and as many outlines.

/// A parcel of the register as a map draws it.
public struct ParcelOutline: Hashable, Sendable {
  /// The agency's identifier.
  public let identifier: String
  /// What people call it; nil without a name.
  public let name: String?
  /// What was declared to grow there; nil where nothing was.
  public let crop: String?
  /// The coordinates of a MultiPolygon as GeoJSON writes them, JSON; nil where they are more than are drawn,
  /// and the rectangle stands for them.
  public let coordinates: String?
  /// The rectangle round it, of a parcel on both sides of the antimeridian one of the two.
  public let box: DegreeBox
}

extension AgencySession {
  /// Of one parcel no more points than this are drawn.
  static let pointsOfOneAtMost = 5000

  /// The rectangles of the agency's parcels that meet a part of the world, one after the other.
  /// - Parameter limit: no more than so many; nil for all.
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

  /// The agency's parcels that have a ring whose rectangle meets a part of the world, at most `limit` of
  /// them.
  public func parcels(in box: CoordinateBox, limit: Int) throws -> [RegisteredParcel] {
    var found: [RegisteredParcel] = []
    var known: Set<Int64> = []
    for part in box.parts {
      let places = try places(in: part, limit: nil)
      while found.count < limit, let place = try places.next() {
        let number = (place["number"] as Int64) / 2
        guard !known.contains(number), let row = try parcelRow(number: number) else { continue }
        let parcel = try ParcelColumns.parcel(row)
        // The tree rounds, and knows one rectangle for parts that lie far from each other.
        guard parcel.declared.parcel.rings.contains(where: { DegreeBox($0).meets(part) }) else {
          continue
        }
        known.insert(number)
        found.append(parcel)
      }
    }
    return found
  }

  /// The outlines of the agency's parcels whose rectangles meet a part of the world.
  ///
  /// - Parameters:
  ///   - limit: how many parcels can be drawn, 0 ... 100,000.
  ///   - pointLimit: how many points all of them together can have.
  /// - Returns: all of them, or nil where they are more than can be drawn.
  public func parcelOutlines(
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

  /// One parcel of the register as a map draws it; nil when the agency has none of this identifier.
  public func parcelOutline(_ identifier: String) throws -> ParcelOutline? {
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

  /// Where some of the agency's parcels are, those that stand together in the tree: a view of them shows
  /// them. Nil when the register is empty.
  public func parcelNeighbourhood() throws -> DegreeBox? {
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
    // Rounded outwards, a side may lie beyond the Earth's.
    DegreeBox(
      west: max(row["west"], -180), south: max(row["south"], -90), east: min(row["east"], 180),
      north: min(row["north"], 90))
  }
}
