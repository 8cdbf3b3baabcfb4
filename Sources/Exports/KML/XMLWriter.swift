import Evidence

/// Writes XML as it goes, so that an export of any size needs no more memory than its largest
/// element. Everything that comes from outside is escaped here and nowhere else.
struct XMLWriter {
  private let sink: (String) throws -> Void
  private var open: [String] = []

  init(to sink: @escaping (String) throws -> Void) throws {
    self.sink = sink
    try sink("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n")
  }

  /// An element with others in it.
  mutating func element(
    _ name: String, _ attributes: [(String, String)] = [],
    _ body: (inout XMLWriter) throws -> Void
  ) throws {
    try sink("\(indent)<\(name)\(Self.text(attributes))>\n")
    open.append(name)
    try body(&self)
    open.removeLast()
    try sink("\(indent)</\(name)>\n")
  }

  /// An element with text in it.
  func leaf(_ name: String, _ text: String) throws {
    try leaf(name, [], text)
  }

  /// An element with attributes, and text in it.
  func leaf(_ name: String, _ attributes: [(String, String)], _ text: String) throws {
    try sink(
      "\(indent)<\(name)\(Self.text(attributes))>\(XMLText.escaped(text, isAttribute: false))</\(name)>\n"
    )
  }

  private var indent: String { String(repeating: "  ", count: open.count) }

  private static func text(_ attributes: [(String, String)]) -> String {
    attributes.map { " \($0.0)=\"\(XMLText.escaped($0.1, isAttribute: true))\"" }.joined()
  }
}
