import Positioning
import Testing
import TimeAndText

@Suite("Sentences that can be said in another language")
struct WordingTests {
  /// Translates into a language that shouts everything and turns the values of one sentence around.
  private func shouted(_ template: String) -> String {
    template == "{1} of {2}" ? "OF {2}, {1}" : template.uppercased()
  }

  @Test("a literal is its template and its values; pieces that are added are one sentence")
  func literal() {
    let name = "{2}"
    let wording: Wording = "the file \(name) has" + " \(12) bytes" + ", no more"
    #expect(wording.template == "the file {1} has {2} bytes, no more")
    #expect("\(wording)" == "the file {2} has 12 bytes, no more")
    #expect(wording.text(shouted) == "THE FILE {2} HAS 12 BYTES, NO MORE")
    #expect(("\(1) of \(name)" as Wording).text(shouted) == "OF {2}, 1")
  }

  @Test("words within words are said in the same language, and what is not ours stays as it is")
  func nested() {
    let reason: Wording = "no fix for \(3) s"
    let wording: Wording =
      "no photo: \(reason), \(word: "still"), \(Wording(verbatim: "their words"))"
    #expect(wording.description == "no photo: no fix for 3 s, still, their words")
    #expect(wording.text(shouted) == "NO PHOTO: NO FIX FOR 3 S, STILL, their words")
    // A literal that holds nothing but another wording is that wording.
    #expect(("\(reason)" as Wording) == reason)
    let error: any Error = Refused()
    #expect(("\(error)" as Wording).template == "it is {1}")
  }

  @Test("several are joined without losing their own templates; none is nothing")
  func joined() {
    let all: [Wording] = ["a \(1)", "b"]
    #expect(all.joined(separator: "; ").description == "a 1; b")
    #expect(all.joined(separator: "; ").text(shouted) == "A 1; B")
    #expect([Wording]().joined(separator: "; ").description == "")
  }

  @Test("a template with a placeholder too many, or none, breaks nothing")
  func odd() {
    let wording: Wording = "a \(1)"
    #expect(
      wording.text { _ in "x {2} {9999999999999999999999} {0} {" }
        == "x {2} {9999999999999999999999} {0} {")
    #expect(wording.text { _ in "x" } == "x")
  }

  @Test("a reason of the gate reads in English as it always did")
  func reason() {
    let reason = GateReason.moving(metresPerSecond: 1.234, limitMetresPerSecond: 0.2)
    #expect(reason.text == "moving at 1.23 m/s, limit 0.20 m/s: stand still")
    #expect(reason.wording.template == "moving at {1} m/s, limit {2} m/s: stand still")
  }

  @Test("a decimal number is written with the language's own sign, also in words within words")
  func decimals() {
    let way: Wording = "\(decimal: -0.25, places: 2) m"
    let wording: Wording = "moved \(way) of \(decimal: 12, places: 0), \("1.5")"
    #expect(wording.description == "moved -0.25 m of 12, 1.5")
    #expect(wording.text(in: .czech) { $0 } == "moved -0,25 m of 12, 1.5")
    #expect(Wording("\(decimal: "3.10")").text(in: .czech) { $0 } == "3,10")
  }

  @Test("a moment is RFC 3339 in English, and as people write it in another language")
  func moments() throws {
    let time = try #require(DeviceTime(rfc3339: "2026-06-05T07:08:09.500Z"))
    let wording: Wording = "since \(moment: time)"
    #expect(wording.description == "since 2026-06-05T07:08:09.500Z")
    #expect(wording.text(in: .czech) { $0 } == "since 5. 6. 2026 07:08:09 UTC")
  }

  private struct Refused: Error, Worded {
    var wording: Wording { "it is \(1)" }
  }
}
