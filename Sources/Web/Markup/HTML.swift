/// A piece of HTML. What is written in the literal is markup; what is interpolated is text and is
/// escaped, unless it is `HTML` itself. So the short way is the safe one:
///
///     let greeting: HTML = "<p title=\"\(title)\">Hello, \(name)</p>"
///
/// Attribute values must stand in quotes: escaping cannot save an unquoted one.
public struct HTML: Sendable, Hashable, ExpressibleByStringInterpolation, CustomStringConvertible {
  /// The markup.
  public let text: String

  /// Markup as it is written, from a literal.
  public init(stringLiteral value: String) {
    text = value
  }

  /// Markup and interpolated text, from a literal.
  public init(stringInterpolation: StringInterpolation) {
    text = stringInterpolation.text
  }

  /// Markup that is already known to be safe. Never hand in what a person or a peer has written.
  public init(raw: String) {
    text = raw
  }

  /// Any text, escaped.
  public init(escaping value: some StringProtocol) {
    text = Self.escape(value)
  }

  /// Nothing.
  public static let empty = HTML(raw: "")

  /// True when there is no markup at all.
  public var isEmpty: Bool { text.isEmpty }

  /// The markup.
  public var description: String { text }

  /// Makes a piece for each element, one after the other; nil pieces are left out.
  public static func each<Elements: Sequence>(
    _ elements: Elements, _ piece: (Elements.Element) async throws -> HTML?
  ) async rethrows -> [HTML] {
    var pieces: [HTML] = []
    for element in elements {
      if let one = try await piece(element) { pieces.append(one) }
    }
    return pieces
  }

  /// One piece after the other.
  public static func + (left: HTML, right: HTML) -> HTML {
    HTML(raw: left.text + right.text)
  }

  /// Adds a piece to the end.
  public static func += (left: inout HTML, right: HTML) {
    left = left + right
  }

  /// The pieces in order, with a piece between each two.
  public static func joined(_ pieces: [HTML], separator: HTML = .empty) -> HTML {
    HTML(raw: pieces.map(\.text).joined(separator: separator.text))
  }

  /// The five characters that mean something in text or in a quoted attribute, as references.
  static func escape(_ value: some StringProtocol) -> String {
    var escaped = ""
    escaped.reserveCapacity(value.utf8.count)
    // By scalar: a quote followed by a combining mark is one Character and yet ends an attribute.
    for scalar in value.unicodeScalars {
      switch scalar {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      case "\"": escaped += "&quot;"
      case "'": escaped += "&#39;"
      // A browser reads a NUL as U+FFFD anyway, and some filters in between stop at it.
      case "\0": escaped += "\u{FFFD}"
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }

  /// Collects a literal's markup and its interpolations.
  public struct StringInterpolation: StringInterpolationProtocol {
    var text = ""

    /// Called by the compiler.
    public init(literalCapacity: Int, interpolationCount: Int) {
      text.reserveCapacity(literalCapacity + interpolationCount * 16)
    }

    /// Called by the compiler: markup as it is written.
    public mutating func appendLiteral(_ literal: String) {
      text += literal
    }

    /// Text, escaped.
    public mutating func appendInterpolation(_ value: String) {
      text += HTML.escape(value)
    }

    /// Text, escaped; nothing where it is nil.
    public mutating func appendInterpolation(_ value: String?) {
      if let value { text += HTML.escape(value) }
    }

    /// Text, escaped.
    public mutating func appendInterpolation(_ value: Substring) {
      text += HTML.escape(value)
    }

    /// A whole number.
    public mutating func appendInterpolation(_ value: Int) {
      text += String(value)
    }

    /// A whole number; nothing where it is nil.
    public mutating func appendInterpolation(_ value: Int?) {
      if let value { text += String(value) }
    }

    /// Markup as it is.
    public mutating func appendInterpolation(_ value: HTML) {
      text += value.text
    }

    /// Markup as it is; nothing where it is nil.
    public mutating func appendInterpolation(_ value: HTML?) {
      if let value { text += value.text }
    }

    /// Pieces of markup, one after the other.
    public mutating func appendInterpolation(_ value: [HTML]) {
      for piece in value { text += piece.text }
    }

    /// Markup that is already known to be safe. Never hand in what a person or a peer has written.
    public mutating func appendInterpolation(raw value: String) {
      text += value
    }
  }
}
