import TimeAndText

/// A box of the JPEG universal metadata box format (ISO/IEC 19566-5): a super box has a description
/// and further boxes; any other box has bytes.
package struct JUMBF: Hashable, Sendable {
  /// The kind of a super box, by the first four letters of its identifier; the rest is the same for all.
  package enum Kind: String, Hashable, Sendable {
    case store = "c2pa"
    case manifest = "c2ma"
    case assertions = "c2as"
    case claim = "c2cl"
    case signature = "c2cs"
    case cbor
    case json
  }

  /// The bytes are no such box, or break a limit of this reader.
  package struct Problem: Error {
    package var words: Wording
  }

  private static let identifierTail: [UInt8] = [
    0x00, 0x11, 0x00, 0x10, 0x80, 0x00, 0x00, 0xAA, 0x00, 0x38, 0x9B, 0x71,
  ]
  private static let depthLimit = 8
  private static let boxLimit = 1000
  private static let sizeLimit = 1 << 20

  /// The box's label; empty if it has none.
  package var label: String
  /// The first four letters of the box's identifier.
  package var kind: String
  /// The super boxes in this box, in their order.
  package var children: [JUMBF] = []
  /// The type and bytes of the first other box in this box; nil if there is none.
  package var content: (type: String, bytes: [UInt8])?
  /// All bytes after the box's own length and type: C2PA's hashes are over these.
  package var body: [UInt8] = []

  package static func == (one: JUMBF, other: JUMBF) -> Bool {
    one.label == other.label && one.body == other.body
  }

  package func hash(into hasher: inout Hasher) { hasher.combine(body) }

  /// Returns the first child with this label; nil if there is none.
  package func child(_ label: String) -> JUMBF? { children.first { $0.label == label } }

  // MARK: writing

  /// Creates a super box with further super boxes.
  package init(_ kind: Kind, _ label: String, _ children: [JUMBF]) {
    self.init(kind, label, children: children, content: nil)
  }

  /// Creates a super box with CBOR.
  package init(_ kind: Kind, _ label: String, cbor: [UInt8]) {
    self.init(kind, label, children: [], content: ("cbor", cbor))
  }

  /// Creates a super box with JSON.
  package init(json: [UInt8], _ label: String) {
    self.init(.json, label, children: [], content: ("json", json))
  }

  private init(
    _ kind: Kind, _ label: String, children: [JUMBF], content: (type: String, bytes: [UInt8])?
  ) {
    self.label = label
    self.kind = kind.rawValue
    self.children = children
    self.content = content
    // The toggles 0x03: the box has a label, and may be requested by it.
    let description =
      Array(kind.rawValue.utf8) + Self.identifierTail + [0x03] + Array(label.utf8) + [0]
    body = Self.box("jumd", description) + children.flatMap(\.bytes)
    if let content { body += Self.box(content.type, content.bytes) }
  }

  /// The bytes of the whole box: length, type and body.
  package var bytes: [UInt8] { Self.box("jumb", body) }

  private static func box(_ type: String, _ content: [UInt8]) -> [UInt8] {
    let length = UInt32(content.count + 8)
    return (0..<4).reversed().map { UInt8(truncatingIfNeeded: length >> (8 * UInt32($0))) }
      + Array(type.utf8) + content
  }

  // MARK: reading

  /// Reads the super box that fills `bytes`. The bytes may be hostile: their size, the depth and
  /// the number of boxes are bounded.
  package init(reading bytes: [UInt8]) throws(Problem) {
    guard bytes.count <= Self.sizeLimit else { throw Problem(words: "it has more than 1 MB") }
    var count = 0
    let boxes = try Self.boxes(bytes[...], &count)
    guard let first = boxes.first, boxes.count == 1, first.type == "jumb" else {
      throw Problem(words: "it is not one JUMBF super box")
    }
    try self.init(first.content, depth: 0, &count)
  }

  private init(_ body: ArraySlice<UInt8>, depth: Int, _ count: inout Int) throws(Problem) {
    guard depth < Self.depthLimit else { throw Problem(words: "it is nested too deeply") }
    let boxes = try Self.boxes(body, &count)
    guard let description = boxes.first, description.type == "jumd",
      description.content.count >= 17
    else { throw Problem(words: "a super box has no description") }
    let content = description.content
    let toggles = content[content.startIndex + 16]
    kind = String(decoding: content.prefix(4), as: UTF8.self)
    label = ""
    if toggles & 0x02 != 0 {
      let name = content.dropFirst(17).prefix { $0 != 0 }
      guard name.endIndex < content.endIndex,
        let text = String(validating: name, as: UTF8.self), name.count <= 256
      else { throw Problem(words: "a label has no end") }
      label = text
    }
    self.body = Array(body)
    for box in boxes.dropFirst() {
      if box.type == "jumb" {
        children.append(try JUMBF(box.content, depth: depth + 1, &count))
      } else if self.content == nil, box.type != "free" {
        self.content = (box.type, Array(box.content))
      }
    }
  }

  private static func boxes(
    _ bytes: ArraySlice<UInt8>, _ count: inout Int
  ) throws(Problem) -> [(type: String, content: ArraySlice<UInt8>)] {
    var boxes: [(String, ArraySlice<UInt8>)] = []
    var rest = bytes
    while !rest.isEmpty {
      count += 1
      guard count <= boxLimit else { throw Problem(words: "it has too many boxes") }
      guard rest.count >= 8 else { throw Problem(words: "a box is incomplete") }
      let length = rest.prefix(4).reduce(0) { $0 << 8 | Int($1) }
      // The lengths 0 (to the end) and 1 (a longer length follows) are for boxes larger than any
      // that belongs here.
      guard length >= 8, length <= rest.count else { throw Problem(words: "a box is incomplete") }
      let type = String(decoding: rest.dropFirst(4).prefix(4), as: UTF8.self)
      boxes.append((type, rest.prefix(length).dropFirst(8)))
      rest = rest.dropFirst(length)
    }
    return boxes
  }
}
