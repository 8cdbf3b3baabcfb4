import Positioning
import TestSupport
import Testing
import TimeAndText

@Suite("Dates and clocks")
struct ClocksTests {
  @Test("Every day of four centuries survives its components and its text, and follows the last")
  func dates() throws {
    var previous = CivilDate(daysSince1970: -1).components
    for days in 0..<146_097 {
      let date = CivilDate(daysSince1970: days)
      let (year, month, day) = date.components
      guard CivilDate(year: year, month: month, day: day) == date,
        CivilDate(iso8601: date.iso8601) == date,
        (previous.year, previous.month, previous.day) < (year, month, day)
      else {
        Issue.record("day \(days): \(date.iso8601)")
        return
      }
      previous = (year, month, day)
    }
    #expect(CivilDate(daysSince1970: 0).iso8601 == "1970-01-01")
    #expect(CivilDate(daysSince1970: 19_782).iso8601 == "2024-02-29")
    #expect(CivilDate(daysSince1970: -1).iso8601 == "1969-12-31")
  }

  @Test(
    "Days that no calendar has are none",
    arguments: [
      (2023, 2, 29), (2100, 2, 29), (2024, 2, 30), (2024, 4, 31), (2024, 0, 1), (2024, 13, 1),
      (2024, 1, 0), (2024, 1, 32), (1969, 12, 31), (10_000, 1, 1), (-1, 1, 1), (Int.max, 1, 1),
    ])
  func noDate(year: Int, month: Int, day: Int) {
    #expect(CivilDate(year: year, month: month, day: day) == nil)
  }

  @Test("Leap days and the outermost days are days")
  func edges() {
    #expect(CivilDate(year: 2000, month: 2, day: 29) != nil)
    #expect(CivilDate(year: 2024, month: 2, day: 29) != nil)
    #expect(CivilDate(year: 1970, month: 1, day: 1)?.daysSince1970 == 0)
    #expect(CivilDate(year: 9999, month: 12, day: 31)?.iso8601 == "9999-12-31")
  }

  @Test(
    "A date in another notation is none",
    arguments: [
      "", "2024-1-01", "2024-01-1", "24-01-01", "2024-01-01Z", " 2024-01-01", "2024/01/01",
      "2024-01", "2024-01-01-", "+024-01-01", "2024--1-01", "２０２４-01-01", "20240101",
    ])
  func noISODate(text: String) {
    #expect(CivilDate(iso8601: text) == nil)
  }

  @Test("A year's fraction runs from 0 to just under 1, in leap years too")
  func decimalYear() throws {
    let first = try #require(CivilDate(year: 2024, month: 1, day: 1))
    let last = try #require(CivilDate(year: 2024, month: 12, day: 31))
    #expect(first.decimalYear == 2024)
    #expect(abs(last.decimalYear - (2024 + 365.0 / 366)) < 1e-9)
  }

  @Test("A time of day is text with milliseconds, the leap second is second 60")
  func timeOfDay() throws {
    #expect(try time(0).timeOfDay == "00:00:00.000")
    #expect(try time(45_296_007).timeOfDay == "12:34:56.007")
    #expect(try time(86_399_999).timeOfDay == "23:59:59.999")
    #expect(try time(86_400_000).timeOfDay == "23:59:60.000")
    #expect(try time(86_400_999).timeOfDay == "23:59:60.999")
    #expect(GNSSTime(millisecondsSinceMidnight: 86_401_000, date: nil) == nil)
    #expect(GNSSTime(millisecondsSinceMidnight: -1, date: nil) == nil)
  }

  @Test("Without a date there is neither instant nor text of one")
  func undated() throws {
    let undated = try time(1000)
    #expect(undated.millisecondsSince1970 == nil)
    #expect(undated.rfc3339 == nil)
    #expect(undated.on(CivilDate(daysSince1970: 1)).rfc3339 == "1970-01-02T00:00:01.000Z")
  }

  @Test("Midnight is no gap, with dates and without, and half a day goes either way")
  func midnight() throws {
    let before = try time(86_399_500)
    let after = try time(500)
    #expect(after.seconds(since: before) == 1)
    #expect(before.seconds(since: after) == -1)
    let day = CivilDate(daysSince1970: 100)
    let next = CivilDate(daysSince1970: 101)
    #expect(after.on(next).seconds(since: before.on(day)) == 1)
    #expect(after.on(day).seconds(since: before.on(day)) == -86_399)
    #expect(after.on(day).seconds(since: before) == 1)
    #expect(try time(43_200_000).seconds(since: time(0)) == 43_200)
    #expect(try time(43_200_001).seconds(since: time(0)) == -43_199.999)
    #expect(try time(0).seconds(since: time(43_199_999)) == -43_199.999)
  }

