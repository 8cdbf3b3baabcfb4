import Evidence
import GRDB
import Geodesy
import Inspection
import Positioning

/// A parcel as the register has it.
public struct RegisteredParcel: Hashable, Sendable {
  /// What was declared.
  public var declared: DeclaredParcel
  /// How often it was changed, counted from 1.
  public var revision: Int
  /// When this revision was imported.
  public var imported: DeviceTime

  /// Its identifier.
  public var identifier: String { declared.parcel.identifier }
}

/// What an import does to a parcel or a task.
public enum ImportEffect: Hashable, Sendable {
  /// It was not known.
  case new
  /// It is known otherwise.
  case changed
  /// It is known as it is.
  case unchanged
}

extension AgencySession {
  /// What keeping a parcel would do; nothing is written.
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

  // MARK: reading

  /// The parcel of that identifier; nil when the agency has none.
  public func parcel(_ identifier: String) throws -> RegisteredParcel? {
    try parcelRow(identifier).map(ParcelColumns.parcel)
  }

  /// How many parcels the agency has.
  public func parcelCount() throws -> Int {
    try Int.fetchOne(
      database, sql: "SELECT count(*) FROM parcel WHERE agency = :agency", arguments: arguments())
      ?? 0
  }

  /// The agency's parcels behind an identifier, in the order of their identifiers.
  public func parcels(after identifier: String?, limit: Int) throws -> [RegisteredParcel] {
    try Row.fetchAll(
      database,
      sql: """
        SELECT * FROM parcel WHERE agency = :agency AND identifier > :identifier
        ORDER BY identifier LIMIT :limit
        """, arguments: arguments(["identifier": identifier ?? "", "limit": limit])
    ).map(ParcelColumns.parcel)
  }

  /// The agency's parcels whose identifiers begin with a text, in their order.
  public func parcels(beginningWith prefix: String, limit: Int) throws -> [RegisteredParcel] {
    try Row.fetchAll(
      database,
      sql: """
        SELECT * FROM parcel WHERE agency = :agency AND identifier >= :prefix
        AND identifier < :prefix || char(1114111) ORDER BY identifier LIMIT :limit
        """, arguments: arguments(["prefix": prefix, "limit": limit])
    ).map(ParcelColumns.parcel)
  }

  // MARK: what tasks are known by

  /// The task that was ordered under a reference; nil when none was.
  public func task(withReference reference: String) throws -> Identifier? {
    try String.fetchOne(
      database.cachedStatement(
        sql: "SELECT task FROM task_reference WHERE agency = :agency AND reference = :reference"),
      arguments: arguments(["reference": reference])
    ).flatMap(Identifier.init(_:))
  }

  /// Keeps what a task is known by to whoever orders it.
  public func keep(reference: String, ofTask id: Identifier) throws {
    try database.cachedStatement(
      sql: """
        INSERT OR REPLACE INTO task_reference (agency, reference, task)
        VALUES (:agency, :reference, :task)
        """
    ).execute(arguments: arguments(["reference": reference, "task": id.description]))
  }
}

/// A parcel as the columns of its table.
struct ParcelColumns {
  let identifier: String
  let name: String?
  let crop: String?
  let type: String?
  let area: Double?
  let determined: Int64?
  let outline: String
  /// The rectangles that hold it: one, or one on either side of the antimeridian.
  let boxes: [DegreeBox]

  init(_ declared: DeclaredParcel) {
    identifier = declared.parcel.identifier
    name = declared.name
    crop = declared.crop
    type = declared.type
    area = declared.declaredAreaSquareMetres
    determined = declared.determined?.millisecondsSince1970
    let rings = declared.parcel.rings
    outline = Self.text(
      rings.count == 1
        ? [PolygonPartRings(rings: rings)]
        : declared.parcel.parts.map { PolygonPartRings(rings: [$0.outline] + $0.holes) })
    boxes = Self.boxes(rings)
  }

  var values: [String: (any DatabaseValueConvertible)?] {
    [
      "identifier": identifier, "name": name, "crop": crop, "type": type, "area": area,
      "determined": determined, "outline": outline,
    ]
  }

  /// How many points the outline has: each bracket is one, those round rings and parts among them.
  var points: Int { outline.utf8.count { $0 == UInt8(ascii: "[") } }

  /// One rectangle round the rings, and two where that would reach all round the Earth: a parcel on both
  /// sides of the antimeridian is kept as parts, with corners at 180 and at -180.
  private static func boxes(_ rings: [[Coordinate]]) -> [DegreeBox] {
    let whole = DegreeBox(rings.joined())
    guard whole.east - whole.west > 180 else { return [whole] }
    let sides = Dictionary(grouping: rings) { DegreeBox($0).west < 0 }
    return [false, true].compactMap { sides[$0].map { DegreeBox($0.joined()) } }
  }

  private struct PolygonPartRings {
    var rings: [[Coordinate]]
  }

  /// The coordinates of a MultiPolygon, as GeoJSON writes them: each number with the digits that it
  /// takes to read it back.
  private static func text(_ parts: [PolygonPartRings]) -> String {
    var text = "["
    for (place, part) in parts.enumerated() {
      text += place == 0 ? "[" : ",["
      for (number, ring) in part.rings.enumerated() {
        text += number == 0 ? "[" : ",["
        for corner in ring {
          text += "[\(corner.longitudeDegrees),\(corner.latitudeDegrees)],"
        }
        // GeoJSON's rings end where they began.
        if let first = ring.first {
          text += "[\(first.longitudeDegrees),\(first.latitudeDegrees)]"
        }
        text += "]"
      }
      text += "]"
    }
    return text + "]"
  }

  static func parcel(_ row: Row) throws -> RegisteredParcel {
    let identifier: String = row["identifier"]
    func damaged() -> StoreError { .damagedRow("parcel \(identifier)") }
    let outline: String = row["outline"]
    guard let parts = try? JSONValue(parsing: Array(outline.utf8)).elements else { throw damaged() }
    var rings: [[Coordinate]] = []
    for part in parts {
      for ring in part.elements ?? [] {
        var corners: [Coordinate] = []
        for corner in ring.elements ?? [] {
          guard let numbers = corner.elements, numbers.count == 2,
            case .number(let longitude) = numbers[0], case .number(let latitude) = numbers[1],
            let place = Coordinate(latitudeDegrees: latitude, longitudeDegrees: longitude)
          else { throw damaged() }
          corners.append(place)
        }
        rings.append(Array(corners.dropLast()))
      }
    }
    guard let parcel = Parcel(identifier: identifier, rings: rings) else { throw damaged() }
    return RegisteredParcel(
      declared: DeclaredParcel(
        parcel: parcel, name: row["name"], crop: row["crop"], type: row["type"],
        declaredAreaSquareMetres: row["area"],
        determined: (row["determined"] as Int64?).map(DeviceTime.init(millisecondsSince1970:))),
      revision: row["revision"],
      imported: DeviceTime(millisecondsSince1970: row["imported"]))
  }
}
