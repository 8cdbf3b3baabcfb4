import Foundation
import Geodesy
import TimeAndText

/// Numbers with their units, as the pages write them.
extension PDFWords {
  /// Returns a number with fixed decimals; nil if it is unknown or not a finite number.
  static func number(_ value: Double?, places: Int) -> String? {
    guard let value, value.isFinite else { return nil }
    let text = DecimalText.fixed(value, places: places)
    return text == "nan" ? nil : text
  }

  static func number(_ value: Double?, places: Int, unit: String) -> String {
    number(value, places: places).map { $0 + unit } ?? notKnown
  }

  /// Returns degrees with seven decimals; the seventh is about a centimetre on the ground.
  static func degrees(_ value: Double) -> String { number(value, places: 7, unit: "°") }

  static func metres(_ value: Double?) -> String { number(value, places: 2, unit: " m") }

  /// Returns the length of the scale's bar in words: it is 1, 2 or 5 times a power of ten, so that
  /// no more digits are needed.
  static func step(_ metres: Double) -> String {
    if metres >= 1000 { return number(metres / 1000, places: 0, unit: " km") }
    return number(metres, places: metres < 1 ? 2 : 0, unit: " m")
  }

  static func distance(_ metres: Double) -> String {
    metres < 1000
      ? number(metres, places: 0, unit: " m") : number(metres / 1000, places: 1, unit: " km")
  }

  /// Returns an azimuth in whole degrees, 0 to 359.
  static func bearing(_ degrees: Double) -> String {
    let whole = degrees.rounded().truncatingRemainder(dividingBy: 360)
    return number(whole < 0 ? whole + 360 : whole, places: 0, unit: "°")
  }

  static func area(_ squareMetres: Double) -> String {
    number(squareMetres, places: 1, unit: " m²")
      + " (" + number(squareMetres / 10_000, places: 4, unit: " ha") + ")"
  }

  static func area(_ squareMetres: Double?, uncertainty: Double?) -> String {
    guard let text = number(squareMetres, places: 1) else { return notKnown }
    return "\(text) ± \(number(uncertainty, places: 1) ?? notKnown) m²"
  }

  static func plusMinus(_ metres: Double?) -> String {
    number(metres, places: 2).map { "± \($0) m" } ?? notKnown
  }

  /// Returns degrees with one standard deviation.
  static func angle(_ degrees: Double?, accuracy: Double?) -> String {
    guard let text = number(degrees, places: 1) else { return notKnown }
    return "\(text)° " + (number(accuracy, places: 1).map { "± \($0)°" } ?? "(± \(notKnown))")
  }

  static func pixels(_ width: Int, _ height: Int) -> String { "\(width) × \(height)" }

  // MARK: times

  /// Returns a time to the second, with UTC.
  static func seconds(_ time: DeviceTime) -> String {
    "\(time.date.iso8601) \(time.gnssTime.timeOfDay.prefix(8)) UTC"
  }

  /// Returns a time to the second, for a column whose head says UTC.
  static func bareSeconds(_ time: DeviceTime) -> String {
    "\(time.date.iso8601) \(time.gnssTime.timeOfDay.prefix(8))"
  }

  /// Returns a time to the millisecond, with UTC; says so if the date is not known.
  static func milliseconds(_ time: GNSSTime) -> String {
    time.date.map { "\($0.iso8601) \(time.timeOfDay) UTC" }
      ?? "\(time.timeOfDay) UTC, \(dateNotKnown)"
  }

  static func difference(_ device: DeviceTime, _ gnss: GNSSTime) -> String {
    let seconds = device.gnssTime.seconds(since: gnss)
    return number(seconds, places: 3).map { (seconds < 0 ? "" : "+") + $0 + " s" } ?? notKnown
  }
}
