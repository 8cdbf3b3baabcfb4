/// A day of the Gregorian calendar, in UTC.
public struct CivilDate: Hashable, Comparable, Sendable {
  /// Days since 1970-01-01, negative before.
  public let daysSince1970: Int

  /// Creates the day that lies `daysSince1970` days after 1970-01-01.
  public init(daysSince1970: Int) {
    self.daysSince1970 = daysSince1970
  }

  /// Creates the given day; nil if the calendar has no such day or the year is outside 1970…9999.
  public init?(year: Int, month: Int, day: Int) {
    guard (1970...9999).contains(year), (1...12).contains(month),
      (1...CivilDate.dayCount(year: year, month: month)).contains(day)
    else { return nil }
    // Days from civil (Howard Hinnant, "chrono-compatible low-level date algorithms").
    let shiftedYear = month <= 2 ? year - 1 : year
    let era = shiftedYear / 400
    let yearOfEra = shiftedYear - era * 400
    let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    daysSince1970 = era * 146_097 + dayOfEra - 719_468
  }

  /// Reads a date written `YYYY-MM-DD`; nil for anything else.
  public init?(iso8601 text: String) {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 3, parts[0].count == 4, parts[1].count == 2, parts[2].count == 2,
      parts.allSatisfy({ $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }),
      let year = Int(parts[0]), let month = Int(parts[1]), let day = Int(parts[2])
    else { return nil }
    self.init(year: year, month: month, day: day)
  }

  /// Year, month (1…12) and day (1…31).
  public var components: (year: Int, month: Int, day: Int) {
    let shifted = daysSince1970 + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    let day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
    let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day)
  }

  /// The date as `YYYY-MM-DD`.
  public var iso8601: String {
    let (year, month, day) = components
    return "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))"
  }

  /// The year at this day's start, with the fraction of it that has passed, as magnetic models need
  /// it.
  public var decimalYear: Double {
    let year = components.year
    guard let first = CivilDate(year: year, month: 1, day: 1),
      let next = CivilDate(year: year + 1, month: 1, day: 1)
    else { return Double(year) }
    return Double(year)
      + Double(daysSince1970 - first.daysSince1970)
      / Double(next.daysSince1970 - first.daysSince1970)
  }

  /// Returns how many times the GPS week's ten bits have overflowed between this date of a receiver
  /// and the true day, which a clock knows to within a month: 1 or more if old firmware counts 1024
  /// weeks too few; nil if the date is right, or wrong for another reason. Such a date is never
  /// corrected: the record keeps the receiver's date, and the user is told.
  public func weekRollOvers(behind clock: CivilDate) -> Int? {
    let period = 1024 * 7
    let behind = clock.daysSince1970 - daysSince1970
    let count = (behind + period / 2) / period
    guard count >= 1, abs(behind - count * period) <= 31 else { return nil }
    return count
  }

  /// Returns true if the left day is earlier.
  public static func < (left: CivilDate, right: CivilDate) -> Bool {
    left.daysSince1970 < right.daysSince1970
  }

  private static func dayCount(year: Int, month: Int) -> Int {
    switch month {
    case 2: (year % 4 == 0 && year % 100 != 0) || year % 400 == 0 ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }
}

/// Returns `number` in decimal digits, filled with zeros at the left to `width`.
package func padded(_ number: Int, _ width: Int) -> String {
  let digits = String(number)
  return digits.count >= width
    ? digits : String(repeating: "0", count: width - digits.count) + digits
}
