/// A place on the WGS 84 ellipsoid, without a height.
///
/// Longitudes 180 and -180 name the same meridian and are kept as they came; equality compares the
/// numbers, not the places.
public struct Coordinate: Hashable, Sendable {
  /// Geodetic latitude in degrees, -90 ... 90, north positive.
  public let latitudeDegrees: Double
  /// Longitude in degrees, -180 ... 180, east positive.
  public let longitudeDegrees: Double

  /// The coordinate of the two angles in degrees.
  ///
  /// Nil when a number is not finite, or when the latitude leaves -90 ... 90 or the longitude leaves
  /// -180 ... 180.
  public init?(latitudeDegrees: Double, longitudeDegrees: Double) {
    // A comparison with NaN is false, so these two lines refuse it as well.
    guard abs(latitudeDegrees) <= 90, abs(longitudeDegrees) <= 180 else { return nil }
    self.latitudeDegrees = latitudeDegrees
    self.longitudeDegrees = longitudeDegrees
  }

  /// For results computed in this module, whose range is known up to rounding.
  init(computedLatitudeDegrees latitude: Double, longitudeDegrees longitude: Double) {
    latitudeDegrees = min(max(latitude, -90), 90)
    longitudeDegrees = abs(longitude) <= 180 ? longitude : longitude.remainder(dividingBy: 360)
  }
}
