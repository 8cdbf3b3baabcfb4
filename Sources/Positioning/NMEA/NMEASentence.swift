import Geodesy
import TimeAndText

/// An NMEA 0183 sentence: a view of its bytes, cut into fields.
///
/// The sentence is valid only within the closure that receives it. No field is copied; a field that
/// is empty or is no number reads as nil, never as 0. Source: NMEA 0183 version 4.11, section 5.3.
struct NMEASentence {
  /// The number of fields that are read: more than any defined sentence has (GSV has 21).
  static let fieldLimit = 40

  /// The bytes from `$` on, as far as they have arrived.
  private let bytes: UnsafeBufferPointer<UInt8>
  /// The end of each field, the address first.
  private var ends: InlineArray<40, UInt16>
  /// The number of fields, without the address.
  private(set) var fieldCount = 0

  /// Creates the sentence that begins with the `$` that is the first of `bytes`.
  init(_ bytes: UnsafeBufferPointer<UInt8>) {
    self.bytes = bytes
    ends = InlineArray(repeating: 0)
  }

  /// Cuts the fields, up to the star, the next `$`, a control character or `limit`, and returns the
  /// index of that end and the checksum of the bytes before it.
  ///
  /// The bytes are read eight at a time. Bytes that are no letter, digit, point or minus sign are
  /// all below `-`, and are found by one subtraction; the others count only for the checksum.
  mutating func findFields(limit: Int) -> (end: Int, sum: UInt8) {
    let base = UnsafeRawBufferPointer(bytes)
    var sums: UInt64 = 0
    var index = 1
    while index + 8 <= limit {
      let word = UInt64(littleEndian: base.loadUnaligned(fromByteOffset: index, as: UInt64.self))
      var low = ~((word | Self.highBits) &- Self.firstOrdinary) & ~word & Self.highBits
      while low != 0 {
        let offset = low.trailingZeroBitCount >> 3
        if endsAt(index + offset) {
          sums ^= word & ((1 << UInt64(8 * offset)) - 1)
          return (close(index + offset), Self.folded(sums))
        }
        low &= low - 1
      }
      sums ^= word
      index += 8
    }
    var sum = Self.folded(sums)
    while index < limit, bytes[index] >= UInt8(ascii: "-") || !endsAt(index) {
      sum ^= bytes[index]
      index += 1
    }
    return (close(index), sum)
  }

  private static let highBits: UInt64 = 0x8080_8080_8080_8080
  private static let firstOrdinary: UInt64 = 0x2D2D_2D2D_2D2D_2D2D

  /// Returns true if the sentence ends at this byte, which is below `-`; a comma ends a field.
  @inline(__always)
  private mutating func endsAt(_ index: Int) -> Bool {
    let byte = bytes[index]
    if byte == UInt8(ascii: ",") {
      if fieldCount < Self.fieldLimit {
        ends[fieldCount] = UInt16(truncatingIfNeeded: index)
        fieldCount += 1
      }
      return false
    }
    return byte == UInt8(ascii: "*") || byte == UInt8(ascii: "$") || byte < 0x20
  }

  /// Ends the last field at `index`.
  private mutating func close(_ index: Int) -> Int {
    if fieldCount < Self.fieldLimit { ends[fieldCount] = UInt16(truncatingIfNeeded: index) }
    return index
  }

  private static func folded(_ sums: UInt64) -> UInt8 {
    let half = sums ^ sums >> 32
    let quarter = half ^ half >> 16
    return UInt8(truncatingIfNeeded: quarter ^ quarter >> 8)
  }

  /// True if the sentence begins with three to twelve capitals or digits and then a comma: anything
  /// else after a `$` is chance.
  var hasAddress: Bool {
    guard fieldCount > 0, (3...12).contains(Int(ends[0]) - 1) else { return false }
    for index in 1..<Int(ends[0]) {
      let byte = bytes[index]
      guard (0x41...0x5A).contains(byte) || (0x30...0x39).contains(byte) else { return false }
    }
    return true
  }

  /// The bytes from the `$` to the end of the last field.
  var text: UnsafeBufferPointer<UInt8> {
    let last = min(fieldCount, Self.fieldLimit - 1)
    return UnsafeBufferPointer(rebasing: bytes[..<Int(ends[last])])
  }

