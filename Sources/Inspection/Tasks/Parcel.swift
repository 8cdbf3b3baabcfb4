import Geodesy

/// A piece of land with a known boundary.
public struct Parcel: Hashable, Sendable {
  /// The agency's identifier, unique within the agency.
  public var identifier: String
  /// The rings of the boundary: an outline first, then holes, and for land in several parts the
  /// further outlines and holes. No ring repeats its first point at the end. A point is inside the
  /// parcel if an odd number of rings enclose it.
  public var rings: [[Coordinate]]

  /// Creates a parcel; nil if its outline has fewer than three points.
  public init?(identifier: String, rings: [[Coordinate]]) {
    guard PolygonRegion(rings: rings) != nil else { return nil }
    self.identifier = identifier
    self.rings = rings
  }

  /// The parts of the parcel, each an outline with its holes.
  public var parts: [PolygonPart] { PolygonRegion(rings: rings)?.parts ?? [] }

  /// The area on the ellipsoid, square metres.
  public var areaSquareMetres: Double {
    PolygonRegion(rings: rings)?.areaSquareMetres ?? 0
  }

  /// Returns the distance from a place to the parcel in metres, 0 inside.
  public func distanceMetres(to coordinate: Coordinate) -> Double? {
    PolygonRegion(rings: rings)?.distanceMetres(to: coordinate)
  }

  /// Returns the direction from a place to the parcel, degrees from true north; nil if there is no
  /// direction.
  public func bearingDegrees(from coordinate: Coordinate) -> Double? {
    PolygonRegion(rings: rings)?.bearingDegrees(from: coordinate)
  }
}
