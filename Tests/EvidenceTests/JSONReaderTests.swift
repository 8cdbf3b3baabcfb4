import TestSupport
import Testing

@testable import Evidence

@Suite("The strict JSON reader")
struct JSONReaderTests {
  @Test(
    "what is not JSON is refused, with the byte where it goes wrong",
    arguments: [
      ("", 0), ("   ", 3), ("{", 1), ("[1,]", 3), ("[1 2]", 3), ("{\"a\" 1}", 5), ("{\"a\":1,}", 7),
      ("{a:1}", 1), ("nul", 0), ("True", 0), ("'a'", 0), ("1 2", 2), ("[] x", 3), ("\u{feff}1", 0),
      ("// x\n1", 0), ("NaN", 0), ("Infinity", 0), ("-Infinity", 1),
    ] as [(String, Int)])
  func notJSON(text: String, byte: Int) {
    do {
      let value = try JSONValue(parsing: Array(text.utf8))
      Issue.record("\(text) was read as \(value)")
    } catch {
      guard case .malformedJSON(_, let place) = error else {
        Issue.record("\(text): \(error)")
        return
      }
      #expect(place == byte, "\(text)")
    }
  }

  @Test(
    "numbers are those of RFC 8259 and no others",
    arguments: [
      "01", "-01", "00", "+1", ".5", "1.", "-", "1e", "1e+", "1.e3", "0x10", "1_000", "-.5", "1E-",
      "1e400", "-1e400", String(repeating: "9", count: 401),
      "1." + String(repeating: "0", count: 400),
    ])
  func wrongNumbers(text: String) {
    #expect(throws: EvidenceError.self) { try JSONValue(parsing: Array(text.utf8)) }
  }

  @Test("every allowed form of a number is read")
  func rightNumbers() throws {
    let expected: [(String, Double)] = [
      ("0", 0), ("-0", 0), ("10", 10), ("-1.5e-3", -0.0015), ("1E+2", 100), ("0.0", 0),
      ("1e-400", 0), ("123456789012345678901234567890", 1.2345678901234568e29),
    ]
    for (text, value) in expected {
      #expect(try JSONValue(parsing: Array(text.utf8)) == .number(value), "\(text)")
    }
  }

