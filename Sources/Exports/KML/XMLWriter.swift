/// Writes XML as it goes, so that an export of any size needs no more memory than one piece of it.
/// Everything that comes from outside is escaped on its way.
struct XMLWriter {
  /// Where the bytes go, for what is written often.
  let out: ByteWriter
  private var depth = 0

  init(_ out: ByteWriter) throws {
    self.out = out
    try out.words("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n")
  }

  /// An element with others in it.
  mutating func element(
    _ name: StaticString, _ attributes: [(StaticString, String)] = [],
    _ body: (inout XMLWriter) throws -> Void
  ) throws {
    try begin(name, attributes)
    try out.words(">\n")
    depth += 1
    try body(&self)
    depth -= 1
    try indent()
    try end(name)
  }

  /// An element with text in it.
  func leaf(_ name: StaticString, _ text: String) throws {
    try leaf(name, []) { try $0.xml(text) }
  }

  /// An element with attributes, and text in it.
  func leaf(
    _ name: StaticString, _ attributes: [(StaticString, String)], _ text: String
  ) throws {
    try leaf(name, attributes) { try $0.xml(text) }
  }

  /// An element with a number in it.
  func leaf(_ name: StaticString, _ value: Double, places: Int) throws {
    try leaf(name) { try $0.decimal(value, places: places) }
  }

  /// An element with what `body` writes, which escapes by itself.
  func leaf(
    _ name: StaticString, _ attributes: [(StaticString, String)] = [],
    _ body: (ByteWriter) throws -> Void
  ) throws {
    try begin(name, attributes)
    try out.words(">")
    try body(out)
    try end(name)
  }

  /// An element with nothing in it.
  func empty(_ name: StaticString, _ attributes: [(StaticString, String)]) throws {
    try begin(name, attributes)
    try out.words("/>\n")
  }

  private func begin(_ name: StaticString, _ attributes: [(StaticString, String)]) throws {
    try indent()
    try out.words("<")
    try out.words(name)
    for (name, value) in attributes {
      try out.words(" ")
      try out.words(name)
      try out.words("=\"")
      try out.xml(value, isAttribute: true)
      try out.words("\"")
    }
  }

  private func end(_ name: StaticString) throws {
    try out.words("</")
    try out.words(name)
    try out.words(">\n")
  }

  /// What follows lies so much deeper, in an element that is opened and closed by hand.
  mutating func deepen(_ levels: Int) { depth += levels }

  private func indent() throws {
    for _ in 0..<depth { try out.words("  ") }
  }
}

extension ByteWriter {
  /// A value as the text formats have it. Words go through `escape`.
  func field(_ value: FieldValue, _ escape: (String) throws -> Void) throws {
    switch value {
    case .text(let words): try escape(words)
    case .integer(let number): try integer(number)
    case .decimal(let number, let places): try decimal(number, places: places)
    case .flag(let flag): try words(flag ? "true" : "false")
    case .time(let time): try self.time(time)
    }
  }
}
