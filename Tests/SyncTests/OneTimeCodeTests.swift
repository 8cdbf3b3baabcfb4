import Testing

@testable import Sync

@Suite("One-time codes, and the text of their QR codes")
struct OneTimeCodeTests {
  private static let fingerprint = String(repeating: "0f", count: 32)

  @Test("a code is read as people write it: small letters, hyphens, blanks, O for 0 and l for 1")
  func written() {
    #expect(OneTimeCode(" k7pm-3xq9 ")?.characters == "K7PM3XQ9")
    #expect(OneTimeCode("OIl0 0000")?.grouped == "0110-0000")
    for wrong in [
      "", "K7PM-3XQ", "K7PM-3XQ99", "K7PM-3XQU", "K7PM_3XQ9", "ſ7PM3XQ9", "٣7PM3XQ9",
      String(repeating: "-", count: 100) + "K7PM3XQ9",
    ] {
      #expect(OneTimeCode(wrong) == nil, "\(wrong)")
    }
  }

  @Test("a code that was made has eight characters of the alphabet, and no two of 1000 are equal")
  func made() {
    var random = SystemRandomNumberGenerator()
    let codes = (0..<1000).map { _ in OneTimeCode.make(using: &random) }
    #expect(Set(codes).count == 1000)
    #expect(codes.allSatisfy { OneTimeCode($0.grouped) == $0 && $0.characters.count == 8 })
    #expect(Set(codes.flatMap(\.characters)).count == 32)
  }

  @Test("a ticket's text is read back, also one with names of a later version")
  func ticket() throws {
    let code = try #require(OneTimeCode("K7PM3XQ9"))
    for tls in [nil, String(repeating: "ab", count: 32)] {
      let ticket = InvitationTicket(
        office: "https://office.example:8480", code: code, fingerprint: Self.fingerprint,
        tlsFingerprint: tls)
      #expect(InvitationTicket(text: ticket.text) == ticket)
      #expect(InvitationTicket(text: ticket.text + "&later=1") == ticket)
    }
  }

  @Test("a text that is no ticket, or could be read in two ways, is refused")
  func hostile() {
    let good = "standpoint:sign-in?office=https://o.example&code=K7PM3XQ9&fingerprint="
    #expect(InvitationTicket(text: good + Self.fingerprint) != nil)
    for wrong in [
      "", "https://office.example", good, good + "12", good + Self.fingerprint.uppercased(),
      good + Self.fingerprint + "&office=https://other.example",
      good + Self.fingerprint + "&tls=1", good + Self.fingerprint + "&code",
      good.replacing("https:", with: "javascript:") + Self.fingerprint,
      good.replacing("o.example", with: "o.example/a path") + Self.fingerprint,
      good.replacing("o.example", with: "anna@o.example") + Self.fingerprint,
      good.replacing("K7PM3XQ9", with: "K7PM3XQ") + Self.fingerprint,
      good + Self.fingerprint + "&x=" + String(repeating: "x", count: 1000),
    ] {
      #expect(InvitationTicket(text: wrong) == nil, "\(wrong)")
    }
  }
}
