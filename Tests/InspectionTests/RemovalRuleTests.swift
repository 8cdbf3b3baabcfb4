import Testing

@testable import Inspection

@Suite("When a delivered photo may leave the device")
struct RemovalRuleTests {
  @Test("never without days; the sooner of both rules; only when its task is decided")
  func rule() {
    let day = 86_400.0
    let never = RemovalRule(ownDays: nil, agencyDays: nil)
    #expect(never.days == nil)
    #expect(!never.lets(deliveredSeconds: 4000 * day, task: nil))
    for rule in [
      RemovalRule(ownDays: 2, agencyDays: nil), RemovalRule(ownDays: nil, agencyDays: 2),
      RemovalRule(ownDays: 30, agencyDays: 2), RemovalRule(ownDays: 2, agencyDays: 30),
    ] {
      #expect(rule.days == 2)
      #expect(!rule.lets(deliveredSeconds: 2 * day - 1, task: nil))
      #expect(rule.lets(deliveredSeconds: 2 * day, task: nil))
      // A clock that was turned back keeps what is there.
      #expect(!rule.lets(deliveredSeconds: -5 * day, task: nil))
      for state in TaskState.allCases {
        #expect(
          rule.lets(deliveredSeconds: 3 * day, task: state)
            == [.accepted, .declined, .withdrawn].contains(state), "\(state)")
      }
    }
    #expect(RemovalRule(ownDays: 0, agencyDays: nil).lets(deliveredSeconds: 0, task: nil))
  }
}
