import Sync
import Testing

@Suite("When the office looks at what has arrived")
struct ExaminationPaceTests {
  @Test("two seconds after the last bytes, and thirty after the first at the latest")
  func pace() {
    func wait(_ arrival: Double?, _ waited: Double) -> Double {
      ExaminationPace.waitSeconds(secondsSinceArrival: arrival, secondsWaited: waited)
    }
    #expect(wait(nil, 0) == 0)
    #expect(wait(0.5, 0) == 1.5)
    #expect(wait(2, 0) == 0 && wait(9, 1) == 0)
    #expect(wait(0, 29) == 1)
    #expect(wait(0, 30) == 0 && wait(0, 99) == 0)
  }
}
