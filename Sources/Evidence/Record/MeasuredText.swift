import TimeAndText

// Measured numbers are written as decimal text, so that no parser changes them: degrees with 9
// places, metres and seconds and ratios with 3, angles with 1. A number that has no such text (a
// broken sentence can say 10²⁰ m) is nil: an unknown value is left out, and never written as "nan".

extension JSONValue {
  static func degrees(_ value: Double) -> JSONValue? { fixed(value, places: 9) }

  package static func metres(_ value: Double) -> JSONValue? { fixed(value, places: 3) }

  static func seconds(_ value: Double) -> JSONValue? { fixed(value, places: 3) }

  static func ratio(_ value: Double) -> JSONValue? { fixed(value, places: 3) }

  static func angle(_ value: Double) -> JSONValue? { fixed(value, places: 1) }

  /// Returns an angle from north, 0.0…359.9: an angle that rounds to 360.0 becomes 0.0.
  static func azimuth(_ value: Double) -> JSONValue? {
    fixed(value >= 359.95 && value < 360 ? 0 : value, places: 1)
  }

  static func fixed(_ value: Double, places: Int) -> JSONValue? {
    let text = DecimalText.fixed(value, places: places)
    return text == "nan" ? nil : .string(text)
  }
}
