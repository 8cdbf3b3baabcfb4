import Foundation
import Geodesy
import TimeAndText

/// Numbers with their units, as the pages write them. A no-break space stands before a unit and
/// inside a date, so that no line ends there.
extension DocumentWords {
  /// Returns a number with fixed decimals; nil if it is unknown or not a finite number.
  func number(_ value: Double?, places: Int) -> String? {
    guard let value, value.isFinite else { return nil }
    let text = DecimalText.fixed(value, places: places)
    if text == "nan" { return nil }
    let written = t.form.decimal(text)
    return value < 0 && written.utf8.first == UInt8(ascii: "-")
      ? "−\(written.dropFirst())" : written
  }

  func number(_ value: Double?, places: Int, unit: String) -> String {
    number(value, places: places).map { $0 + unit } ?? notKnown
  }

  /// Returns degrees with seven decimals; the seventh is about a centimetre on the ground.
  func place(_ coordinate: Coordinate) -> String {
    let (latitude, longitude) = (coordinate.latitudeDegrees, coordinate.longitudeDegrees)
    let north = number(abs(latitude), places: 7) ?? notKnown
    let east = number(abs(longitude), places: 7) ?? notKnown
    return (latitude < 0 ? t("{1}° S", north) : t("{1}° N", north)) + ", "
      + (longitude < 0 ? t("{1}° W", east) : t("{1}° E", east))
  }

  /// Returns the length of the scale's bar in words: it is 1, 2 or 5 times a power of ten, so that
  /// no more digits are needed.
  func step(_ metres: Double) -> String {
    if metres >= 1000 { return number(metres / 1000, places: 0, unit: "\u{A0}km") }
    return number(metres, places: metres < 1 ? 2 : 0, unit: "\u{A0}m")
  }

  func distance(_ metres: Double) -> String {
    metres < 1000
      ? number(metres, places: 0, unit: "\u{A0}m")
      : number(metres / 1000, places: 1, unit: "\u{A0}km")
  }

  /// Returns an azimuth in whole degrees, 0 to 359.
  func bearing(_ degrees: Double) -> String {
    let whole = degrees.rounded().truncatingRemainder(dividingBy: 360)
    return number(whole < 0 ? whole + 360 : whole, places: 0, unit: "°")
  }

  func hectares(_ squareMetres: Double) -> String {
    number(squareMetres / 10_000, places: 4, unit: "\u{A0}ha")
  }

  func squareMetres(_ value: Double?, uncertainty: Double?) -> String {
    guard let text = number(value, places: 1) else { return notKnown }
    return "\(text) ± \(number(uncertainty, places: 1, unit: "\u{A0}m²"))"
  }

  func plusMinus(_ metres: Double?) -> String? {
    number(metres, places: 1).map { "±\u{A0}\($0)\u{A0}m" }
  }

  /// Returns degrees with one standard deviation; nil if the degrees are not known.
  func angle(_ degrees: Double?, accuracy: Double?) -> String? {
    number(degrees, places: 0).map { text in
      "\(text)°" + (number(accuracy, places: 0).map { "\u{A0}±\u{A0}\($0)°" } ?? "")
    }
  }

  func pixels(_ width: Int, _ height: Int) -> String { "\(width)\u{A0}×\u{A0}\(height)" }

  // MARK: times

  /// Returns a time to the second, in UTC, and says so.
  func moment(_ time: DeviceTime) -> String { moment(time.gnssTime) }

  /// Returns a receiver's time to the second, in UTC; says so if the date is not known.
  func moment(_ time: GNSSTime) -> String {
    let hours = "\(time.timeOfDay.prefix(8))\u{A0}UTC"
    return time.date.map { "\(whole(t.form.day($0)))\u{A0}\(hours)" }
      ?? t("{1}, date not known", hours)
  }

  /// Returns the first and the last of two times, to the minute; the day once if it is the same.
  func span(_ first: DeviceTime, _ last: DeviceTime) -> String {
    func hours(_ time: DeviceTime) -> String { String(time.gnssTime.timeOfDay.prefix(5)) }
    let day = whole(t.form.day(first.date))
    let start = "\(day)\u{A0}\(hours(first))"
    if hours(first) == hours(last), first.date == last.date { return "\(start)\u{A0}UTC" }
    if first.date == last.date { return "\(start)–\(hours(last))\u{A0}UTC" }
    return "\(start) – \(whole(t.form.day(last.date)))\u{A0}\(hours(last))\u{A0}UTC"
  }

  /// Returns a text that no line's end breaks.
  func whole(_ text: String) -> String {
    text.utf8.contains(UInt8(ascii: " ")) ? text.replacing(" ", with: "\u{A0}") : text
  }
}
