/// A document of XML as a tree: elements by their local names, with attributes and text.
///
/// The capabilities of map services come from strangers. So the reader knows no entities besides the
/// five of XML and numbers, skips a document type unread, and ends at limits of depth and count: no
/// document can make it fetch, expand or fill anything.
struct XMLTree: Hashable, Sendable {
  /// The element's name without its prefix.
  var name: String
  /// The attributes by their names without prefixes.
  var attributes: [String: String] = [:]
  var children: [XMLTree] = []
  /// The text directly in the element, without blanks at its ends.
  var text = ""

  static let depthAtMost = 60
  static let elementsAtMost = 400_000

  /// Returns the first child of a name.
  func child(_ name: String) -> XMLTree? { children.first { $0.name == name } }

  /// Returns the children of a name.
  func all(_ name: String) -> [XMLTree] { children.filter { $0.name == name } }

  /// Returns the text of the first child of a name; nil if it is missing or empty.
  func text(of name: String) -> String? {
    child(name).flatMap { $0.text.isEmpty ? nil : $0.text }
  }
}

extension XMLTree {
  /// Reads a document; nil if it is not well formed as far as this reader looks.
  init?(parsing bytes: [UInt8]) {
    var reader = XMLReader(bytes: bytes)
    guard let root = reader.document() else { return nil }
    self = root
  }
}

/// The reading of one document, from its first byte to its last.
private struct XMLReader {
  let bytes: [UInt8]
  var at = 0
  var elements = 0

  init(bytes: [UInt8]) { self.bytes = bytes }

  mutating func document() -> XMLTree? {
    var open: [XMLTree] = []
    var root: XMLTree?
    while let start = index(of: UInt8(ascii: "<"), from: at) {
      if !open.isEmpty { open[open.count - 1].text += text(bytes[at..<start]) }
      at = start
      if skip("<!--", to: "-->") || skip("<?", to: "?>") { continue }
      if let data = taken("<![CDATA[", to: "]]>") {
        if !open.isEmpty { open[open.count - 1].text += data }
        continue
      }
      if has("<!") {
        guard skipDocumentType() else { return nil }
        continue
      }
      guard let end = endOfTag() else { return nil }
      let inside = bytes[(at + 1)..<end]
      at = end + 1
      if inside.first == UInt8(ascii: "/") {
        guard var closed = open.popLast() else { return nil }
        closed.text = Self.trimmed(closed.text)
        guard closed.name == Self.local(Self.words(inside.dropFirst())) else { return nil }
        if open.isEmpty {
          root = root ?? closed
        } else {
          open[open.count - 1].children.append(closed)
        }
        continue
      }
      elements += 1
      guard elements <= XMLTree.elementsAtMost, open.count < XMLTree.depthAtMost,
        let element = element(inside)
      else { return nil }
      if inside.last != UInt8(ascii: "/") {
        open.append(element)
      } else if open.isEmpty {
        root = root ?? element
      } else {
        open[open.count - 1].children.append(element)
      }
    }
    return open.isEmpty ? root : nil
  }

  // MARK: pieces

  private func has(_ text: StaticString) -> Bool {
    text.withUTF8Buffer {
      at + $0.count <= bytes.count && bytes[at..<(at + $0.count)].elementsEqual($0)
    }
  }

  private func index(of byte: UInt8, from start: Int) -> Int? {
    bytes[min(start, bytes.count)...].firstIndex(of: byte)
  }

  private mutating func taken(_ start: StaticString, to end: StaticString) -> String? {
    guard has(start) else { return nil }
    let first = at + start.utf8CodeUnitCount
    var here = first
    while here < bytes.count {
      let isEnd = end.withUTF8Buffer {
        here + $0.count <= bytes.count && bytes[here..<(here + $0.count)].elementsEqual($0)
      }
      if isEnd {
        at = here + end.utf8CodeUnitCount
        return String(decoding: bytes[first..<here], as: UTF8.self)
      }
      here += 1
    }
    at = bytes.count
    return ""
  }

  private mutating func skip(_ start: StaticString, to end: StaticString) -> Bool {
    taken(start, to: end) != nil
  }

  /// Skips a document type, with an inner part in brackets.
  private mutating func skipDocumentType() -> Bool {
    var depth = 0
    while at < bytes.count {
      switch bytes[at] {
      case UInt8(ascii: "["), UInt8(ascii: "<"): depth += 1
      case UInt8(ascii: "]"): depth -= 1
      case UInt8(ascii: ">"):
        depth -= 1
        if depth <= 0 {
          at += 1
          return true
        }
      default: break
      }
      at += 1
    }
    return false
  }

  /// Returns the place of the > that ends the tag here: one in quotes does not.
  private func endOfTag() -> Int? {
    var quote: UInt8?
    for here in at..<bytes.count {
      let byte = bytes[here]
      if let open = quote {
        if byte == open { quote = nil }
      } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
        quote = byte
      } else if byte == UInt8(ascii: ">") {
        return here
      }
    }
    return nil
  }

  private func element(_ inside: ArraySlice<UInt8>) -> XMLTree? {
    var rest = inside.last == UInt8(ascii: "/") ? inside.dropLast() : inside
    let name = Self.local(Self.words(rest.prefix { !Self.isBlank($0) }))
    guard !name.isEmpty else { return nil }
    var element = XMLTree(name: name)
    rest = rest.drop { !Self.isBlank($0) }
    while let equals = rest.firstIndex(of: UInt8(ascii: "=")) {
      let key = Self.local(Self.words(rest[..<equals]))
      let value = rest[(equals + 1)...].drop(while: Self.isBlank)
      guard let quote = value.first, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'"),
        let end = value.dropFirst().firstIndex(of: quote)
      else { return nil }
      element.attributes[key] = text(value[(value.startIndex + 1)..<end])
      rest = value[(end + 1)...]
    }
    return element
  }

  /// Returns a text with its entities resolved; unknown ones stay as they are.
  private func text(_ slice: ArraySlice<UInt8>) -> String {
    let raw = String(decoding: slice, as: UTF8.self)
    guard raw.contains("&") else { return raw }
    return raw.replacing(/&(#x[0-9A-Fa-f]{1,6}|#[0-9]{1,7}|[a-z]{2,4});/) { found in
      let name = found.1
      if let known = Self.entities[String(name)] { return known }
      guard name.hasPrefix("#") else { return String(found.0) }
      let isHex = name.dropFirst().first == "x"
      let number = UInt32(name.dropFirst(isHex ? 2 : 1), radix: isHex ? 16 : 10)
      return number.flatMap(Unicode.Scalar.init(_:)).map { String($0) } ?? ""
    }
  }

  private static let entities = ["lt": "<", "gt": ">", "amp": "&", "quot": "\"", "apos": "'"]

  private static func isBlank(_ byte: UInt8) -> Bool { [0x20, 0x09, 0x0A, 0x0D].contains(byte) }

  private static func words(_ slice: ArraySlice<UInt8>) -> String {
    trimmed(String(decoding: slice, as: UTF8.self))
  }

  private static func trimmed(_ text: String) -> String {
    var rest = text[...]
    while rest.first?.isWhitespace == true { rest.removeFirst() }
    while rest.last?.isWhitespace == true { rest.removeLast() }
    return String(rest)
  }

  private static func local(_ name: String) -> String {
    name.split(separator: ":").last.map(String.init) ?? ""
  }
}
