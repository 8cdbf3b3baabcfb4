import Office
import Store

/// A JSON value as PHP's `json_encode` writes it: members in their order, `/` escaped, everything
/// beyond ASCII as `\uXXXX`. The apps were written for this form, so they are answered in it.
enum PHPJSON: Equatable, Sendable {
  case null
  case text(String)
  case number(Int64)
  case array([PHPJSON])
  case object([(name: String, value: PHPJSON)])

  /// Returns a text, or null for nil.
  static func optional(_ text: String?) -> PHPJSON { text.map { .text($0) } ?? .null }

  /// Returns a whole number as text, as the original's database gave it.
  static func count(_ number: Int) -> PHPJSON { .text("\(number)") }

  /// The encoded value, all of it ASCII.
  var bytes: [UInt8] {
    var out: [UInt8] = []
    write(to: &out)
    return out
  }

  func write(to out: inout [UInt8]) {
    switch self {
    case .null: out += Array("null".utf8)
    case .number(let number): out += Array("\(number)".utf8)
    case .text(let text): Self.write(text, to: &out)
    case .array(let values):
      out.append(UInt8(ascii: "["))
      for (index, value) in values.enumerated() {
        if index > 0 { out.append(UInt8(ascii: ",")) }
        value.write(to: &out)
      }
      out.append(UInt8(ascii: "]"))
    case .object(let members):
      out.append(UInt8(ascii: "{"))
      for (index, member) in members.enumerated() {
        if index > 0 { out.append(UInt8(ascii: ",")) }
        Self.write(member.name, to: &out)
        out.append(UInt8(ascii: ":"))
        member.value.write(to: &out)
      }
      out.append(UInt8(ascii: "}"))
    }
  }

  private static func write(_ text: String, to out: inout [UInt8]) {
    out.append(UInt8(ascii: "\""))
    for unit in text.utf16 {
      switch unit {
      case 0x22: out += Array("\\\"".utf8)
      case 0x5C: out += Array("\\\\".utf8)
      case 0x2F: out += Array("\\/".utf8)
      case 0x08: out += Array("\\b".utf8)
      case 0x0C: out += Array("\\f".utf8)
      case 0x0A: out += Array("\\n".utf8)
      case 0x0D: out += Array("\\r".utf8)
      case 0x09: out += Array("\\t".utf8)
      case 0x20...0x7F: out.append(UInt8(unit))
      default:
        let digits = String(unit, radix: 16)
        out += Array("\\u\(String(repeating: "0", count: 4 - digits.count))\(digits)".utf8)
      }
    }
    out.append(UInt8(ascii: "\""))
  }

  static func == (left: PHPJSON, right: PHPJSON) -> Bool { left.bytes == right.bytes }
}
