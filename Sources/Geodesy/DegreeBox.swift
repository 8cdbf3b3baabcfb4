import Foundation

/// The smallest rectangle of longitudes and latitudes around some places. The rectangle may be
/// empty, and never crosses the antimeridian; a part of the world that a map shows is a
/// `CoordinateBox`.
public struct DegreeBox: Hashable, Sendable {
  /// The western edge, degrees; +∞ if the rectangle is empty.
  public var west = Double.infinity
  /// The eastern edge, degrees; -∞ if the rectangle is empty.
  public var east = -Double.infinity
  /// The southern edge, degrees; +∞ if the rectangle is empty.
  public var south = Double.infinity
  /// The northern edge, degrees; -∞ if the rectangle is empty.
  public var north = -Double.infinity

  /// Creates the rectangle around some places; an empty rectangle if there are no places.
  public init(_ places: some Sequence<Coordinate>) {
    for place in places {
      west = min(west, place.longitudeDegrees)
      east = max(east, place.longitudeDegrees)
      south = min(south, place.latitudeDegrees)
      north = max(north, place.latitudeDegrees)
    }
  }

  /// Creates a rectangle from its four edges in degrees.
  public init(west: Double, south: Double, east: Double, north: Double) {
    (self.west, self.south, self.east, self.north) = (west, south, east, north)
  }

  /// Returns true if another rectangle lies within this one, edges included.
  public func holds(_ other: DegreeBox) -> Bool {
    west <= other.west && east >= other.east && south <= other.south && north >= other.north
  }

  /// Returns the rectangle with so many metres more on each side, cut off at the antimeridian and at
  /// the poles; nil for an empty rectangle.
  public func widened(byMetres metres: Double) -> CoordinateBox? {
    let metresOfDegree = 111_320.0
    let up = metres / metresOfDegree
    let widest = max(abs(south), abs(north))
    let aside = up / max(0.01, cos(min(widest, 90) * .pi / 180))
    guard west <= east, south <= north else { return nil }
    return CoordinateBox(
      westDegrees: max(-180, west - aside), southDegrees: max(-90, south - up),
      eastDegrees: min(180, east + aside), northDegrees: min(90, north + up))
  }

  /// Returns true if the rectangle has a place in common with a part of the world.
  public func meets(_ box: CoordinateBox) -> Bool {
    box.parts.contains { part in
      west <= part.eastDegrees && east >= part.westDegrees && south <= part.northDegrees
        && north >= part.southDegrees
    }
  }
}
