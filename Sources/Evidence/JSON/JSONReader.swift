import Foundation
import TimeAndText

extension JSONValue {
  /// Reads JSON strictly (RFC 8259, and I-JSON's rule that no name comes twice).
  ///
  /// - Parameter depthLimit: the deepest nesting that is read; deeper nesting is refused, so that
  ///   hostile bytes cannot exhaust the stack.
  /// - Throws: `EvidenceError.malformedJSON` with the byte at which reading failed.
  public init(parsing bytes: [UInt8], depthLimit: Int = 64) throws(EvidenceError) {
    var reader = JSONReader(bytes: bytes, depthLimit: depthLimit)
    self = try reader.document()
  }
}

private struct JSONReader {
  let bytes: [UInt8]
  let depthLimit: Int
  var index = 0

  init(bytes: [UInt8], depthLimit: Int) {
    self.bytes = bytes
    self.depthLimit = depthLimit
  }

  mutating func document() throws(EvidenceError) -> JSONValue {
    let value = try value(depth: 0)
    skipSpace()
    guard index == bytes.count else { throw error("something follows the value") }
    return value
  }

  private func error(_ words: Wording) -> EvidenceError { .malformedJSON(words, byte: index) }

  private var next: UInt8? { index < bytes.count ? bytes[index] : nil }

  private mutating func skipSpace() {
    while let byte = next, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 {
      index += 1
    }
  }

  private mutating func value(depth: Int) throws(EvidenceError) -> JSONValue {
    guard depth < depthLimit else { throw error("nested too deeply") }
    skipSpace()
    switch next {
    case UInt8(ascii: "{"): return try object(depth: depth)
    case UInt8(ascii: "["): return try array(depth: depth)
    case UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: "t"): return try word("true", .bool(true))
    case UInt8(ascii: "f"): return try word("false", .bool(false))
    case UInt8(ascii: "n"): return try word("null", .null)
    case nil: throw error("it ends too early")
    default: return try number()
    }
  }

  private mutating func word(
    _ text: String, _ value: JSONValue
  ) throws(EvidenceError) -> JSONValue {
    guard bytes[index...].starts(with: text.utf8) else { throw error("an unknown word") }
    index += text.utf8.count
    return value
  }

  private mutating func object(depth: Int) throws(EvidenceError) -> JSONValue {
    index += 1
    var members: [String: JSONValue] = [:]
    skipSpace()
    if next == UInt8(ascii: "}") {
      index += 1
      return .object(members)
    }
    while true {
      skipSpace()
      guard next == UInt8(ascii: "\"") else { throw error("a name was expected") }
      let name = try string()
      guard members[name] == nil else { throw error("the name \"\(name)\" appears twice") }
      skipSpace()
      guard next == UInt8(ascii: ":") else { throw error("a colon was expected") }
      index += 1
      members[name] = try value(depth: depth + 1)
      skipSpace()
      if next == UInt8(ascii: ",") {
        index += 1
      } else if next == UInt8(ascii: "}") {
        index += 1
        return .object(members)
      } else {
        throw error("a comma or } was expected")
      }
    }
  }

  private mutating func array(depth: Int) throws(EvidenceError) -> JSONValue {
    index += 1
    var elements: [JSONValue] = []
    skipSpace()
    if next == UInt8(ascii: "]") {
      index += 1
      return .array(elements)
    }
    while true {
      elements.append(try value(depth: depth + 1))
      skipSpace()
      if next == UInt8(ascii: ",") {
        index += 1
      } else if next == UInt8(ascii: "]") {
        index += 1
        return .array(elements)
      } else {
        throw error("a comma or ] was expected")
      }
    }
  }

  private mutating func string() throws(EvidenceError) -> String {
    index += 1
    var text: [UInt8] = []
    // Nearly all text has no escape: it is copied in one piece.
    var start = index
    while let byte = next {
      index += 1
      switch byte {
      case UInt8(ascii: "\""):
        let rest = bytes[start..<(index - 1)]
        let string =
          text.isEmpty
          ? String(validating: rest, as: UTF8.self)
          : String(validating: text + rest, as: UTF8.self)
        guard let string else { throw error("text that is not UTF-8") }
        return string
      case UInt8(ascii: "\\"):
        text += bytes[start..<(index - 1)]
        try escape(into: &text)
        start = index
      case 0..<0x20: throw error("a control character in text")
      default: break
      }
    }
    throw error("text without a closing quote")
  }

  private mutating func escape(into text: inout [UInt8]) throws(EvidenceError) {
    guard let byte = next else { throw error("text without a closing quote") }
    index += 1
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): text.append(byte)
    case UInt8(ascii: "b"): text.append(0x08)
    case UInt8(ascii: "f"): text.append(0x0C)
    case UInt8(ascii: "n"): text.append(0x0A)
    case UInt8(ascii: "r"): text.append(0x0D)
    case UInt8(ascii: "t"): text.append(0x09)
    case UInt8(ascii: "u"):
      var code = UInt32(try hexadecimal())
      if (0xD800..<0xDC00).contains(code) {
        guard index + 1 < bytes.count, bytes[index] == UInt8(ascii: "\\"),
          bytes[index + 1] == UInt8(ascii: "u")
        else { throw error("half of a surrogate pair") }
        index += 2
        let low = UInt32(try hexadecimal())
        guard (0xDC00..<0xE000).contains(low) else { throw error("half of a surrogate pair") }
        code = 0x10000 + (code - 0xD800) << 10 + (low - 0xDC00)
      }
      guard let scalar = Unicode.Scalar(code) else { throw error("half of a surrogate pair") }
      text += Array(String(Character(scalar)).utf8)
    default: throw error("an unknown escape sequence")
    }
  }

  private mutating func hexadecimal() throws(EvidenceError) -> UInt16 {
    guard index + 4 <= bytes.count,
      bytes[index..<(index + 4)].allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }),
      let value = UInt16(String(decoding: bytes[index..<(index + 4)], as: UTF8.self), radix: 16)
    else { throw error("four hexadecimal digits were expected") }
    index += 4
    return value
  }

  private mutating func number() throws(EvidenceError) -> JSONValue {
    let start = index
    if next == UInt8(ascii: "-") { index += 1 }
    let wholeStart = index
    try digits()
    if bytes[wholeStart] == UInt8(ascii: "0"), index - wholeStart > 1 {
      throw error("a number with a leading zero")
    }
    if next == UInt8(ascii: ".") {
      index += 1
      try digits()
    }
    if next == UInt8(ascii: "e") || next == UInt8(ascii: "E") {
      index += 1
      if next == UInt8(ascii: "+") || next == UInt8(ascii: "-") { index += 1 }
      try digits()
    }
    guard index - start <= 400,
      let value = Double(String(decoding: bytes[start..<index], as: UTF8.self)), value.isFinite
    else { throw error("a number outside the range of a double") }
    return .number(value)
  }

  private mutating func digits() throws(EvidenceError) {
    let start = index
    while let byte = next, (0x30...0x39).contains(byte) { index += 1 }
    guard index > start else { throw error("a value was expected") }
  }
}
