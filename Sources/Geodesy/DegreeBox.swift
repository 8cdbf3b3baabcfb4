/// The least rectangle of longitudes and latitudes round some places. It may hold nothing, and never goes
/// over the antimeridian; a part of the world that somebody looks at is a `CoordinateBox`.
public struct DegreeBox: Hashable, Sendable {
  /// Its western edge, degrees.
  public var west = Double.infinity
  /// Its eastern edge, degrees.
  public var east = -Double.infinity
  /// Its southern edge, degrees.
  public var south = Double.infinity
  /// Its northern edge, degrees.
  public var north = -Double.infinity

  /// The rectangle round some places; one that holds nothing where there are none.
  public init(_ places: some Sequence<Coordinate>) {
    for place in places {
      west = min(west, place.longitudeDegrees)
      east = max(east, place.longitudeDegrees)
      south = min(south, place.latitudeDegrees)
      north = max(north, place.latitudeDegrees)
    }
  }

  /// A rectangle from its edges.
  public init(west: Double, south: Double, east: Double, north: Double) {
    (self.west, self.south, self.east, self.north) = (west, south, east, north)
  }

  /// Whether another one lies within, edges included.
  public func holds(_ other: DegreeBox) -> Bool {
    west <= other.west && east >= other.east && south <= other.south && north >= other.north
  }

  /// Whether it has a place in common with a part of the world.
  public func meets(_ box: CoordinateBox) -> Bool {
    box.parts.contains { part in
      west <= part.eastDegrees && east >= part.westDegrees && south <= part.northDegrees
        && north >= part.southDegrees
    }
  }
}
