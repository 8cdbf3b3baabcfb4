import Testing
import TimeAndText

@testable import Positioning

@Suite("The device's clock against the receiver's time")
struct ClockRuleTests {
  private let device = DeviceTime(millisecondsSince1970: 1_780_000_000_000)

  private func ahead(_ seconds: Double, age: Double = 0) -> Double? {
    ClockRule.aheadSeconds(
      device: device, receiver: device.advanced(bySeconds: -seconds - age).gnssTime,
      ageSeconds: age)
  }

  @Test("a clock within two seconds is not spoken of, however old the fix is")
  func silent() {
    for seconds in [0, 1.9, -1.9] {
      #expect(ClockRule.warning(aheadSeconds: ahead(seconds, age: 3)) == nil, "\(seconds) s")
    }
    #expect(ClockRule.warning(aheadSeconds: nil) == nil)
  }

  @Test("a clock that is further off is told, with the side and the seconds")
  func told() {
    for (seconds, words) in [(3600.0, "3600 s ahead"), (-2.6, "3 s behind")] {
      let warning = ClockRule.warning(aheadSeconds: ahead(seconds))
      #expect(warning?.description.contains(words) == true, "\(words)")
    }
  }

  @Test("a receiver that tells no date is compared with nothing")
  func noDate() {
    let dateless = device.gnssTime.on(nil)
    #expect(ClockRule.aheadSeconds(device: device, receiver: dateless, ageSeconds: 0) == nil)
  }
}
