import Geodesy

/// A piece of land with a known outline.
public struct Parcel: Hashable, Sendable {
  /// The agency's identifier, unique within it.
  public var identifier: String
  /// Its rings: an outline first; then holes, and of land in several parts their outlines and
  /// holes; each without a repeated closing point. Land is what an odd number of them lies round.
  public var rings: [[Coordinate]]

  /// A parcel; nil when its outline has fewer than three points.
  public init?(identifier: String, rings: [[Coordinate]]) {
    guard PolygonRegion(rings: rings) != nil else { return nil }
    self.identifier = identifier
    self.rings = rings
  }

  /// Its parts, each an outline with its holes.
  public var parts: [PolygonPart] { PolygonRegion(rings: rings)?.parts ?? [] }

  /// Its area on the ellipsoid, square metres.
  public var areaSquareMetres: Double {
    PolygonRegion(rings: rings)?.areaSquareMetres ?? 0
  }

  /// Metres from a place to the parcel, 0 inside.
  public func distanceMetres(to coordinate: Coordinate) -> Double? {
    PolygonRegion(rings: rings)?.distanceMetres(to: coordinate)
  }

  /// Degrees from true north from a place to the parcel; nil where that has no direction.
  public func bearingDegrees(from coordinate: Coordinate) -> Double? {
    PolygonRegion(rings: rings)?.bearingDegrees(from: coordinate)
  }
}
