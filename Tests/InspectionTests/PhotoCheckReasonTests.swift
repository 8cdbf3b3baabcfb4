import Inspection
import Testing

@Suite("The reason of a check, as rows and programs keep it", .timeLimit(.minutes(1)))
struct PhotoCheckReasonTests {
  private static let kept: [(PhotoCheck.Name, PhotoCheck.Reason, String)] = [
    (.seal, .finding("the signature does not fit"), "the signature does not fit"),
    (.times, .finding("unknown"), "unknown"),
    (.deleted, .deletion("2026-06-01T10:00:00Z: blurred"), "2026-06-01T10:00:00Z: blurred"),
    (.policy, .unknownPolicy, "unknown"),
    (.policy, .brokenRules([.samples, .imported]), "samples,imported"),
    (.origin, .unsealedApp, "egnss4cap"), (.times, .unreadableAppTime, "egnss4cap"),
    (.appDigest, .lostAppTime, "time-lost"), (.nmea, .nowhere, "nowhere"),
  ]

  @Test("each reason has the text that offices keep, and is read from it")
  func texts() {
    for (name, reason, text) in Self.kept {
      #expect(reason.text == text)
      #expect(PhotoCheck.Reason(text, of: name) == reason)
    }
  }

  @Test("a text that no check of this name has is no reason")
  func unknown() {
    #expect(PhotoCheck.Reason("samples,no-such-rule", of: .policy) == nil)
    #expect(PhotoCheck.Reason("egnss4cap", of: .appDigest) == nil)
    #expect(PhotoCheck.Reason("somewhere", of: .nmea) == nil)
  }
}
