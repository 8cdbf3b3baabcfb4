import CGeodesic

/// A path of geodesic edges of any length that is measured while it grows: its coordinates are not
/// kept.
public struct GeodesicPath {
  private var ring = GeodesicRing()
  private var first: Coordinate?
  private var last: Coordinate?
  /// The number of coordinates added so far.
  public private(set) var count = 0

  /// Creates a path without coordinates.
  public init() {}

  /// Continues the path to `coordinate`.
  public mutating func add(_ coordinate: Coordinate) {
    if !isKnownUniquelyReferenced(&ring) { ring = GeodesicRing(copying: ring) }
    ring.add(coordinate)
    if first == nil { first = coordinate }
    last = coordinate
    count += 1
  }

  /// Length in metres of the open path; 0 for fewer than two coordinates.
  public var lengthMetres: Double {
    guard count > 1, let first, let last else { return 0 }
    return max(0, ring.measured.perimeter - Geodesic.distanceMetres(from: last, to: first))
  }

  /// Area in square metres that the path encloses if its end is joined to its beginning, never
  /// negative: the smaller of the two parts of the Earth. 0 for fewer than three coordinates.
  public var areaSquareMetres: Double { count < 3 ? 0 : abs(ring.measured.area) }
}

/// A ring of GeographicLib's, freed with its last owner.
final class GeodesicRing {
  private let ring: OpaquePointer

  /// Creates a ring without corners.
  convenience init() { self.init(geodesic_ring_make()) }

  /// Creates a ring that grows on by itself.
  convenience init(copying other: GeodesicRing) { self.init(geodesic_ring_copy(other.ring)) }

  private init(_ ring: OpaquePointer?) {
    guard let ring else { fatalError("There is no memory for a ring.") }
    self.ring = ring
  }

  deinit { geodesic_ring_free(ring) }

  func add(_ corner: Coordinate) {
    geodesic_ring_add(ring, corner.latitudeDegrees, corner.longitudeDegrees)
  }

  /// The area, positive if the ring runs counter-clockwise, and the perimeter of the closed ring.
  var measured: (area: Double, perimeter: Double) {
    var (area, perimeter) = (0.0, 0.0)
    geodesic_ring_measure(ring, &area, &perimeter)
    return (area, perimeter)
  }
}
