import Foundation
import TestSupport
import Testing

@testable import Evidence

@Suite("Canonical JSON")
struct CanonicalJSONTests {
  /// The table of RFC 8785, appendix B: the bits of a double, and its text.
  private static let numbers: [(bits: UInt64, text: String)] = [
    (0x0000_0000_0000_0000, "0"), (0x8000_0000_0000_0000, "0"),
    (0x0000_0000_0000_0001, "5e-324"), (0x8000_0000_0000_0001, "-5e-324"),
    (0x7fef_ffff_ffff_ffff, "1.7976931348623157e+308"),
    (0xffef_ffff_ffff_ffff, "-1.7976931348623157e+308"),
    (0x4340_0000_0000_0000, "9007199254740992"), (0xc340_0000_0000_0000, "-9007199254740992"),
    (0x4430_0000_0000_0000, "295147905179352830000"),
    (0x44b5_2d02_c7e1_4af5, "9.999999999999997e+22"), (0x44b5_2d02_c7e1_4af6, "1e+23"),
    (0x44b5_2d02_c7e1_4af7, "1.0000000000000001e+23"),
    (0x444b_1ae4_d6e2_ef4e, "999999999999999700000"),
    (0x444b_1ae4_d6e2_ef4f, "999999999999999900000"), (0x444b_1ae4_d6e2_ef50, "1e+21"),
    (0x3eb0_c6f7_a0b5_ed8c, "9.999999999999997e-7"), (0x3eb0_c6f7_a0b5_ed8d, "0.000001"),
    (0x41b3_de43_5555_5553, "333333333.3333332"), (0x41b3_de43_5555_5554, "333333333.33333325"),
    (0x41b3_de43_5555_5555, "333333333.3333333"), (0x41b3_de43_5555_5556, "333333333.3333334"),
    (0x41b3_de43_5555_5557, "333333333.33333343"),
    (0xbecb_f647_612f_3696, "-0.0000033333333333333333"),
    (0x4314_3ff3_c1cb_0959, "1424953923781206.2"),
  ]

  @Test("numbers have the text of RFC 8785, appendix B")
  func numbersOfAppendixB() {
    for (bits, text) in Self.numbers {
      #expect(JSONValue.text(of: Double(bitPattern: bits)) == text)
    }
  }

  @Test("a number that is not finite is written as null")
  func notFinite() {
    for value in [Double.nan, .infinity, -.infinity] {
      #expect(JSONValue.number(value).canonicalBytes == Array("null".utf8))
    }
  }

