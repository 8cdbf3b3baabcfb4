import TimeAndText

/// A CBOR value (RFC 8949), as far as C2PA's manifests need it.
package indirect enum CBOR: Hashable, Sendable {
  case unsigned(UInt64)
  /// The number −1 − n.
  case negative(UInt64)
  case bytes([UInt8])
  case text(String)
  case array([CBOR])
  /// Pairs of key and value in their order.
  case map([Pair])
  case tagged(UInt64, CBOR)
  case bool(Bool)
  case null
  /// A floating-point number as its 2, 4 or 8 bytes: no code here looks at its value.
  case float([UInt8])

  /// A key with its value.
  package struct Pair: Hashable, Sendable {
    package var key: CBOR
    package var value: CBOR

    package init(key: CBOR, value: CBOR) { (self.key, self.value) = (key, value) }
  }

  /// The bytes are no CBOR, or break a limit of this reader.
  package struct Problem: Error {
    package var words: Wording
  }

  package static func map(_ pairs: KeyValuePairs<String, CBOR?>) -> CBOR {
    .map(pairs.compactMap { name, value in value.map { Pair(key: .text(name), value: $0) } })
  }

  package subscript(name: String) -> CBOR? { self[.text(name)] }

  package subscript(key: CBOR) -> CBOR? {
    guard case .map(let pairs) = self else { return nil }
    return pairs.first { $0.key == key }?.value
  }

  package var text: String? {
    guard case .text(let text) = self else { return nil }
    return text
  }

  package var bytes: [UInt8]? {
    guard case .bytes(let bytes) = self else { return nil }
    return bytes
  }

  package var elements: [CBOR]? {
    guard case .array(let elements) = self else { return nil }
    return elements
  }

  /// The whole number, if an `Int` holds it; nil otherwise and for other values.
  package var whole: Int? {
    switch self {
    case .unsigned(let number): Int(exactly: number)
    case .negative(let number): Int(exactly: number).map { -1 - $0 }
    default: nil
    }
  }

  // MARK: writing

  package var encoded: [UInt8] {
    var bytes: [UInt8] = []
    append(to: &bytes)
    return bytes
  }

  private func append(to bytes: inout [UInt8]) {
    switch self {
    case .unsigned(let number): Self.appendHead(0, number, to: &bytes)
    case .negative(let number): Self.appendHead(1, number, to: &bytes)
    case .bytes(let content):
      Self.appendHead(2, UInt64(content.count), to: &bytes)
      bytes += content
    case .text(let text):
      Self.appendHead(3, UInt64(text.utf8.count), to: &bytes)
      bytes += text.utf8
    case .array(let elements):
      Self.appendHead(4, UInt64(elements.count), to: &bytes)
      for element in elements { element.append(to: &bytes) }
    case .map(let pairs):
      Self.appendHead(5, UInt64(pairs.count), to: &bytes)
      for pair in pairs {
        pair.key.append(to: &bytes)
        pair.value.append(to: &bytes)
      }
    case .tagged(let tag, let value):
      Self.appendHead(6, tag, to: &bytes)
      value.append(to: &bytes)
    case .bool(let flag): bytes.append(flag ? 0xF5 : 0xF4)
    case .null: bytes.append(0xF6)
    case .float(let content):
      bytes.append(content.count == 2 ? 0xF9 : content.count == 4 ? 0xFA : 0xFB)
      bytes += content
    }
  }

  private static func appendHead(_ kind: UInt8, _ number: UInt64, to bytes: inout [UInt8]) {
    let (short, width): (UInt8, Int) =
      switch number {
      case 0..<24: (UInt8(number), 0)
      case 24...0xFF: (24, 1)
      case 0x100...0xFFFF: (25, 2)
      case 0x1_0000...0xFFFF_FFFF: (26, 4)
      default: (27, 8)
      }
    bytes.append(kind << 5 | short)
    for place in (0..<width).reversed() {
      bytes.append(UInt8(truncatingIfNeeded: number >> (8 * UInt64(place))))
    }
  }

  // MARK: reading

  /// Reads the one value that fills `bytes`. The bytes may be hostile: nesting and the number of
  /// values are bounded, and no length is believed before the bytes are there. Indefinite lengths,
  /// which no manifest of ours has, are refused.
  package init(_ bytes: ArraySlice<UInt8>) throws(Problem) {
    var reader = Reader(rest: bytes)
    self = try reader.value(depth: 0)
    guard reader.rest.isEmpty else { throw Problem(words: "there are more bytes after its end") }
  }

  private struct Reader {
    var rest: ArraySlice<UInt8>
    private var items = 0
    private static let depthLimit = 24
    /// The most values that are read, twenty times what a capture's manifest has: a value takes far
    /// more memory than its byte.
    private static let itemLimit = 5000

    init(rest: ArraySlice<UInt8>) {
      self.rest = rest
    }

    mutating func take(_ count: UInt64) throws(Problem) -> ArraySlice<UInt8> {
      guard count <= UInt64(rest.count) else { throw Problem(words: "it is incomplete") }
      defer { rest = rest.dropFirst(Int(count)) }
      return rest.prefix(Int(count))
    }

    mutating func value(depth: Int) throws(Problem) -> CBOR {
      guard depth < Self.depthLimit else { throw Problem(words: "it is nested too deeply") }
      items += 1
      guard items <= Self.itemLimit else { throw Problem(words: "it has too many values") }
      let first = try take(1)[rest.startIndex - 1]
      let (kind, short) = (first >> 5, first & 0x1F)
      if kind == 7 {
        switch short {
        case 20, 21: return .bool(short == 21)
        case 22, 23: return .null
        case 25, 26, 27: return .float(Array(try take(1 << UInt64(short - 24))))
        default: throw Problem(words: "a simple value that means nothing here")
        }
      }
      let number: UInt64
      switch short {
      case 0..<24: number = UInt64(short)
      case 24...27:
        number = try take(1 << UInt64(short - 24)).reduce(0) { $0 << 8 | UInt64($1) }
      default: throw Problem(words: "a length is missing")
      }
      switch kind {
      case 0: return .unsigned(number)
      case 1: return .negative(number)
      case 2: return .bytes(Array(try take(number)))
      case 3:
        guard let text = String(validating: try take(number), as: UTF8.self) else {
          throw Problem(words: "text that is not UTF-8")
        }
        return .text(text)
      case 4: return .array(try list(number, depth))
      case 5:
        guard number <= UInt64(rest.count) else { throw Problem(words: "it is incomplete") }
        let flat = try list(number * 2, depth)
        let pairs = stride(from: 0, to: flat.count, by: 2).map {
          Pair(key: flat[$0], value: flat[$0 + 1])
        }
        guard Set(pairs.map(\.key)).count == pairs.count else {
          throw Problem(words: "a key appears twice")
        }
        return .map(pairs)
      default: return .tagged(number, try value(depth: depth + 1))
      }
    }

    private mutating func list(_ count: UInt64, _ depth: Int) throws(Problem) -> [CBOR] {
      // Each element has at least one byte.
      guard count <= UInt64(rest.count) else { throw Problem(words: "it is incomplete") }
      var elements: [CBOR] = []
      for _ in 0..<count { elements.append(try value(depth: depth + 1)) }
      return elements
    }
  }
}

extension CBOR {
  package init(whole number: Int) {
    self = number >= 0 ? .unsigned(UInt64(number)) : .negative(UInt64(-1 - number))
  }
}
