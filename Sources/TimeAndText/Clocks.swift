// Three clocks have three types. A receiver's time, the device's clock and elapsed time are
// different facts: programs that mix them come to believe a clock that was set back.

/// The receiver's own time of a fix: a time of day in UTC, and the date if the receiver sent one.
public struct GNSSTime: Hashable, Sendable {
  /// Milliseconds since UTC midnight, 0…86 400 999 (from 86 400 000 on it is a leap second).
  public let millisecondsSinceMidnight: Int
  /// The UTC date; nil if the receiver has not told it (GGA carries none). The date is never
  /// guessed.
  public let date: CivilDate?

  /// Creates a time of day with or without its date; nil outside 0…86 400 999.
  public init?(millisecondsSinceMidnight: Int, date: CivilDate?) {
    guard (0..<86_401_000).contains(millisecondsSinceMidnight) else { return nil }
    self.millisecondsSinceMidnight = millisecondsSinceMidnight
    self.date = date
  }

  /// Midnight of an unknown day.
  package static let midnight = GNSSTime(milliseconds: 0)

  private init(milliseconds: Int) {
    millisecondsSinceMidnight = milliseconds
    date = nil
  }

  /// The time of day as `hh:mm:ss.sss`, UTC.
  public var timeOfDay: String {
    let clock = clockReading
    return "\(padded(clock.hours, 2)):\(padded(clock.minutes, 2)):"
      + "\(padded(clock.seconds, 2)).\(padded(clock.milliseconds, 3))"
  }

  /// The reading of a UTC clock: a leap second is second 60 of the day's last minute.
  package var clockReading: (hours: Int, minutes: Int, seconds: Int, milliseconds: Int) {
    let capped = min(millisecondsSinceMidnight, 86_399_999)
    let extra = millisecondsSinceMidnight > capped ? 1 : 0
    return (
      capped / 3_600_000, capped / 60_000 % 60, capped / 1000 % 60 + extra,
      millisecondsSinceMidnight % 1000
    )
  }

  /// The instant as milliseconds since 1970; nil without a date.
  public var millisecondsSince1970: Int64? {
    date.map { Int64($0.daysSince1970) * 86_400_000 + Int64(millisecondsSinceMidnight) }
  }

  /// The instant in RFC 3339, in UTC with milliseconds; nil without a date.
  public var rfc3339: String? {
    date.map { "\($0.iso8601)T\(timeOfDay)Z" }
  }

  /// Returns the seconds from `other` to this time: by the dates if both are known, otherwise the
  /// shorter way around the day, so that midnight is no gap.
  public func seconds(since other: GNSSTime) -> Double {
    if let here = millisecondsSince1970, let there = other.millisecondsSince1970 {
      return Double(here - there) / 1000
    }
    var difference = millisecondsSinceMidnight - other.millisecondsSinceMidnight
    if difference > 43_200_000 { difference -= 86_400_000 }
    if difference <= -43_200_000 { difference += 86_400_000 }
    return Double(difference) / 1000
  }

  /// Returns this time of day on the given date.
  public func on(_ date: CivilDate?) -> GNSSTime {
    GNSSTime(millisecondsSinceMidnight: millisecondsSinceMidnight, date: date) ?? self
  }
}

extension GNSSTime {
  /// Returns this time as an instant. A time of day without a date is taken on the day on which it is
  /// nearest to `other`.
  public func instant(near other: DeviceTime) -> DeviceTime {
    if let known = millisecondsSince1970 { return DeviceTime(millisecondsSince1970: known) }
    let day: Int64 = 86_400_000
    let offset = (Int64(millisecondsSinceMidnight) - other.millisecondsSince1970) % day
    let near = offset > day / 2 ? offset - day : offset < -day / 2 ? offset + day : offset
    return DeviceTime(millisecondsSince1970: other.millisecondsSince1970 + near)
  }
}

/// The time of the device's own clock (UTC). It can be wrong and can be set back.
public struct DeviceTime: Hashable, Comparable, Sendable {
  /// Milliseconds since 1970-01-01T00:00:00Z.
  public let millisecondsSince1970: Int64

  /// Creates the instant this many milliseconds after 1970-01-01T00:00:00Z.
  public init(millisecondsSince1970: Int64) {
    self.millisecondsSince1970 = millisecondsSince1970
  }

