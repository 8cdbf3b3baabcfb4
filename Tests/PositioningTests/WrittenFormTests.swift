import Testing
import TimeAndText

@Suite("How a language writes decimals, days and moments")
struct WrittenFormTests {
  private let moment = DeviceTime(rfc3339: "2026-06-05T07:08:09.999Z")

  @Test("English pages keep the point and ISO 8601")
  func international() throws {
    let form = WrittenForm.international
    #expect(form.decimal(1234.5, places: 2) == "1234.50")
    #expect(form.day(try #require(moment).date) == "2026-06-05")
    #expect(form.moment(try #require(moment)) == "2026-06-05 07:08:09 UTC")
  }

  @Test("Czech has a decimal comma, and the day comes first, without zeros")
  func czech() throws {
    let form = WrittenForm.czech
    #expect(form.decimal(-0.05, places: 1) == "-0,1")
    #expect(form.decimal(7, places: 0) == "7")
    #expect(form.day(try #require(moment).date) == "5. 6. 2026")
    #expect(form.moment(try #require(moment)) == "5. 6. 2026 07:08:09 UTC")
  }
}
