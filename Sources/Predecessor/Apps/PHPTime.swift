import Foundation
import Office
import Store
import TimeAndText

/// A reader and writer of times in the forms of the apps and PHP. Its time zone stands in for the
/// zone that a text leaves out. The import of the predecessor's database uses it, too.
///
/// Android writes an offset (`2023-06-01T12:34:56.789+02:00`, `Z` for none). iOS writes none
/// (`2023-06-01 12:34:56`, in the phone's own zone). Dates with points come from older forms
/// (`01.06.2023 12:34:56`). On an iPhone that shows twelve hours the same app writes
/// `2023-06-01 2:34:56 PM`, in newer systems with a narrow space before `PM`.
struct PHPTime {
  /// The zone of times that name none.
  let zone: TimeZone

  /// Creates a reader and writer for a zone.
  /// - Parameter name: the zone, such as `Europe/Prague`; UTC stands in for one that the system
  ///   does not know.
  init(zone name: String) { zone = TimeZone(identifier: name) ?? .gmt }

  /// Returns the instant that a text names; nil if the text has none of the forms.
  func instant(_ text: String) -> DeviceTime? {
    var reader = Reader(Array(text.trimmingCharacters(in: .whitespacesAndNewlines).utf8.prefix(64)))
    guard let date = reader.date() else { return nil }
    var time = (hour: 0, minute: 0, second: 0, millisecond: 0)
    if !reader.isAtEnd {
      guard reader.skip(" ") || reader.skip("T") || reader.skip("t"), let read = reader.time()
      else {
        return nil
      }
      time = read
      if let isAfternoon = reader.meridian() {
        guard (1...12).contains(read.hour), reader.isAtEnd else { return nil }
        time.hour = read.hour % 12 + (isAfternoon ? 12 : 0)
      }
    }
    let milliseconds =
      Int64(date.daysSince1970) * 86_400_000
      + Int64(((time.hour * 60 + time.minute) * 60 + time.second) * 1000 + time.millisecond)
    if reader.isAtEnd { return local(milliseconds) }
    guard let offset = reader.offsetMinutes(), reader.isAtEnd else { return nil }
    return DeviceTime(millisecondsSince1970: milliseconds - Int64(offset) * 60_000)
  }

  /// Returns the instant at which a wall clock of the zone shows this time, given as milliseconds
  /// since 1970 without an offset. An hour that comes twice in autumn is the first of the two; an
  /// hour that is left out in spring is the one after it.
  private func local(_ milliseconds: Int64) -> DeviceTime {
    func offset(at instant: Int64) -> Int64 {
      Int64(zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(instant) / 1000))) * 1000
    }
    let before = milliseconds - offset(at: milliseconds - 86_400_000)
    if before + offset(at: before) == milliseconds {
      return DeviceTime(millisecondsSince1970: before)
    }
    let after = milliseconds - offset(at: milliseconds + 86_400_000)
    return DeviceTime(
      millisecondsSince1970: after + offset(at: after) == milliseconds ? after : before)
  }

  /// Returns a time as `YYYY-MM-DD HH:MM:SS` in the zone, as the original's answers write it.
  func text(_ time: DeviceTime) -> String {
    let instant = Date(timeIntervalSince1970: Double(time.millisecondsSince1970) / 1000)
    let shown = DeviceTime(
      millisecondsSince1970: time.millisecondsSince1970
        + Int64(zone.secondsFromGMT(for: instant)) * 1000)
    return String(shown.rfc3339.prefix(19)).replacingOccurrences(of: "T", with: " ")
  }

  /// A reader of a time's parts from the bytes of a text.
  private struct Reader {
    let bytes: [UInt8]
    var index = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    var isAtEnd: Bool { index == bytes.count }

    mutating func skip(_ sign: Unicode.Scalar) -> Bool {
      guard index < bytes.count, bytes[index] == UInt8(ascii: sign) else { return false }
      index += 1
      return true
    }

    /// Reads a number with as many digits as the range allows; nil if there are fewer.
    mutating func number(_ digits: ClosedRange<Int>) -> Int? {
      var value = 0
      var count = 0
      while count < digits.upperBound, index < bytes.count, (0x30...0x39).contains(bytes[index]) {
        value = value * 10 + Int(bytes[index] - 0x30)
        index += 1
        count += 1
      }
      return digits.contains(count) ? value : nil
    }

    mutating func date() -> CivilDate? {
      let start = index
      if let year = number(4...4), skip("-") || skip("/"), let month = number(1...2),
        skip("-") || skip("/"), let day = number(1...2)
      {
        return CivilDate(year: year, month: month, day: day)
      }
      index = start
      guard let day = number(1...2), skip("."), let month = number(1...2), skip("."),
        let year = number(4...4)
      else { return nil }
      return CivilDate(year: year, month: month, day: day)
    }

    mutating func time() -> (hour: Int, minute: Int, second: Int, millisecond: Int)? {
      guard let hour = number(1...2), hour < 24, skip(":"), let minute = number(2...2), minute < 60
      else { return nil }
      var (second, millisecond) = (0, 0)
      if skip(":") {
        guard let read = number(2...2), read <= 60 else { return nil }
        second = read
        if skip(".") || skip(",") {
          let start = index
          guard let fraction = number(1...9) else { return nil }
          let scale = index - start
          millisecond = (0..<scale).reduce(fraction * 1000) { value, _ in value / 10 }
        }
      }
      return (hour, minute, second, millisecond)
    }

    /// Reads AM or PM, with or without spaces before it, and returns true for PM; nil if there is
    /// neither, and then nothing is read.
    mutating func meridian() -> Bool? {
      let start = index
      // The narrow no-break space is U+202F, the ordinary one U+00A0.
      while skip(" ") || skip(bytes: [0xE2, 0x80, 0xAF]) || skip(bytes: [0xC2, 0xA0]) {}
      let isAfternoon = skip("P") || skip("p")
      if isAfternoon || skip("A") || skip("a"), skip("M") || skip("m") { return isAfternoon }
      index = start
      return nil
    }

    private mutating func skip(bytes sign: [UInt8]) -> Bool {
      guard bytes[index...].starts(with: sign) else { return false }
      index += sign.count
      return true
    }

    mutating func offsetMinutes() -> Int? {
      if skip("Z") || skip("z") { return 0 }
      let sign: Int
      if skip("+") || skip(" ") {
        // A plus that was sent without form encoding arrives as a space.
        sign = 1
      } else if skip("-") {
        sign = -1
      } else {
        return nil
      }
      guard let hours = number(2...2), hours < 24 else { return nil }
      _ = skip(":")
      if isAtEnd { return sign * hours * 60 }
      guard let minutes = number(2...2), minutes < 60 else { return nil }
      return sign * (hours * 60 + minutes)
    }
  }
}
