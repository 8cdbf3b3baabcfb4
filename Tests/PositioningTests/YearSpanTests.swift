import Testing
import TimeAndText

@Suite("Spans of years")
struct YearSpanTests {
  @Test("a span is read as it is written, one year too, and nothing else")
  func reading() throws {
    #expect(YearSpan("2019-2024") == YearSpan(first: 2019, last: 2024))
    #expect(YearSpan("2019") == YearSpan(first: 2019, last: 2019))
    #expect(YearSpan("2019-2024")?.description == "2019-2024")
    for text in [
      "", "-", "2019-", "-2024", "2024-2019", "19-24", "2019-2024-2025", "2019–2024", "all",
      "02019",
      " 2019", "٢٠١٩", "+201-2024", "0001-2024", "10000", "2019-10000",
    ] {
      #expect(YearSpan(text) == nil, "\(text)")
    }
  }

  @Test("a year begins at midnight in UTC, and ends where the next begins")
  func edges() throws {
    let span = try #require(YearSpan(first: 2019, last: 2020))
    for (text, isIn) in [
      ("2018-12-31T23:59:59.999Z", false), ("2019-01-01T00:00:00.000Z", true),
      ("2020-12-31T23:59:59.999Z", true), ("2021-01-01T00:00:00.000Z", false),
      // The same instants, written with an offset.
      ("2021-01-01T00:30:00.000+01:00", true), ("2018-12-31T23:30:00.000-01:00", true),
    ] {
      #expect(span.contains(try #require(DeviceTime(rfc3339: text))) == isIn, "\(text)")
    }
    #expect(DeviceTime(millisecondsSince1970: -1).year == 1969)
  }
}
