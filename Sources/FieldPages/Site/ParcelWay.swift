import FieldUnit
import Geodesy
import Inspection
import TimeAndText

/// The distance and direction of a parcel from the present place of the inspector.
struct ParcelWay: Hashable, Sendable {
  /// Distance in metres to the nearest edge of the parcel; 0 inside.
  var distanceMetres: Double
  /// Bearing of that edge in degrees from true north; nil inside.
  var bearingDegrees: Double?

  /// Creates the way to a parcel; nil without a parcel or a fresh position.
  init?(to parcel: Parcel?, from here: Coordinate?) {
    guard let parcel, let here, let distance = parcel.distanceMetres(to: here), distance.isFinite
    else { return nil }
    distanceMetres = distance
    bearingDegrees = distance > 0 ? parcel.bearingDegrees(from: here) : nil
  }

  /// The way in words, such as "340 m, 45°"; nil inside the parcel.
  var text: String? {
    guard distanceMetres > 0 else { return nil }
    let metres =
      distanceMetres < 1000
      ? "\(DecimalText.fixed(distanceMetres, places: 0)) m"
      : "\(DecimalText.fixed(distanceMetres / 1000, places: 1)) km"
    guard let bearingDegrees else { return metres }
    // The bearing is rounded first, so that 359.7° becomes 0° and not 360°.
    let rounded = bearingDegrees.rounded().truncatingRemainder(dividingBy: 360)
    let degrees = rounded < 0 ? rounded + 360 : abs(rounded)
    return "\(metres), \(DecimalText.fixed(degrees, places: 0))°"
  }
}
