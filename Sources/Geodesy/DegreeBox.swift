/// The least rectangle of longitudes and latitudes round some places.
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

  /// A rectangle from its edges; west of east may lie beyond the antimeridian.
  public init(west: Double, south: Double, east: Double, north: Double) {
    (self.west, self.south, self.east, self.north) = (west, south, east, north)
  }

  /// Whether another one lies within, edges included.
  public func holds(_ other: DegreeBox) -> Bool {
    west <= other.west && east >= other.east && south <= other.south && north >= other.north
  }

  /// Whether two have a place in common. Where west is more than east, the rectangle lies across the
  /// antimeridian.
  public func meets(_ other: DegreeBox) -> Bool {
    guard south <= other.north, north >= other.south else { return false }
    if west > east {
      return DegreeBox(west: west, south: south, east: 180, north: north).meets(other)
        || DegreeBox(west: -180, south: south, east: east, north: north).meets(other)
    }
    if other.west > other.east { return other.meets(self) }
    return west <= other.east && east >= other.west
  }
}
