import Foundation
import Geodesy
import Inspection
import Positioning

/// A task as somebody ordered it, before it has an identifier of its own.
public struct TaskOrder: Hashable, Sendable {
  /// Name on the list.
  public var name: String
  /// The agency's word for its kind; nil without one.
  public var type: String?
  /// What to do.
  public var instructions: String?
  /// Until when; nil without a date.
  public var due: DeviceTime?
  /// Login of its inspector; nil where the file leaves it to the reader.
  public var inspector: String?
  /// The land; nil where the feature has no geometry.
  public var parcel: Parcel?

  /// An order from its parts.
  public init(
    name: String, type: String? = nil, instructions: String? = nil, due: DeviceTime? = nil,
    inspector: String? = nil, parcel: Parcel? = nil
  ) {
    self.name = name
    self.type = type
    self.instructions = instructions
    self.due = due
    self.inspector = inspector
    self.parcel = parcel
  }
}

/// What can be wrong with a file of tasks.
public struct TaskFileError: Error, Hashable, Sendable, CustomStringConvertible {
  /// Which feature, counted from 1; nil when it is the whole file.
  public var feature: Int?
  /// What is wrong with it.
  public var words: String

  /// One line that says what and where.
  public var description: String {
    feature.map { "feature \($0): \(words)" } ?? words
  }
}

/// Tasks as GeoJSON (RFC 7946): a feature collection whose geometries are the parcels, and whose
/// properties are `identifier name type instructions due inspector`.
public enum TaskFile {
  private struct Collection: Decodable {
    var type: String
    var features: [Feature]
  }

  private struct Feature: Decodable {
    var type: String
    var geometry: Geometry?
    var properties: Properties?
  }

  private struct Geometry: Decodable {
    var type: String
    var rings: [[[Double]]]

    enum CodingKeys: String, CodingKey {
      case type, coordinates
    }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      type = try container.decode(String.self, forKey: .type)
      rings =
        type == "Polygon" ? try container.decode([[[Double]]].self, forKey: .coordinates) : []
    }
  }

  private struct Properties: Decodable {
    var identifier: String?
    var name: String?
    var type: String?
    var instructions: String?
    var due: String?
    var inspector: String?
  }

  /// Reads a file's bytes. Either all features can be used, or none is: a list that is half taken is
  /// worse than none.
  /// - Throws: `TaskFileError` with the feature and what is wrong with it.
  public static func orders(fromGeoJSON bytes: Data) throws(TaskFileError) -> [TaskOrder] {
    let collection: Collection
    do {
      collection = try JSONDecoder().decode(Collection.self, from: bytes)
    } catch {
      throw wrong(error)
    }
    guard collection.type == "FeatureCollection" else {
      throw TaskFileError(
        feature: nil, words: "its type is \(collection.type), not FeatureCollection")
    }
    guard !collection.features.isEmpty else {
      throw TaskFileError(feature: nil, words: "the feature collection is empty")
    }
    var orders: [TaskOrder] = []
    for (index, feature) in collection.features.enumerated() {
      do {
        orders.append(try order(feature, number: index + 1))
      } catch {
        throw TaskFileError(feature: index + 1, words: error.words)
      }
    }
    return orders
  }

  private static func order(
    _ feature: Feature, number: Int
  ) throws(TaskFileError) -> TaskOrder {
    func wrong(_ words: String) -> TaskFileError { TaskFileError(feature: nil, words: words) }
    guard feature.type == "Feature" else {
      throw wrong("its type is \(feature.type), not Feature")
    }
    let properties = feature.properties
    let identifier = properties?.identifier.flatMap(known)
    guard let name = properties?.name.flatMap(known) ?? identifier else {
      throw wrong("it has neither a name nor an identifier")
    }
    var due: DeviceTime?
    if let text = properties?.due.flatMap(known) {
      // A date alone means its last second.
      due = DeviceTime(rfc3339: text) ?? DeviceTime(rfc3339: "\(text)T23:59:59Z")
      guard due != nil else {
        throw wrong("due \"\(text)\" is neither a date (2026-06-30) nor a time with its offset")
      }
    }
    var parcel: Parcel?
    if let geometry = feature.geometry {
      guard geometry.type == "Polygon" else {
        throw wrong("its geometry is a \(geometry.type); parcels are Polygons")
      }
      let rings = try geometry.rings.map(ring)
      parcel = Parcel(identifier: identifier ?? name, rings: rings)
      guard parcel != nil else { throw wrong("its outline has fewer than three points") }
      guard rings.dropFirst().allSatisfy({ Set($0).count >= 3 }) else {
        throw wrong("a hole of its outline has fewer than three points")
      }
    }
    return TaskOrder(
      name: name, type: properties?.type.flatMap(known),
      instructions: properties?.instructions.flatMap(known), due: due,
      inspector: properties?.inspector.flatMap(known), parcel: parcel)
  }

  /// Programs write an empty text where they have nothing to say.
  private static func known(_ text: String) -> String? {
    text.allSatisfy(\.isWhitespace) ? nil : text
  }

  private static func ring(_ positions: [[Double]]) throws(TaskFileError) -> [Coordinate] {
    var ring: [Coordinate] = []
    for position in positions {
      // The order is longitude, latitude.
      guard position.count >= 2,
        let coordinate = Coordinate(
          latitudeDegrees: position[1], longitudeDegrees: position[0])
      else {
        throw TaskFileError(
          feature: nil,
          words: "\(position) is no longitude and latitude in degrees")
      }
      ring.append(coordinate)
    }
    if ring.count > 1, ring.first == ring.last { ring.removeLast() }
    return ring
  }

  /// Says where JSON is not what it must be: in which feature, and in which of its members.
  private static func wrong(_ error: any Error) -> TaskFileError {
    func wrong(_ path: [any CodingKey], _ words: (String) -> String) -> TaskFileError {
      let feature = path.count > 1 && path[0].stringValue == "features" ? path[1].intValue : nil
      let members = path.dropFirst(feature == nil ? 0 : 2).filter { $0.intValue == nil }
      let words = words(members.map(\.stringValue).joined(separator: "."))
      return feature.map { TaskFileError(feature: $0 + 1, words: words) }
        ?? TaskFileError(feature: nil, words: "not a GeoJSON feature collection: \(words)")
    }
    switch error {
    case DecodingError.keyNotFound(let key, let context):
      return wrong(context.codingPath + [key]) { "\"\($0)\" is missing" }
    case DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context):
      return wrong(context.codingPath) {
        $0.isEmpty ? "it is no object" : "\"\($0)\" is of another type"
      }
    default: return wrong([]) { _ in "it is no JSON" }
    }
  }
}
