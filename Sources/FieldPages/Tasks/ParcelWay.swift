import FieldUnit
import Geodesy
import Inspection
import Positioning

/// How far a parcel is and in which direction, from where somebody stands just now.
struct ParcelWay: Hashable, Sendable {
  /// Metres to the parcel's nearest edge; 0 inside.
  var distanceMetres: Double
  /// Degrees from true north to there; nil inside.
  var bearingDegrees: Double?

  /// Nil where there is no parcel, or no fresh position.
  init?(to parcel: Parcel?, from here: Coordinate?) {
    guard let parcel, let here, let distance = parcel.distanceMetres(to: here), distance.isFinite
    else { return nil }
    distanceMetres = distance
    bearingDegrees = distance > 0 ? parcel.bearingDegrees(from: here) : nil
  }

  /// "340 m, 45°"; nil inside.
  var text: String? {
    guard distanceMetres > 0 else { return nil }
    let metres =
      distanceMetres < 1000
      ? "\(DecimalText.fixed(distanceMetres, places: 0)) m"
      : "\(DecimalText.fixed(distanceMetres / 1000, places: 1)) km"
    guard let bearingDegrees else { return metres }
    // Rounded first: nobody walks towards 360°.
    let rounded = bearingDegrees.rounded().truncatingRemainder(dividingBy: 360)
    let degrees = rounded < 0 ? rounded + 360 : abs(rounded)
    return "\(metres), \(DecimalText.fixed(degrees, places: 0))°"
  }
}
