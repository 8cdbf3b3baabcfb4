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

  @Test(
    "A distance has tenths of a metre up to 10 m, whole metres up to 1 km, and then kilometres",
    arguments: [
      (0, "0.0 m"), (0.04, "0.0 m"), (9.94, "9.9 m"), (9.96, "10 m"), (340.4, "340 m"),
      (999.4, "999 m"), (999.6, "1.0 km"), (6_930, "6.9 km"),
    ])
  func distance(metres: Double, words: String) {
    #expect(WrittenForm.international.distance(metres: metres) == words)
    #expect(
      WrittenForm.czech.distance(metres: metres) == words.replacing(".", with: ","))
  }
}
