import Positioning
import TestSupport
import Testing
import TimeAndText

@Suite("Decimal text")
struct DecimalTextTests {
  @Test(
    "Numbers are rounded half away from zero",
    arguments: [
      (0.5, 0, "1"), (-0.5, 0, "-1"), (0.49, 0, "0"), (1.25, 1, "1.3"), (-1.25, 1, "-1.3"),
      (2.5, 0, "3"), (1.0 / 3, 9, "0.333333333"), (-0.001, 3, "-0.001"), (12.3, 3, "12.300"),
      (999.9996, 3, "1000.000"), (0.05, 2, "0.05"), (-180, 7, "-180.0000000"),
    ])
  func rounding(value: Double, places: Int, text: String) {
    #expect(DecimalText.fixed(value, places: places) == text)
  }

  @Test(
    "There is no negative zero", arguments: [(-0.0, 0), (-0.0, 3), (-0.0004, 3), (-0.49, 0)])
  func negativeZero(value: Double, places: Int) {
    #expect(!DecimalText.fixed(value, places: places).contains("-"))
  }

  @Test("What cannot be written is nan, on both sides of the limit")
  func huge() {
    #expect(DecimalText.fixed(8.9e17, places: 0) == "890000000000000000")
    #expect(DecimalText.fixed(-8.9e17, places: 0) == "-890000000000000000")
    #expect(DecimalText.fixed(9e17, places: 0) == "nan")
    #expect(DecimalText.fixed(8.9e14, places: 3) == "890000000000000.000")
    #expect(DecimalText.fixed(9.1e14, places: 3) == "nan")
    for value in [Double.nan, .infinity, -.infinity, .greatestFiniteMagnitude] {
      #expect(DecimalText.fixed(value, places: 2) == "nan")
    }
  }

  @Test("The text reads back as the number, to half a unit of the last place")
  func roundTrip() throws {
    try forEachSeed { seed, generator in
      for places in 0...9 {
        let value = Double.random(in: -400...400, using: &generator)
        let text = DecimalText.fixed(value, places: places)
        let back = try #require(Double(text), "seed \(seed): \(text)")
        var unit = 1.0
        for _ in 0..<places { unit /= 10 }
        #expect(abs(back - value) <= unit / 2 * (1 + 1e-6), "seed \(seed): \(value) \(text)")
      }
    }
  }

  @Test("numbers are read as people type them, and nothing else is")
  func typed() {
    #expect(DecimalText.typed(" 49,08 ") == 49.08 && DecimalText.typed("-1.5") == -1.5)
    for wrong in ["", " ", "49 08", "0x10", "inf", "nan", "1e999", "1,2,3", "12°"] {
      #expect(DecimalText.typed(wrong) == nil, "\(wrong)")
    }
  }
}
