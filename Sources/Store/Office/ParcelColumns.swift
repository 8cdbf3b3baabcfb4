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

/// How many parcels an import found new, changed, and known as they are.
public struct ImportCount: Hashable, Sendable {
  /// Parcels that were not known.
  public let new: Int
  /// Parcels that were known otherwise.
  public let changed: Int
  /// Parcels that were known as they are.
  public let unchanged: Int
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