  /// The address: talker and formatter, or `P` and the maker's code.
  @inline(__always)
  var address: UnsafeBufferPointer<UInt8> { slice(1, Int(ends[0])) }

  /// Returns field `number`, counted from 1 as the standard does; empty if there is none.
  @inline(__always)
  func field(_ number: Int) -> UnsafeBufferPointer<UInt8> {
    guard number >= 1, number <= fieldCount, number < Self.fieldLimit else { return slice(1, 1) }
    // The guard makes sure that both are within the fields that were found.
    return slice(Int(ends[unchecked: number - 1]) + 1, Int(ends[unchecked: number]))
  }

  @inline(__always)
  private func slice(_ start: Int, _ end: Int) -> UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(rebasing: bytes[start..<max(start, end)])
  }

  /// Returns the first byte of a field; nil if the field is empty.
  @inline(__always)
  func letter(_ number: Int) -> UInt8? { field(number).first }

  /// Returns a whole number without sign; nil if the field is none.
  @inline(__always)
  func integer(_ number: Int) -> Int? { Self.integer(field(number)) }

  /// Returns a whole number; nil if it is out of `range`, which means "unknown".
  func integer(_ number: Int, in range: ClosedRange<Int>) -> Int? {
    guard let value = integer(number), range.contains(value) else { return nil }
    return value
  }

  /// Returns a hexadecimal digit (signal and system ids of 4.10 and later); nil if the field is
  /// none.
  func hexadecimalDigit(_ number: Int) -> Int? {
    let text = field(number)
    guard text.count == 1 else { return nil }
    switch text[0] {
    case 0x30...0x39: return Int(text[0] - 0x30)
    case 0x41...0x46: return Int(text[0] - 0x37)
    case 0x61...0x66: return Int(text[0] - 0x57)
    default: return nil
    }
  }

  /// Returns a decimal number; nil if the field is none.
  @inline(__always)
  func decimal(_ number: Int) -> Double? {
    guard number >= 1, number <= fieldCount, number < Self.fieldLimit else { return nil }
    return Self.decimal(
      bytes, from: Int(ends[unchecked: number - 1]) + 1, to: Int(ends[unchecked: number]))
  }

  /// Returns the number between two places. Up to eight characters, as most numbers have, are read
  /// as one word: the bytes before them are replaced by zeros, the point is taken out, and all
  /// digits are checked and added up at once.
  private static func decimal(
    _ bytes: UnsafeBufferPointer<UInt8>, from start: Int, to end: Int
  ) -> Double? {
    let count = end - start
    guard count >= 1, count <= 8, end >= 8, bytes[start] != UInt8(ascii: "-"),
      bytes[start] != UInt8(ascii: "+")
    else { return count < 1 ? nil : decimal(UnsafeBufferPointer(rebasing: bytes[start..<end])) }
    let fill = UInt64(8 * (8 - count))
    let kept: UInt64 = .max << fill
    var word = (word(bytes, before: end) & kept) | (zeros & ~kept)
    let points = lowestZero(word ^ points)
    guard points != 0 else { return sum(word).map { Double($0) } }
    guard count > 1 else { return nil }
    let place = UInt64(points.trailingZeroBitCount >> 3) * 8
    let above = word & ((UInt64.max << place) << 8)
    word = (word & ~(UInt64.max << place)) << 8 | UInt64(UInt8(ascii: "0")) | above
    let decimals = 7 - Int(place >> 3)
    return sum(word).map { Double($0) / powersOfTen[unchecked: decimals] }
  }

  /// Returns the eight bytes before a place, the first of them lowest.
  @inline(__always)
  private static func word(_ bytes: UnsafeBufferPointer<UInt8>, before end: Int) -> UInt64 {
    UInt64(
      littleEndian: UnsafeRawBufferPointer(bytes).loadUnaligned(
        fromByteOffset: end - 8, as: UInt64.self))
  }

  private static let zeros: UInt64 = 0x3030_3030_3030_3030
  private static let points: UInt64 = 0x2E2E_2E2E_2E2E_2E2E

  /// Returns a bit in the lowest byte that is zero; others above it may be set by chance.
  @inline(__always)
  private static func lowestZero(_ word: UInt64) -> UInt64 {
    (word &- 0x0101_0101_0101_0101) & ~word & highBits
  }

  /// Returns eight digits as a number; nil if one of them is no digit.
  @inline(__always)
  private static func sum(_ word: UInt64) -> UInt64? {
    var digits = word ^ zeros
    guard ((digits &+ 0x7676_7676_7676_7676) | digits) & highBits == 0 else { return nil }
    // First tens and ones, then hundreds and pairs, then four and four are added.
    digits = digits &* 10 &+ (digits >> 8)
    let low = (digits & 0x0000_00FF_0000_00FF) &* 0x000F_4240_0000_0064
    let high = (digits >> 16 & 0x0000_00FF_0000_00FF) &* 0x0000_2710_0000_0001
    return (low &+ high) >> 32
  }

  /// Returns a number of few digits, as most fields of a GSV are; NaN if the field is no number.
  /// The code avoids optionals and divisions, because a sky has hundreds of such fields.
  @inline(__always)
  func shortNumber(_ number: Int) -> Float {
    let text = field(number)
    guard text.count <= 3 else { return Self.decimal(text).map { Float($0) } ?? .nan }
    guard !text.isEmpty else { return .nan }
    var value = 0
    for index in 0..<text.count {
      let digit = text[index] &- 0x30
      guard digit < 10 else { return Self.decimal(text).map { Float($0) } ?? .nan }
      value = value &* 10 &+ Int(digit)
    }
    return Float(value)
  }

  /// Returns a decimal number; nil if it is 0 or less, which means "unknown" (dilutions).
  @inline(__always)
  func positive(_ number: Int) -> Double? {
    guard let value = decimal(number), value > 0 else { return nil }
    return value
  }

  /// Reads `hhmmss.sss` as milliseconds since midnight. Second 60 is a leap second.
  func timeOfDay(_ number: Int) -> Int? {
    let text = field(number)
    guard text.count >= 6, let hour = Self.pair(text, 0), let minute = Self.pair(text, 2),
      let second = Self.pair(text, 4), hour < 24, minute < 60, second <= 60
    else { return nil }
    var milliseconds = 0
    if text.count > 6 {
      guard text[6] == UInt8(ascii: ".") else { return nil }
      var weight = 100
      for index in 7..<text.count {
        let digit = text[index]
        guard (0x30...0x39).contains(digit) else { return nil }
        milliseconds += Int(digit - 0x30) * weight
        weight /= 10
      }
    }
    return ((hour * 60 + minute) * 60 + second) * 1000 + milliseconds
  }

  /// Reads `ddmmyy` as a date. Two-digit years from 80 on belong to the last century, as GPS began
  /// in 1980.
  func date(_ number: Int) -> CivilDate? {
    let text = field(number)
    guard text.count == 6, let day = Self.pair(text, 0), let month = Self.pair(text, 2),
      let year = Self.pair(text, 4)
    else { return nil }
    return CivilDate(year: year >= 80 ? 1900 + year : 2000 + year, month: month, day: day)
  }

  /// Reads latitude and hemisphere, longitude and hemisphere, in four fields from `number` on.
  func coordinate(_ number: Int) -> Coordinate? {
    guard let latitude = angle(number, positive: "N", negative: "S"),
      let longitude = angle(number + 2, positive: "E", negative: "W")
    else { return nil }
    return Coordinate(latitudeDegrees: latitude, longitudeDegrees: longitude)
  }

  /// Reads a number with its direction in the next field: positive for `first`, negative for
  /// `second`; nil for another direction.
  func signed(_ number: Int, _ first: Unicode.Scalar, _ second: Unicode.Scalar) -> Double? {
    guard let value = decimal(number) else { return nil }
    if letter(number + 1) == UInt8(ascii: first) { return value }
    return letter(number + 1) == UInt8(ascii: second) ? -value : nil
  }

  /// Reads `dddmm.mmmm` with its hemisphere in the next field, as signed degrees.
  private func angle(
    _ number: Int, positive: Unicode.Scalar, negative: Unicode.Scalar
  ) -> Double? {
    guard number >= 1, number < fieldCount, number < Self.fieldLimit - 1 else { return nil }
    let start = Int(ends[unchecked: number - 1]) + 1
    let end = Int(ends[unchecked: number])
    var point = start
    while point < end, bytes[point] != UInt8(ascii: ".") { point += 1 }
    guard let hemisphere = letter(number + 1), point - start >= 3,
      let degrees = Self.integer(slice(start, point - 2)),
      let minutes = Self.minutes(bytes, from: point - 2, point: point, to: end), minutes < 60
    else { return nil }
    let value = Double(degrees) + minutes / 60
    if hemisphere == UInt8(ascii: positive) { return value }
    if hemisphere == UInt8(ascii: negative) { return -value }
    return nil
  }

  /// Reads `mm.mmmm`: two digits, and usually at most eight after the point, which again are one
  /// word.
  @inline(__always)
  private static func minutes(
    _ bytes: UnsafeBufferPointer<UInt8>, from start: Int, point: Int, to end: Int
  ) -> Double? {
    let decimals = end - point - 1
    let tens = bytes[start] &- 0x30
    let ones = bytes[start + 1] &- 0x30
    guard tens < 10, ones < 10 else { return nil }
    guard decimals >= 1, decimals <= 8, end >= 8 else {
      return decimal(UnsafeBufferPointer(rebasing: bytes[start..<end]))
    }
    let kept: UInt64 = .max << UInt64(8 * (8 - decimals))
    guard let fraction = sum((word(bytes, before: end) & kept) | (zeros & ~kept)) else {
      return nil
    }
    // A single division of one whole number rounds only once.
    let power = powersOfTen[unchecked: decimals]
    return (Double(tens * 10 + ones) * power + Double(fraction)) / power
  }

  @inline(__always)
  private static func pair(_ text: UnsafeBufferPointer<UInt8>, _ start: Int) -> Int? {
    let tens = text[start]
    let ones = text[start + 1]
    guard (0x30...0x39).contains(tens), (0x30...0x39).contains(ones) else { return nil }
    return Int(tens - 0x30) * 10 + Int(ones - 0x30)
  }

  @inline(__always)
  private static func integer(_ text: UnsafeBufferPointer<UInt8>) -> Int? {
    guard !text.isEmpty, text.count <= 15 else { return nil }
    var value = 0
    for index in 0..<text.count {
      let digit = text[index]
      guard (0x30...0x39).contains(digit) else { return nil }
      value = value &* 10 &+ Int(digit - 0x30)
    }
    return value
  }

  /// Reads digits with at most one point and an optional sign; nil for anything else.
  static func decimal(_ text: UnsafeBufferPointer<UInt8>) -> Double? {
    // Eighteen bytes cannot overflow, and are the most that receivers send.
    guard text.count <= 18 else { return longDecimal(text) }
    var index = 0
    var isNegative = false
    if let first = text.first, first == UInt8(ascii: "-") || first == UInt8(ascii: "+") {
      isNegative = first == UInt8(ascii: "-")
      index = 1
    }
    let digits = text.count - index
    var mantissa: UInt64 = 0
    var pointAt = -1
    while index < text.count {
      let digit = text[index] &- 0x30
      if digit < 10 {
        mantissa = mantissa &* 10 &+ UInt64(digit)
      } else {
        guard text[index] == UInt8(ascii: "."), pointAt < 0 else { return nil }
        pointAt = index
      }
      index += 1
    }
    guard digits > (pointAt < 0 ? 0 : 1) else { return nil }
    // A single division by a power that a double holds exactly rounds only once, up to 15 digits.
    var value = Double(mantissa)
    if pointAt >= 0 { value /= powersOfTen[text.count - 1 - pointAt] }
    return isNegative ? -value : value
  }

  /// Reads a longer number: eighteen digits are kept; further ones are dropped and do not overflow.
  private static func longDecimal(_ text: UnsafeBufferPointer<UInt8>) -> Double? {
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
      if (0x30...0x39).contains(byte) {
        sawDigit = true
        if kept < 18 {
          mantissa = mantissa &* 10 &+ UInt64(byte &- 0x30)
          if mantissa > 0 { kept += 1 }
          if sawPoint { decimals += 1 }
        } else if !sawPoint {
          dropped += 1
        }
      } else if byte == UInt8(ascii: "."), !sawPoint {
        sawPoint = true
      } else {
        return nil
      }
      index += 1
    }
    guard sawDigit, dropped < 12, decimals < 23 else { return nil }
    var scaled = Double(mantissa)
    if decimals > 0 { scaled /= powersOfTen[decimals] }
    if dropped > 0 { scaled *= powersOfTen[dropped] }
    return isNegative ? -scaled : scaled
  }

  private static let powersOfTen: InlineArray<23, Double> = [
    1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17,
    1e18, 1e19, 1e20, 1e21, 1e22,
  ]
}
