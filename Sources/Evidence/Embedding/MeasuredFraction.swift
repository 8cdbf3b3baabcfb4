import Imagery

/// Measured text as whole numbers: what a record says goes into EXIF digit by digit, never by way of a
/// binary fraction.
struct MeasuredFraction {
  /// Whether it is below nought.
  let isNegative: Bool
  /// Its digits without the point.
  let digits: Int
  /// How many of them stand behind the point.
  let places: Int

  /// Reads `-123.450`; nil for anything else, and for more than 18 digits.
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

  /// Its magnitude times `factor`, with as many places behind the point as it has; nil where EXIF has no
  /// room for it.
  func rational(times factor: Int = 1) -> ExifBlock.Rational? {
    guard places <= 9 else { return nil }
    let (above, isTooLarge) = digits.multipliedReportingOverflow(by: factor)
    guard !isTooLarge, let numerator = UInt32(exactly: above) else { return nil }
    return ExifBlock.Rational(numerator, UInt32(Self.powers[places]))
  }

  /// Its magnitude, taken for degrees, as degrees, minutes, and seconds with six places: 0.03 mm.
  var sexagesimal: [ExifBlock.Rational]? {
    guard places <= 9, let billionths = scaled(to: 9) else { return nil }
    // Microseconds of arc, rounded to the nearest.
    let micro = (billionths * 3600 + 500) / 1000
    let (degrees, rest) = micro.quotientAndRemainder(dividingBy: 3_600_000_000)
    let (minutes, seconds) = rest.quotientAndRemainder(dividingBy: 60_000_000)
    return [
      ExifBlock.Rational(UInt32(degrees), 1), ExifBlock.Rational(UInt32(minutes), 1),
      ExifBlock.Rational(UInt32(seconds), 1_000_000),
    ]
  }

  /// Its digits with so many places; nil where that is too large.
  private func scaled(to wanted: Int) -> Int? {
    let (value, isTooLarge) = digits.multipliedReportingOverflow(by: Self.powers[wanted - places])
    return isTooLarge || value > 360_000_000_000 ? nil : value
  }
}
