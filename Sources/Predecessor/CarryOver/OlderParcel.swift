import Evidence
import Geodesy
import Imports
import Inspection
import TimeAndText

/// A parcel as an EGNSS4CAP office's database has it.
public enum OlderParcel {
  /// Reads a row of the table of parcels.
  /// - Parameters:
  ///   - identifier: the register's name of the parcel.
  ///   - description: the agency's words for it; nil if there are none. Words that no list can show
  ///     are left out.
  ///   - geometry: JSON, an array of rings, each an array of latitude and longitude in degrees: an
  ///     outline and its holes; and if the land has several parts, those of each part.
  /// - Throws: `ImportFault` without a line.
  public static func read(
    identifier: String, description: String?, geometry: String?
  ) throws(ImportFault) -> DeclaredParcel {
    let limits = ImportLimits()
    guard
      let identifier = try ImportText.checked(
        identifier, name: "identificator", charactersAtMost: 200)
    else { throw ImportFault("it has no identifier") }
    guard let geometry, !geometry.isEmpty else { throw ImportFault("it has no outline") }
    guard geometry.utf8.count <= limits.rowBytes else {
      throw ImportFault("its outline has more than \(limits.rowBytes >> 20) MiB")
    }
    let json: JSONValue
    do {
      json = try JSONValue(parsing: Array(geometry.utf8), depthLimit: limits.depth)
    } catch {
      throw ImportFault("its outline is not JSON: \(ImportText.shown(error.wording))")
    }
    let rings = try OutlineRules(limits: limits).rings(ofLatitudesFirst: json)
    guard let parcel = Parcel(identifier: identifier, rings: rings) else {
      throw ImportFault("its outline has fewer than three points")
    }
    // The description is a text there and one line here: only the beginning of a long text is kept.
    let words = (description ?? "").unicodeScalars.map {
      $0.properties.generalCategory == .control ? " " : Character($0)
    }
    let line = String(words).split(separator: " ").joined(separator: " ").prefix(200)
    let name = try? ImportText.checked(
      String(line), name: "pa_description", charactersAtMost: 200)
    return DeclaredParcel(parcel: parcel, name: name ?? nil)
  }
}

extension OutlineRules {
  /// Reads the rings from an array of rings of latitude and longitude, and returns each outline
  /// before its holes.
  /// - Throws: `ImportFault` without a line.
  func rings(ofLatitudesFirst geometry: JSONValue) throws(ImportFault) -> [[Coordinate]] {
    guard let elements = geometry.elements else {
      throw ImportFault("its outline is not an array of rings")
    }
    var rings: [[Coordinate]] = []
    var corners = 0
    for element in elements {
      guard let points = element.elements else {
        throw ImportFault("its outline is not an array of rings")
      }
      corners += points.count
      guard rings.count < limits.rings else {
        throw ImportFault("it has more than \(limits.rings) rings: divide it")
      }
      guard corners <= limits.corners else {
        throw ImportFault("it has more than \(limits.corners) corners: simplify it")
      }
      var ring: [Coordinate] = []
      for point in points {
        guard let numbers = point.elements, numbers.count >= 2,
          let latitude = Self.degrees(numbers[0]), let longitude = Self.degrees(numbers[1]),
          let corner = Coordinate(latitudeDegrees: latitude, longitudeDegrees: longitude)
        else {
          throw ImportFault("a corner of its outline is not a latitude and longitude in degrees")
        }
        ring.append(corner)
      }
      rings.append(ring)
    }
    // A flat list of rings does not say which ones are holes: their places show it.
    guard rings.count > 1, let region = PolygonRegion(rings: rings) else {
      return try self.rings(of: [rings])
    }
    return try self.rings(of: region.parts.map { [$0.outline] + $0.holes })
  }

  /// Returns a number that is written as a number or as text; nil for any other value.
  private static func degrees(_ value: JSONValue) -> Double? {
    if case .number(let number) = value { return number }
    return value.measured
  }
}
