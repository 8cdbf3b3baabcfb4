import TestSupport
import Testing

@testable import Sync

/// The times at which a delivery is tried again.
@Suite("The pace of deliveries")
struct DeliveryPaceTests {
  @Test("after failures 15 s, doubled each time, 15 minutes at most; after a success a minute")
  func doubling() {
    var pace = DeliveryPace()
    let pauses = (0..<8).map { _ in pace.failed(random: 0) }
    #expect(pauses == [15, 30, 60, 120, 240, 480, 900, 900])
    for _ in 0..<10_000 { #expect(pace.failed(random: 0) == 900) }
    #expect(pace.succeeded(random: 0) == 60)
    #expect(pace.failures == 0 && pace.failed(random: 0) == 15)
  }

  @Test("field units do not come back in step, and none before the office has asked for")
  func jitter() {
    forEachSeed { seed, random in
      var pace = DeliveryPace()
      var longest = 0.0
      for _ in 0..<12 {
        let share = Double.random(in: 0..<1, using: &random)
        let pause = pace.failed(random: share)
        #expect(pause > 11 && pause <= 900, "seed \(seed)")
        longest = max(longest, pause)
        var asked = pace
        let later = asked.failed(askedSeconds: 1200, random: share)
        #expect((1200...1500).contains(later), "seed \(seed)")
      }
      #expect(longest > 600, "seed \(seed)")
    }
  }

  @Test("an absurd wish to wait is not obeyed for ever, and one that has passed is none")
  func absurd() {
    var pace = DeliveryPace()
    #expect(pace.failed(askedSeconds: 1e12, random: 0) == 3600)
    #expect(pace.failed(askedSeconds: -5, random: 0) == 30)
    #expect(pace.failed(askedSeconds: .infinity, random: 0.5) == 4050)
  }
}
