import Imagery

/// A measured text as whole numbers: a record's numbers go into EXIF digit by digit, never through
/// a binary fraction.
struct MeasuredFraction {
  /// True if the text begins with a minus sign.
  let isNegative: Bool
  /// The text's digits without the decimal point, as one number.
  let digits: Int
  /// The number of digits after the decimal point.
  let places: Int

  /// Reads a text such as `-123.450`; nil for anything else, and for more than 20 characters.
  init?(_ value: JSONValue?) {
    guard let text = value?.text, text.utf8.count <= 20 else { return nil }
    isNegative = text.hasPrefix("-")
    let parts = text.dropFirst(isNegative ? 1 : 0).split(
      separator: ".", omittingEmptySubsequences: false)
    guard (1...2).contains(parts.count), !parts[0].isEmpty,
      let digits = Int(parts.joined()), digits >= 0,
      parts.joined().utf8.allSatisfy({ (0x30...0x39).contains($0) })
    else { return nil }
    self.digits = digits
    places = parts.count == 2 ? parts[1].utf8.count : 0
  }

  private static let powers = (0...18).map { place in
    (0..<place).reduce(1) { power, _ in power * 10 }
  }

  /// Returns the magnitude times `factor`, with as many decimal places as the text has; nil if EXIF
  /// has no room for it.
  func rational(times factor: Int = 1) -> ExifBlock.Rational? {
    guard places <= 9 else { return nil }
    let (above, isTooLarge) = digits.multipliedReportingOverflow(by: factor)
    guard !isTooLarge, let numerator = UInt32(exactly: above) else { return nil }
    return ExifBlock.Rational(numerator, UInt32(Self.powers[places]))
  }

  /// The magnitude, taken as degrees, in degrees, minutes, and seconds with six places (0.03 mm);
  /// nil if it is above 360° or has more than nine places.
  var sexagesimal: [ExifBlock.Rational]? {
    guard places <= 9, let billionths = scaled(to: 9) else { return nil }
    // Millionths of a second of arc, rounded to the nearest.
    let micro = (billionths * 3600 + 500) / 1000
    let (degrees, rest) = micro.quotientAndRemainder(dividingBy: 3_600_000_000)
    let (minutes, seconds) = rest.quotientAndRemainder(dividingBy: 60_000_000)
    return [
      ExifBlock.Rational(UInt32(degrees), 1), ExifBlock.Rational(UInt32(minutes), 1),
      ExifBlock.Rational(UInt32(seconds), 1_000_000),
    ]
  }

  /// Returns the digits with `wanted` decimal places; nil if the result is above 360,000,000,000,
  /// which is 360° with nine places.
  private func scaled(to wanted: Int) -> Int? {
    let (value, isTooLarge) = digits.multipliedReportingOverflow(by: Self.powers[wanted - places])
    return isTooLarge || value > 360_000_000_000 ? nil : value
  }
}