  @Test("Any instant of the calendar survives RFC 3339")
  func instants() {
    forEachSeed(0..<500) { seed, generator in
      let instant = DeviceTime(
        millisecondsSince1970: Int64.random(in: 0..<253_402_300_800_000, using: &generator))
      #expect(DeviceTime(rfc3339: instant.rfc3339) == instant, "seed \(seed)")
      #expect(instant.gnssTime.millisecondsSince1970 == instant.millisecondsSince1970)
      let minutes = Int.random(in: -1439...1439, using: &generator)
      let local = instant.advanced(bySeconds: Double(minutes * 60)).rfc3339.dropLast()
      func two(_ number: Int) -> String { "\(number < 10 ? "0" : "")\(number)" }
      let offset = "\(minutes < 0 ? "-" : "+")\(two(abs(minutes) / 60)):\(two(abs(minutes) % 60))"
      guard instant.millisecondsSince1970 > 86_400_000,
        instant.millisecondsSince1970 < 253_402_214_400_000
      else { return }
      #expect(DeviceTime(rfc3339: local + offset) == instant, "seed \(seed): \(local)\(offset)")
    }
  }

  @Test(
    "RFC 3339 in its variants",
    arguments: [
      ("1970-01-01T00:00:00Z", Int64(0)), ("1970-01-01t00:00:00z", 0),
      ("1970-01-01T00:00:00.5Z", 500), ("1970-01-01T00:00:00.05Z", 50),
      ("1970-01-01T00:00:00.123456789Z", 123), ("1970-01-01T01:00:00+01:00", 0),
      ("1970-01-01T00:00:00+01:00", -3_600_000), ("1969-12-31T23:00:00-01:00", 0),
      ("1970-01-01T00:00:00-00:00", 0), ("1970-01-01T23:59:60Z", 86_400_000),
    ])
  func variants(text: String, milliseconds: Int64) throws {
    guard !text.hasPrefix("1969") else {
      #expect(DeviceTime(rfc3339: text) == nil, "years before 1970 are not of this world")
      return
    }
    #expect(try #require(DeviceTime(rfc3339: text)).millisecondsSince1970 == milliseconds)
  }

  @Test(
    "What is no instant is none",
    arguments: [
      "", "Z", "2024-02-30T00:00:00Z", "2024-01-01", "2024-01-01T00:00Z", "2024-01-01 00:00:00Z",
      "2024-01-01T24:00:00Z", "2024-01-01T00:60:00Z", "2024-01-01T00:00:61Z",
      "2024-01-01T00:00:00", "2024-01-01T00:00:00.Z", "2024-01-01T00:00:00+1:00",
      "2024-01-01T00:00:00+0100", "2024-01-01T00:00:00+24:00", "2024-01-01T00:00:00+01:60",
      "2024-01-01T00:00:00ZZ", "2024-01-01T-1:00:00Z", "2024-01-01T00:00:00,5Z",
      "2024-01-01T00:00:00€€€",
      "\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}T\u{0}\u{0}:::::Z",
    ])
  func noInstant(text: String) {
    #expect(DeviceTime(rfc3339: text) == nil)
  }

  @Test("Random text is no instant and stops nothing")
  func garbage() {
    forEachSeed(0..<2000) { _, generator in
      var bytes = Array("2024-01-01T00:00:00.123+01:30".utf8)
      for _ in 0..<Int.random(in: 1...4, using: &generator) {
        let index = bytes.indices.randomElement(using: &generator) ?? 0
        bytes[index] = UInt8.random(in: 0...255, using: &generator)
      }
      if let time = DeviceTime(rfc3339: String(decoding: bytes, as: UTF8.self)) {
        #expect(DeviceTime(rfc3339: time.rfc3339) == time)
      }
    }
  }

  @Test("An instant before 1970 lies on its own day")
  func before1970() {
    let instant = DeviceTime(millisecondsSince1970: -1)
    #expect(instant.date.iso8601 == "1969-12-31")
    #expect(instant.rfc3339 == "1969-12-31T23:59:59.999Z")
  }

  @Test("Elapsed time is rounded to milliseconds and compared")
  func elapsed() {
    let start = ElapsedTime(milliseconds: 5)
    let later = start.advanced(bySeconds: 1.2345)
    #expect(later.milliseconds == 1240)
    #expect(later.seconds(since: start) == 1.235)
    #expect(start < later)
  }

  @Test(
    "A date that is 1024 weeks behind the clock is a week roll-over, another wrong date is none")
  func weekRollOver() throws {
    let today = try #require(CivilDate(iso8601: "2026-11-21"))
    for (text, count) in [
      ("2007-04-07", 1), ("2007-05-01", 1), ("1987-08-22", 2), ("2026-11-21", nil),
      ("2026-10-01", nil), ("2015-01-01", nil), ("2027-01-01", nil), ("2046-07-07", nil),
    ] as [(String, Int?)] {
      let date = try #require(CivilDate(iso8601: text))
      #expect(date.weekRollOvers(behind: today) == count, "\(text)")
    }
  }
}
