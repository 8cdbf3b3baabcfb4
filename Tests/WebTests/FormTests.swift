import TestSupport
import Testing

@testable import Web

@Suite("Forms") struct FormTests {
  private func form(_ text: String) throws -> WebForm { try WebForm(urlEncoded: text) }

  @Test("fields are decoded, trimmed, and nil when blank")
  func fields() throws {
    let form = try form("a=+x%20y+&b=%C5%BDlu%C5%A5&c=+++&d&e=1&e=2&e=+&f=a%3Db%26c")
    #expect(form["a"] == "x y")
    #expect(form["b"] == "Žluť")
    #expect(form["c"] == nil)
    #expect(form["d"] == nil)
    #expect(form["missing"] == nil)
    #expect(form.all("e") == ["1", "2"])
    #expect(form.all("missing") == [])
    #expect(form["f"] == "a=b&c")
    #expect(form.names == ["a", "b", "c", "d", "e", "f"])
  }

  @Test("a password keeps its blanks")
  func exact() throws {
    #expect(try form("p=+x+").exact("p") == " x ")
    #expect(try form("p=").exact("p")?.isEmpty == true)
  }

  @Test("line ends of any system become single line feeds")
  func lineEnds() throws {
    #expect(try form("t=a%0D%0Ab%0Dc%0Ad")["t"] == "a\nb\nc\nd")
  }

  @Test(
    "a broken encoding is refused, and not guessed at",
    arguments: [
      "a=%", "a=%4", "a=%GG", "a=%C3", "a=%FF", "a=%ED%A0%80", "a=%C0%AF", "a=%00", "%=a",
      "%u0041=a",
    ])
  func hostile(text: String) {
    #expect(throws: WebProblem.malformedRequest) { try form(text) }
  }

  @Test("bytes that are no UTF-8 are refused")
  func hostileBytes() {
    #expect(throws: WebProblem.malformedRequest) { try WebForm(urlEncoded: [0x61, 0x3D, 0xFF]) }
  }

  @Test("2000 fields pass and 2001 do not")
  func count() throws {
    let many = String(repeating: "a=1&", count: 2000)
    #expect(try form(many).all("a").count == 2000)
    #expect(throws: WebProblem.malformedRequest) { try form(many + "b=1") }
  }

  @Test("a separator behind which a combining mark stands still separates")
  func combining() throws {
    let form = try form("a=1&\u{301}b=2&c=\u{301}")
    #expect(form["a"] == "1")
    #expect(form["\u{301}b"] == "2")
  }

  @Test("any bytes either decode or are refused: nothing crashes")
  func property() {
    forEachSeed { seed, generator in
      let alphabet = Array("%&=+abcF09\u{0}é".utf8)
      let bytes = (0..<60).map { _ in alphabet.randomElement(using: &generator) ?? 0 }
      if let form = try? WebForm(urlEncoded: bytes) {
        #expect(form.names.allSatisfy { !form.all($0).contains("") }, "seed \(seed)")
      }
    }
  }

  @Test("what is encoded decodes to the same")
  func roundTrip() {
    forEachSeed { seed, generator in
      let alphabet = Array("%&=+ab /?#é€😀\n\"")
      let text = String((0..<30).map { _ in alphabet.randomElement(using: &generator) ?? "a" })
      #expect(
        PercentCoding.decode(PercentCoding.encode(text), plusIsSpace: false) == text,
        "seed \(seed)")
    }
  }
}
