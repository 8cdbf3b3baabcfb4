/// A place on the WGS 84 ellipsoid, without a height.
///
/// Longitudes 180 and -180 name the same meridian and are kept as they came; equality compares the
/// numbers, not the places.
public struct Coordinate: Hashable, Sendable {
  /// Geodetic latitude in degrees, -90 ... 90, north positive.
  public let latitudeDegrees: Double
  /// Longitude in degrees, -180 ... 180, east positive.
  public let longitudeDegrees: Double

  /// Creates a coordinate from two angles in degrees.
  ///
  /// Nil if a number is not finite, or if the latitude is outside -90 ... 90 or the longitude
  /// outside -180 ... 180.
  public init?(latitudeDegrees: Double, longitudeDegrees: Double) {
    // A comparison with NaN is false, so this guard refuses NaN as well.
    guard abs(latitudeDegrees) <= 90, abs(longitudeDegrees) <= 180 else { return nil }
    self.latitudeDegrees = latitudeDegrees
    self.longitudeDegrees = longitudeDegrees
  }

  /// Creates a coordinate from a result of this module, whose range is known up to rounding.
  init(computedLatitudeDegrees latitude: Double, longitudeDegrees longitude: Double) {
    latitudeDegrees = min(max(latitude, -90), 90)
    longitudeDegrees = Self.wrapped(longitudeDegrees: longitude)
  }

  /// Returns the longitude of a meridian in degrees, -180 ... 180, however often its angle goes
  /// round the Earth; NaN for an angle that is not finite.
  public static func wrapped(longitudeDegrees: Double) -> Double {
    abs(longitudeDegrees) <= 180 ? longitudeDegrees : longitudeDegrees.remainder(dividingBy: 360)
  }
}
