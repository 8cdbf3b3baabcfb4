import Foundation

// A signature is over bytes, and one JSON value can be written as many different bytes. RFC 8785
// defines one form: members sorted by UTF-16 code units, no white space, the shortest text for a
// number as ECMAScript writes it, and only the escapes that must be.

extension JSONValue {
  /// The canonical bytes of RFC 8785.
  ///
  /// Numbers that are not finite cannot be written in JSON: they become null. A `JSONValue` that
  /// was read never holds one.
  public var canonicalBytes: [UInt8] {
    var bytes: [UInt8] = []
    write(into: &bytes)
    return bytes
  }

  private func write(into bytes: inout [UInt8]) {
    switch self {
    case .null: bytes += "null".utf8
    case .bool(let value): bytes += (value ? "true" : "false").utf8
    case .number(let value): bytes += Self.text(of: value).utf8
    case .string(let text): Self.write(text, into: &bytes)
    case .array(let elements):
      bytes.append(UInt8(ascii: "["))
      for (index, element) in elements.enumerated() {
        if index > 0 { bytes.append(UInt8(ascii: ",")) }
        element.write(into: &bytes)
      }
      bytes.append(UInt8(ascii: "]"))
    case .object(let members):
      bytes.append(UInt8(ascii: "{"))
      let sorted = members.sorted { Self.precedes($0.key, $1.key) }
      for (index, member) in sorted.enumerated() {
        if index > 0 { bytes.append(UInt8(ascii: ",")) }
        Self.write(member.key, into: &bytes)
        bytes.append(UInt8(ascii: ":"))
        member.value.write(into: &bytes)
      }
      bytes.append(UInt8(ascii: "}"))
    }
  }

  /// Returns true if a name comes before another one by UTF-16 code units. The order of UTF-8
  /// bytes, which is quicker, differs from that only for characters of four bytes.
  private static func precedes(_ one: String, _ other: String) -> Bool {
    let isBasic = { (name: String) in name.utf8.allSatisfy { $0 < 0xF0 } }
    return isBasic(one) && isBasic(other)
      ? one.utf8.lexicographicallyPrecedes(other.utf8)
      : one.utf16.lexicographicallyPrecedes(other.utf16)
  }

  private static func write(_ text: String, into bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "\""))
    defer { bytes.append(UInt8(ascii: "\"")) }
    let isPlain = text.utf8.allSatisfy {
      $0 >= 0x20 && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\")
    }
    if isPlain {
      bytes += text.utf8
      return
    }
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\""): bytes += Array("\\\"".utf8)
      case UInt8(ascii: "\\"): bytes += Array("\\\\".utf8)
      case 0x08: bytes += Array("\\b".utf8)
      case 0x09: bytes += Array("\\t".utf8)
      case 0x0A: bytes += Array("\\n".utf8)
      case 0x0C: bytes += Array("\\f".utf8)
      case 0x0D: bytes += Array("\\r".utf8)
      case 0..<0x20:
        let digits = Array("0123456789abcdef".utf8)
        bytes += Array("\\u00".utf8) + [digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      default: bytes.append(byte)
      }
    }
  }

  /// Returns a number as ECMAScript's Number::toString writes it. Swift's `description` gives the
  /// same shortest digits; only the place of the point and the use of an exponent differ.
  static func text(of value: Double) -> String {
    guard value.isFinite else { return "null" }
    if value == 0 { return "0" }
    let sign = value < 0 ? "-" : ""
    var mantissa = Substring(value.magnitude.description)
    var exponent = 0
    if let mark = mantissa.firstIndex(where: { $0 == "e" || $0 == "E" }) {
      exponent = Int(mantissa[mantissa.index(after: mark)...]) ?? 0
      mantissa = mantissa[..<mark]
    }
    let parts = mantissa.split(separator: ".", omittingEmptySubsequences: false)
    let whole = parts.first.map(String.init) ?? ""
    let fraction = parts.count > 1 ? String(parts[1]) : ""
    var digits = whole + fraction
    var point = whole.count + exponent
    while digits.hasPrefix("0"), digits.count > 1 {
      digits.removeFirst()
      point -= 1
    }
    while digits.hasSuffix("0"), digits.count > 1 { digits.removeLast() }
    let count = digits.count
    if point >= count, point <= 21 {
      return sign + digits + String(repeating: "0", count: point - count)
    }
    if point > 0, point <= 21 { return sign + digits.prefix(point) + "." + digits.dropFirst(point) }
    if point > -6, point <= 0 {
      return sign + "0." + String(repeating: "0", count: -point) + digits
    }
    let power = point - 1
    let tail = (power < 0 ? "e-" : "e+") + String(abs(power))
    let head = count == 1 ? digits : digits.prefix(1) + "." + digits.dropFirst()
    return sign + head + tail
  }
}