  /// Reads an instant written in RFC 3339 with an offset; nil for anything else.
  public init?(rfc3339 text: String) {
    let bytes = Array(text.utf8)
    guard bytes.count >= 20, bytes[10] == UInt8(ascii: "T") || bytes[10] == UInt8(ascii: "t"),
      bytes[13] == UInt8(ascii: ":"), bytes[16] == UInt8(ascii: ":"),
      let date = CivilDate(iso8601: String(decoding: bytes[0..<10], as: UTF8.self)),
      let hour = decimal(bytes[11..<13]), hour < 24, let minute = decimal(bytes[14..<16]),
      minute < 60, let second = decimal(bytes[17..<19]), second <= 60
    else { return nil }
    var rest = bytes[19...]
    var milliseconds = 0
    if rest.first == UInt8(ascii: ".") {
      let digits = rest.dropFirst().prefix { (0x30...0x39).contains($0) }
      guard !digits.isEmpty, let value = decimal(digits.prefix(3)) else { return nil }
      milliseconds = value * [100, 10, 1][min(digits.count, 3) - 1]
      rest = rest.dropFirst(1 + digits.count)
    }
    var offsetMinutes = 0
    if rest != [UInt8(ascii: "Z")], rest != [UInt8(ascii: "z")] {
      let offset = Array(rest)
      guard offset.count == 6, offset[3] == UInt8(ascii: ":"),
        offset[0] == UInt8(ascii: "+") || offset[0] == UInt8(ascii: "-"),
        let hours = decimal(offset[1..<3]), hours < 24,
        let minutes = decimal(offset[4..<6]), minutes < 60
      else { return nil }
      offsetMinutes = (hours * 60 + minutes) * (offset[0] == UInt8(ascii: "-") ? -1 : 1)
    }
    let seconds = (hour * 60 + minute - offsetMinutes) * 60 + second
    millisecondsSince1970 =
      Int64(date.daysSince1970) * 86_400_000 + Int64(seconds * 1000 + milliseconds)
  }

  /// The instant in RFC 3339, in UTC with milliseconds.
  public var rfc3339: String { gnssTime.rfc3339 ?? "" }

  /// The UTC date.
  public var date: CivilDate {
    CivilDate(daysSince1970: Int(Self.floored(millisecondsSince1970, 86_400_000)))
  }

  /// The instant in the form of a receiver's time, for comparing and for printing.
  public var gnssTime: GNSSTime {
    let ofDay = millisecondsSince1970 - Int64(date.daysSince1970) * 86_400_000
    guard let time = GNSSTime(millisecondsSinceMidnight: Int(ofDay), date: date) else {
      preconditionFailure("a remainder by a day's milliseconds lies within the day")
    }
    return time
  }

  /// Returns the device time `seconds` later.
  public func advanced(bySeconds seconds: Double) -> DeviceTime {
    DeviceTime(
      millisecondsSince1970: millisecondsSince1970 + Int64((seconds * 1000).rounded()))
  }

  /// Returns true if the left instant is earlier.
  public static func < (left: DeviceTime, right: DeviceTime) -> Bool {
    left.millisecondsSince1970 < right.millisecondsSince1970
  }

  private static func floored(_ value: Int64, _ divisor: Int64) -> Int64 {
    let quotient = value / divisor
    return value % divisor < 0 ? quotient - 1 : quotient
  }
}

/// Time since the clock's own start (monotonic). Ages, countdowns and silence are measured with it,
/// because it cannot be set.
public struct ElapsedTime: Hashable, Comparable, Sendable {
  /// Milliseconds since the clock's start.
  public let milliseconds: Int64

  /// Creates the time this many milliseconds after the clock's start.
  public init(milliseconds: Int64) {
    self.milliseconds = milliseconds
  }

  /// Returns the seconds that have passed since `earlier`.
  public func seconds(since earlier: ElapsedTime) -> Double {
    Double(milliseconds - earlier.milliseconds) / 1000
  }

  /// Returns the time `seconds` later.
  public func advanced(bySeconds seconds: Double) -> ElapsedTime {
    ElapsedTime(milliseconds: milliseconds + Int64((seconds * 1000).rounded()))
  }

  /// Returns true if the left time is earlier.
  public static func < (left: ElapsedTime, right: ElapsedTime) -> Bool {
    left.milliseconds < right.milliseconds
  }
}

/// The one clock that a program gets when it is put together. No other code reads the machine's
/// clock.
public protocol Timepiece: Sendable {
  /// The current time of the device's clock.
  var deviceTime: DeviceTime { get }
  /// Time since this clock's start.
  var elapsed: ElapsedTime { get }
  /// Returns when `elapsed` has reached `deadline`, or throws when the surrounding work is cancelled.
  func sleep(until deadline: ElapsedTime) async throws
}

private func decimal(_ digits: ArraySlice<UInt8>) -> Int? {
  guard !digits.isEmpty, digits.count < 10 else { return nil }
  var value = 0
  for digit in digits {
    guard (0x30...0x39).contains(digit) else { return nil }
    value = value * 10 + Int(digit - 0x30)
  }
  return value
}