  @Test("the example of RFC 8785, 3.2.2, gives the bytes of 3.2.4")
  func wholeExample() throws {
    let text = #"""
      {
        "numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
        "string": "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/",
        "literals": [null, true, false]
      }
      """#
    let expected =
      #"{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"#
      + #""string":"€$\u000f\nA'B\"\\\\\"/"}"#
    let value = try JSONValue(parsing: Array(text.utf8))
    #expect(String(decoding: value.canonicalBytes, as: UTF8.self) == expected)
    // RFC 8785, 3.2.4, gives the first bytes and the Euro sign in hexadecimal.
    #expect(value.canonicalBytes.starts(with: [0x7b, 0x22, 0x6c, 0x69, 0x74, 0x65, 0x72, 0x61]))
    #expect(Data(value.canonicalBytes).range(of: Data([0xe2, 0x82, 0xac, 0x24])) != nil)
  }

  @Test("names are sorted by UTF-16 code units, as in RFC 8785, 3.2.3")
  func sorting() throws {
    let text = #"""
      {"\u20ac": "Euro Sign", "\r": "Carriage Return", "\ufb33": "Hebrew Letter Dalet With Dagesh",
       "1": "One", "\ud83d\ude00": "Emoji: Grinning Face", "\u0080": "Control",
       "\u00f6": "Latin Small Letter O With Diaeresis"}
      """#
    let bytes = try JSONValue(parsing: Array(text.utf8)).canonicalBytes
    let order = [
      "Carriage Return", "One", "Control", "Latin Small Letter O With Diaeresis", "Euro Sign",
      "Emoji: Grinning Face", "Hebrew Letter Dalet With Dagesh",
    ]
    let places = order.map { Data(bytes).range(of: Data($0.utf8))?.lowerBound ?? -1 }
    #expect(!places.contains(-1))
    #expect(places == places.sorted())
  }

  @Test("every control character has the escape that RFC 8785 asks for, and no other has one")
  func escapes() {
    let short: [UInt8: String] = [8: "\\b", 9: "\\t", 10: "\\n", 12: "\\f", 13: "\\r"]
    for byte in UInt8(0)..<0x20 {
      let text = String(Character(Unicode.Scalar(byte)))
      let digits = String(byte, radix: 16)
      let long = "\\u00" + (digits.count == 1 ? "0" : "") + digits
      let expected = "\"" + (short[byte] ?? long) + "\""
      #expect(JSONValue.string(text).canonicalBytes == Array(expected.utf8))
    }
    for text in ["\u{7f}", "\u{80}", "\u{2028}", "/", "'", "é", "\u{ffff}", "😀"] {
      #expect(JSONValue.string(text).canonicalBytes == Array("\"\(text)\"".utf8))
    }
  }

  @Test("what was written is read again as the same value, and written as the same bytes")
  func roundTrip() throws {
    try forEachSeed(0..<400) { seed, random in
      let value = Self.value(depth: 0, &random)
      let bytes = value.canonicalBytes
      let again = try JSONValue(parsing: bytes)
      #expect(again == value, "seed \(seed)")
      #expect(again.canonicalBytes == bytes, "seed \(seed)")
    }
  }

  @Test("a double keeps its value, and its text is the shortest that does")
  func numbersRoundTrip() {
    forEachSeed(0..<3000) { seed, random in
      let value =
        seed % 3 == 0
        ? (Double.random(in: -1e12...1e12, using: &random) * 1000).rounded() / 1000
        : Double(bitPattern: random.next())
      guard value.isFinite else { return }
      let text = JSONValue.text(of: value)
      let read = try? JSONValue(parsing: Array(text.utf8))
      #expect(read == .number(value), "seed \(seed)")
      func digits(_ text: String) -> String {
        let mantissa = text.prefix { $0 != "e" }.filter { $0.isNumber }
        let head = mantissa.drop { $0 == "0" }
        return String(head.reversed().drop { $0 == "0" }.reversed())
      }
      #expect(digits(text) == digits(value.description), "seed \(seed): \(text)")
    }
  }

  private static func value(depth: Int, _ random: inout SeededGenerator) -> JSONValue {
    switch Int.random(in: 0...(depth > 4 ? 3 : 6), using: &random) {
    case 0: .null
    case 1: .bool(.random(using: &random))
    case 2: .number(Double(Int.random(in: -1_000_000...1_000_000, using: &random)) / 64)
    case 3: .string(text(&random))
    case 4:
      .array(
        (0..<Int.random(in: 0...4, using: &random)).map { _ in
          value(depth: depth + 1, &random)
        })
    default:
      .object(
        Dictionary(
          (0..<Int.random(in: 0...5, using: &random)).map { _ in
            (text(&random), value(depth: depth + 1, &random))
          }, uniquingKeysWith: { first, _ in first }))
    }
  }

  private static func text(_ random: inout SeededGenerator) -> String {
    let scalars: [Unicode.Scalar] = [
      "a", "Z", "0", "\"", "\\", "/", "\n", "\u{0}", "\u{1f}", "\u{7f}", "ö", "€", "\u{fb33}", "😀",
      "\u{ffff}", "\u{10ffff}",
    ]
    return (0..<Int.random(in: 0...8, using: &random)).reduce(into: "") { text, _ in
      text.unicodeScalars.append(scalars[Int.random(in: 0..<scalars.count, using: &random)])
    }
  }
}