  @Test(
    "a name that comes twice is refused, however it is written",
    arguments: [
      #"{"a":1,"a":1}"#, #"{"a":1,"\u0061":2}"#, #"{"x":{"b":1,"c":2,"b":3}}"#,
      #"{"é":1,"\u00e9":2}"#,
    ])
  func duplicates(text: String) {
    #expect {
      try JSONValue(parsing: Array(text.utf8))
    } throws: { error in
      "\(error)".contains("appears twice")
    }
  }

  @Test("nesting is read to the limit and refused beyond it, in arrays and in objects")
  func depth() throws {
    func nested(_ depth: Int, _ open: String, _ close: String) -> [UInt8] {
      Array(
        (String(repeating: open, count: depth) + "1" + String(repeating: close, count: depth)).utf8)
    }
    for (open, close) in [("[", "]"), (#"{"a":"#, "}")] {
      #expect(throws: Never.self) { try JSONValue(parsing: nested(63, open, close)) }
      #expect(throws: EvidenceError.self) { try JSONValue(parsing: nested(64, open, close)) }
      #expect(throws: EvidenceError.self) { try JSONValue(parsing: nested(1_000_000, open, "")) }
    }
    #expect(throws: EvidenceError.self) {
      try JSONValue(parsing: nested(3, "[", "]"), depthLimit: 3)
    }
  }

  @Test("surrogates come in pairs or not at all")
  func surrogates() throws {
    #expect(try JSONValue(parsing: Array(#""\uD83D\uDE00""#.utf8)) == .string("😀"))
    #expect(try JSONValue(parsing: Array(#""\uDBFF\uDFFF""#.utf8)) == .string("\u{10FFFF}"))
    for text in [
      #""\uD83D""#, #""\uDE00""#, #""\uDE00\uD83D""#, #""\uD83Dx""#, #""\uD83D\n""#,
      #""\uD83D\uD83D""#, #""\uD83D\u0041""#, #""\uD83"#, #""\uZZZZ""#, #""\u12""#, #""\u+123""#,
    ] {
      #expect(throws: EvidenceError.self, "\(text)") { try JSONValue(parsing: Array(text.utf8)) }
    }
  }

  @Test("control characters, unknown escapes and bytes that are not UTF-8 are refused in text")
  func badText() {
    for byte in UInt8(0)..<0x20 {
      #expect(throws: EvidenceError.self) { try JSONValue(parsing: [0x22, byte, 0x22]) }
    }
    for text in [#""\x41""#, #""\'""#, #""\a""#, #""\0""#, #""abc"#, #""\"#] {
      #expect(throws: EvidenceError.self) { try JSONValue(parsing: Array(text.utf8)) }
    }
    // A lone continuation, an overlong slash, a surrogate in UTF-8, beyond U+10FFFF, a cut scalar.
    for bytes: [UInt8] in [
      [0x80], [0xC0, 0xAF], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xE2, 0x82], [0xFF],
    ] {
      #expect(throws: EvidenceError.self) { try JSONValue(parsing: [0x22] + bytes + [0x22]) }
    }
  }

  @Test("a document cut off at any byte is refused")
  func truncation() throws {
    let text = #" {"a": [1.5e3, -0, "x\u00e9\ud83d\ude00\n", {"b": null}], "c": true, "d": false} "#
    let bytes = Array(text.utf8)
    let end = bytes.count - 1
    #expect(throws: Never.self) { try JSONValue(parsing: bytes) }
    for length in 0..<end {
      #expect(throws: EvidenceError.self, "\(length) bytes") {
        try JSONValue(parsing: Array(bytes[..<length]))
      }
    }
  }

  @Test("anything but white space after the value is refused")
  func trailing() {
    #expect(throws: Never.self) { try JSONValue(parsing: Array(" 1 \t\r\n".utf8)) }
    for byte in UInt8.min...UInt8.max where ![0x20, 0x09, 0x0A, 0x0D].contains(byte) {
      #expect(throws: EvidenceError.self) { try JSONValue(parsing: Array("{}".utf8) + [byte]) }
    }
  }

  @Test("hostile bytes are refused or read, and never trap")
  func hostileBytes() {
    let alphabet = Array(#"{}[]",:\u0123456789abcdefDE+-.eEtrunlfs "#.utf8) + [0, 0x7F, 0xC3, 0xFF]
    let document = Array(#"{"a":[1,2.5e-3,"\ud83d\ude00"],"b":{"c":null,"d":[true,false]}}"#.utf8)
    forEachSeed(0..<3000) { seed, random in
      var bytes: [UInt8]
      if seed % 2 == 0 {
        bytes = (0..<Int.random(in: 0...60, using: &random)).map { _ in
          alphabet[Int.random(in: 0..<alphabet.count, using: &random)]
        }
      } else {
        bytes = document
        for _ in 0...Int.random(in: 0...3, using: &random) {
          bytes[Int.random(in: 0..<bytes.count, using: &random)] =
            alphabet[Int.random(in: 0..<alphabet.count, using: &random)]
        }
      }
      guard let value = try? JSONValue(parsing: bytes) else { return }
      // A document that was read can be written, and is then read as the same.
      #expect((try? JSONValue(parsing: value.canonicalBytes)) == value, "seed \(seed)")
    }
  }

  @Test("whole numbers are those that a double holds exactly")
  func wholeNumbers() {
    #expect(JSONValue.number(9_007_199_254_740_992).wholeNumber == 9_007_199_254_740_992)
    #expect(JSONValue.number(1e300).wholeNumber == nil)
    #expect(JSONValue.number(1.5).wholeNumber == nil)
    #expect(JSONValue.string("1").wholeNumber == nil)
    #expect(JSONValue.string("1.250").measured == 1.25)
    for text in ["", "nan", "inf", "1e999", "x", String(repeating: "1", count: 40)] {
      #expect(JSONValue.string(text).measured == nil, "\(text)")
    }
  }
}
