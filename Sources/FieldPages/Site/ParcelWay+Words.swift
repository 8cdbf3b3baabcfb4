import Inspection
import TimeAndText
import Web

extension ParcelWay {
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
}
