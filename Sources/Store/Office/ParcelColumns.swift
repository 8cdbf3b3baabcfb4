import Evidence
import GRDB
import Geodesy
import Inspection
import TimeAndText

/// A parcel in the register.
public struct RegisteredParcel: Hashable, Sendable {
  /// The parcel as it was declared.
  public var declared: DeclaredParcel
  /// The number of the parcel's revision, from 1.
  public var revision: Int
  /// The time when this revision was imported.
  public var imported: DeviceTime

  /// The parcel's identifier.
  public var identifier: String { declared.parcel.identifier }
}

/// The effect of an import on a parcel or a task.
public enum ImportEffect: Hashable, Sendable {
  /// The identifier was unknown.
  case new
  /// The identifier was known with other values.
  case changed
  /// The identifier was known with the same values.
  case unchanged
}

/// The numbers of parcels that an import found new, changed and unchanged.
public struct ImportCount: Hashable, Sendable {
  /// The number of parcels that were unknown.
  public let new: Int
  /// The number of parcels that were known with other values.
  public let changed: Int
  /// The number of parcels that were known with the same values.
  public let unchanged: Int
}

/// The columns of the table `parcel`.
struct ParcelColumns {
  let identifier: String
  let name: String?
  let crop: String?
  let type: String?
  let area: Double?
  let determined: Int64?
  let outline: String
  /// The rectangles that hold the parcel: one, or one on each side of the antimeridian.
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

  /// The number of points of the outline: each `[` counts as one, those of rings and parts included.
  var points: Int { outline.utf8.count { $0 == UInt8(ascii: "[") } }

  /// Returns one rectangle round the rings, or two if one would reach all round the Earth: a parcel
  /// on both sides of the antimeridian is kept as parts, with corners at 180° and at −180°.
  private static func boxes(_ rings: [[Coordinate]]) -> [DegreeBox] {
    let whole = DegreeBox(rings.joined())
    guard whole.east - whole.west > 180 else { return [whole] }
    let sides = Dictionary(grouping: rings) { DegreeBox($0).west < 0 }
    return [false, true].compactMap { sides[$0].map { DegreeBox($0.joined()) } }
  }

  private struct PolygonPartRings {
    var rings: [[Coordinate]]
  }

  /// Returns the coordinates of a MultiPolygon as GeoJSON writes them, each number with the digits
  /// needed to read it back exactly.
  private static func text(_ parts: [PolygonPartRings]) -> String {
    var text = "["
    for (place, part) in parts.enumerated() {
      text += place == 0 ? "[" : ",["
      for (number, ring) in part.rings.enumerated() {
        text += number == 0 ? "[" : ",["
        for corner in ring {
          text += "[\(corner.longitudeDegrees),\(corner.latitudeDegrees)],"
        }
        // A ring in GeoJSON ends with its first point.
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
