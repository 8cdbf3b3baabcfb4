import Geodesy

/// One NMEA 0183 sentence whose checksum holds: a view of its bytes, cut into fields.
///
/// It lives no longer than the closure it is handed to. No field is copied; a field that is empty
/// or is no number reads as nil, never as 0. Source: NMEA 0183 version 4.11, section 5.3.
public struct NMEASentence {
  /// More fields than any sentence defined carries (GSV has 21); further ones are not read.
  static let fieldLimit = 40

  private let bytes: UnsafeBufferPointer<UInt8>
  private var ends: InlineArray<40, UInt16>
  /// How many fields there are, the address not counted.
  public private(set) var fieldCount: Int

  /// Cuts `bytes`, which begin after `$` and end before `*`.
  init(bytes: UnsafeBufferPointer<UInt8>) {
    self.bytes = bytes
    ends = InlineArray(repeating: 0)
    fieldCount = 0
    var count = 0
    for index in bytes.indices where bytes[index] == UInt8(ascii: ",") {
      ends[count] = UInt16(truncatingIfNeeded: index)
      count += 1
      if count == Self.fieldLimit { break }
    }
    fieldCount = count
    if count < Self.fieldLimit { ends[count] = UInt16(truncatingIfNeeded: bytes.count) }
  }

  /// The address: talker and formatter, or `P` and the maker's code.
  var address: UnsafeBufferPointer<UInt8> { slice(0, Int(ends[0])) }

  /// Field `number`, counted from 1 as the standard does; empty when there is none.
  func field(_ number: Int) -> UnsafeBufferPointer<UInt8> {
    guard number >= 1, number <= fieldCount, number < Self.fieldLimit else { return slice(0, 0) }
    return slice(Int(ends[number - 1]) + 1, Int(ends[number]))
  }

  private func slice(_ start: Int, _ end: Int) -> UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(rebasing: bytes[start..<max(start, end)])
  }

  /// The first byte of a field, nil when it is empty.
  func letter(_ number: Int) -> UInt8? { field(number).first }

  /// A whole number without sign.
  func integer(_ number: Int) -> Int? { Self.integer(field(number)) }

  /// A decimal number.
  func decimal(_ number: Int) -> Double? { Self.decimal(field(number)) }

  /// A decimal number that, where it is 0 or less, means "unknown" (dilutions).
  func positive(_ number: Int) -> Double? {
    guard let value = decimal(number), value > 0 else { return nil }
    return value
  }

  /// `hhmmss.sss` as milliseconds since midnight. Second 60 is a leap second.
  func timeOfDay(_ number: Int) -> Int? {
    let text = field(number)
    guard text.count >= 6, let hour = Self.pair(text, 0), let minute = Self.pair(text, 2),
      let second = Self.pair(text, 4), hour < 24, minute < 60, second <= 60
    else { return nil }
    var milliseconds = 0
    if text.count > 6 {
      guard text[6] == UInt8(ascii: ".") else { return nil }
      var weight = 100
      for digit in text[7...] {
        guard (0x30...0x39).contains(digit) else { return nil }
        milliseconds += Int(digit - 0x30) * weight
        weight /= 10
      }
    }
    return ((hour * 60 + minute) * 60 + second) * 1000 + milliseconds
  }

  /// `ddmmyy` as a date. Two-digit years from 80 on belong to the last century, as GPS began in 1980.
  func date(_ number: Int) -> CivilDate? {
    let text = field(number)
    guard text.count == 6, let day = Self.pair(text, 0), let month = Self.pair(text, 2),
      let year = Self.pair(text, 4)
    else { return nil }
    return CivilDate(year: year >= 80 ? 1900 + year : 2000 + year, month: month, day: day)
  }

  /// Latitude and hemisphere, longitude and hemisphere, in four fields from `number` on.
  func coordinate(_ number: Int) -> Coordinate? {
    guard let latitude = angle(number, positive: "N", negative: "S"),
      let longitude = angle(number + 2, positive: "E", negative: "W")
    else { return nil }
    return Coordinate(latitudeDegrees: latitude, longitudeDegrees: longitude)
  }

  /// `dddmm.mmmm` with its hemisphere in the next field, as signed degrees.
  private func angle(
    _ number: Int, positive: Unicode.Scalar, negative: Unicode.Scalar
  ) -> Double? {
    let text = field(number)
    guard let hemisphere = letter(number + 1),
      let point = text.firstIndex(of: UInt8(ascii: ".")) ?? Optional(text.count), point >= 3,
      let degrees = Self.integer(UnsafeBufferPointer(rebasing: text[..<(point - 2)])),
      let minutes = Self.decimal(UnsafeBufferPointer(rebasing: text[(point - 2)...])),
      minutes >= 0, minutes < 60
    else { return nil }
    let value = Double(degrees) + minutes / 60
    if hemisphere == UInt8(ascii: positive) { return value }
    if hemisphere == UInt8(ascii: negative) { return -value }
    return nil
  }

  private static func pair(_ text: UnsafeBufferPointer<UInt8>, _ start: Int) -> Int? {
    let tens = text[start]
    let ones = text[start + 1]
    guard (0x30...0x39).contains(tens), (0x30...0x39).contains(ones) else { return nil }
    return Int(tens - 0x30) * 10 + Int(ones - 0x30)
  }

  private static func integer(_ text: UnsafeBufferPointer<UInt8>) -> Int? {
    guard !text.isEmpty, text.count <= 15 else { return nil }
    var value = 0
    for digit in text {
      guard (0x30...0x39).contains(digit) else { return nil }
      value = value * 10 + Int(digit - 0x30)
    }
    return value
  }

  /// Digits, at most one point, an optional sign. Eighteen digits are kept, which is beyond any
  /// receiver; further ones are dropped and do not overflow.
  static func decimal(_ text: UnsafeBufferPointer<UInt8>) -> Double? {
    var index = 0
    var isNegative = false
    if let first = text.first, first == UInt8(ascii: "-") || first == UInt8(ascii: "+") {
      isNegative = first == UInt8(ascii: "-")
      index = 1
    }
    var mantissa: UInt64 = 0
    var kept = 0
    var decimals = 0
    var dropped = 0
    var sawPoint = false
    var sawDigit = false
    while index < text.count {
      let byte = text[index]
      if byte == UInt8(ascii: "."), !sawPoint {
        sawPoint = true
      } else if (0x30...0x39).contains(byte) {
        sawDigit = true
        if kept < 18 {
          mantissa = mantissa * 10 + UInt64(byte - 0x30)
          if mantissa > 0 { kept += 1 }
          if sawPoint { decimals += 1 }
        } else if !sawPoint {
          dropped += 1
        }
      } else {
        return nil
      }
      index += 1
    }
    guard sawDigit, dropped < 12, decimals < 24 else { return nil }
    let scaled = Double(mantissa) * powerOfTen(dropped) / powerOfTen(decimals)
    return isNegative ? -scaled : scaled
  }

  private static func powerOfTen(_ exponent: Int) -> Double {
    var power = 1.0
    for _ in 0..<exponent { power *= 10 }
    return power
  }
}
