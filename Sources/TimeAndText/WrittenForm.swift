/// The way in which a language writes decimals, days and moments for people. Records, files,
/// interfaces and terminals keep the decimal point and ISO 8601.
public struct WrittenForm: Hashable, Sendable {
  /// The sign between the whole number and its decimals.
  public var decimalSign: Character
  /// True if days read `5. 6. 2026`, false if they read `2026-06-05`.
  public var startsWithDay: Bool

  /// The form of English pages, and of all machine formats.
  public static let international = WrittenForm(decimalSign: ".", startsWithDay: false)
  /// The form of Czech pages.
  public static let czech = WrittenForm(decimalSign: ",", startsWithDay: true)

  /// Creates a form.
  public init(decimalSign: Character, startsWithDay: Bool) {
    self.decimalSign = decimalSign
    self.startsWithDay = startsWithDay
  }

  /// Returns `value` with `places` (0…9) decimals, as `DecimalText.fixed` rounds it.
  public func decimal(_ value: Double, places: Int) -> String {
    decimal(DecimalText.fixed(value, places: places))
  }

  /// Returns a decimal text, such as `-1.20`, with this language's sign.
  public func decimal(_ text: String) -> String {
    decimalSign == "." ? text : text.replacing(".", with: String(decimalSign))
  }

  /// Returns a distance for people: below 10 m with tenths, as far as a person still looks for a
  /// place; then in whole metres; and from 1 km on in kilometres with tenths.
  public func distance(metres: Double) -> String {
    // Numbers that are rounded up to 10 m or 1 km are written as these.
    if metres < 9.95 { return "\(decimal(metres, places: 1)) m" }
    if metres < 999.5 { return "\(decimal(metres, places: 0)) m" }
    return "\(decimal(metres / 1000, places: 1)) km"
  }

  /// Returns a day, without the time.
  public func day(_ date: CivilDate) -> String {
    guard startsWithDay else { return date.iso8601 }
    let (year, month, day) = date.components
    return "\(day). \(month). \(year)"
  }

  /// Returns a moment that is given in RFC 3339; the international form is RFC 3339 itself.
  func moment(rfc3339 text: String) -> String {
    self == .international ? text : DeviceTime(rfc3339: text).map(moment) ?? text
  }

  /// Returns a moment to the second, in UTC, and says so.
  public func moment(_ time: DeviceTime) -> String {
    "\(day(time.date)) \(time.rfc3339.dropFirst(11).prefix(8)) UTC"
  }
}
