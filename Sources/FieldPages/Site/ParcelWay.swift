import FieldUnit
import Geodesy
import Inspection
import TimeAndText
import Web

/// The distance and direction of a parcel from the present place of the inspector.
struct ParcelWay: Hashable, Sendable {
  /// Distance in metres to the nearest edge of the parcel; 0 inside.
  var distanceMetres: Double
  /// Bearing of that edge in degrees from true north; nil inside.
  var bearingDegrees: Double?

  /// Creates the way over a distance in metres, with its bearing in degrees from true north.
  init(distanceMetres: Double, bearingDegrees: Double? = nil) {
    (self.distanceMetres, self.bearingDegrees) = (distanceMetres, bearingDegrees)
  }

  /// Creates the way to a parcel; nil without a parcel or a fresh position.
  init?(to parcel: Parcel?, from here: Coordinate?) {
    guard let parcel, let here, let distance = parcel.distanceMetres(to: here), distance.isFinite
    else { return nil }
    distanceMetres = distance
    bearingDegrees = distance > 0 ? parcel.bearingDegrees(from: here) : nil
  }

  /// The way in words, such as "340 m, 45°"; nil inside the parcel.
  var text: String? {
    distanceText.map { metres in degreesText.map { "\(metres), \($0)°" } ?? metres }
  }

  /// The distance in words, such as "340 m" or "1.2 km"; nil inside the parcel.
  var distanceText: String? {
    distanceMetres > 0 ? Texts.current.form.distance(metres: distanceMetres) : nil
  }

  /// The bearing in whole degrees, "0" to "359"; nil inside the parcel.
  var degreesText: String? {
    bearingDegrees.map { bearing in
      // The bearing is rounded first, so that 359.7° becomes 0° and not 360°.
      let rounded = bearing.rounded().truncatingRemainder(dividingBy: 360)
      return DecimalText.fixed(rounded < 0 ? rounded + 360 : abs(rounded), places: 0)
    }
  }

  /// The nearest of the eight winds, 0 for north, 1 for north-east and so on; nil inside the parcel.
  var wind: Int? {
    bearingDegrees.map { bearing in
      let eighth = Int((bearing / 45).rounded()) % 8
      return eighth < 0 ? eighth + 8 : eighth
    }
  }
}
