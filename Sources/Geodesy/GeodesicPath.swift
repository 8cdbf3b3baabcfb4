import CProj

/// A path of geodesic edges of any length that is measured while it grows: its coordinates are not
/// kept.
public struct GeodesicPath {
  private var geodesic: geod_geodesic
  private var ring = geod_polygon()
  private var first: Coordinate?
  private var last: Coordinate?
  /// The number of coordinates added so far.
  public private(set) var count = 0

  /// Creates a path without coordinates.
  public init() {
    geodesic = geod_geodesic()
    geod_init(&geodesic, Ellipsoid.semiMajorAxisMetres, Ellipsoid.flattening)
    geod_polygon_init(&ring, 0)
  }

  /// Continues the path to `coordinate`.
  public mutating func add(_ coordinate: Coordinate) {
    geod_polygon_addpoint(
      &geodesic, &ring, coordinate.latitudeDegrees, coordinate.longitudeDegrees)
    if first == nil { first = coordinate }
    last = coordinate
    count += 1
  }

  /// Length in metres of the open path; 0 for fewer than two coordinates.
  public var lengthMetres: Double {
    guard count > 1, let first, let last else { return 0 }
    return max(0, closed.perimeter - Geodesic.distanceMetres(from: last, to: first))
  }

  /// Area in square metres that the path encloses if its end is joined to its beginning, never
  /// negative: the smaller of the two parts of the Earth. 0 for fewer than three coordinates.
  public var areaSquareMetres: Double { count < 3 ? 0 : abs(closed.area) }

  private var closed: (area: Double, perimeter: Double) {
    var (geodesic, ring) = (geodesic, ring)
    var area = 0.0
    var perimeter = 0.0
    geod_polygon_compute(&geodesic, &ring, 0, 1, &area, &perimeter)
    return (area, perimeter)
  }
}
