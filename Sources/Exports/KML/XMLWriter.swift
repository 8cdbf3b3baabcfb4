/// A writer of XML, piece by piece: an export of any size needs no more memory than one piece. All
/// text from outside is escaped as it is written.
struct XMLWriter {
  /// The writer of the bytes, for direct use by what is written often.
  let out: ByteWriter
  private var depth = 0

  init(_ out: ByteWriter) throws {
    self.out = out
    try out.words("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n")
  }

  /// Writes an element that contains other elements.
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

  /// Writes an element that contains text.
  func leaf(_ name: StaticString, _ text: String) throws {
    try leaf(name, []) { try $0.xml(text) }
  }

  /// Writes an element with attributes that contains text.
  func leaf(
    _ name: StaticString, _ attributes: [(StaticString, String)], _ text: String
  ) throws {
    try leaf(name, attributes) { try $0.xml(text) }
  }

  /// Writes an element that contains a number with at most `places` decimals.
  func leaf(_ name: StaticString, _ value: Double, places: Int) throws {
    try leaf(name) { try $0.decimal(value, places: places) }
  }

  /// Writes an element with the content that `body` writes; `body` escapes its text itself.
  func leaf(
    _ name: StaticString, _ attributes: [(StaticString, String)] = [],
    _ body: (ByteWriter) throws -> Void
  ) throws {
    try begin(name, attributes)
    try out.words(">")
    try body(out)
    try end(name)
  }

  /// Writes an element with the attribute `name`, which has no sign that XML escapes: a field's name.
  func leaf(_ name: StaticString, named plain: String, _ body: (ByteWriter) throws -> Void) throws {
    try indent()
    try out.words("<")
    try out.words(name)
    try out.words(" name=\"")
    try out.plain(plain)
    try out.words("\">")
    try body(out)
    try end(name)
  }

  /// Writes an element without content.
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

  /// Changes the indentation by some levels, for an element that is opened and closed by hand.
  mutating func deepen(_ levels: Int) { depth += levels }

  private func indent() throws {
    for _ in 0..<depth { try out.words("  ") }
  }
}

extension ByteWriter {
  /// Writes a value as the text formats have it. Words go through `escape`.
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
