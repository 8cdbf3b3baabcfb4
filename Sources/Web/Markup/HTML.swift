/// A piece of HTML. The literal itself is markup; an interpolated value is text and is escaped,
/// unless it is `HTML`. So the short way is the safe one:
///
///     let greeting: HTML = "<p title=\"\(title)\">Hello, \(name)</p>"
///
/// Attribute values must be in quotes: escaping cannot save an unquoted one.
public struct HTML: Sendable, Hashable, ExpressibleByStringInterpolation, CustomStringConvertible {
  /// The markup.
  public let text: String

  /// Creates markup as it is written in a literal.
  public init(stringLiteral value: String) {
    text = value
  }

  /// Creates markup with interpolated text from a literal.
  public init(stringInterpolation: StringInterpolation) {
    text = stringInterpolation.text
  }

  /// Creates markup that is already known to be safe. Never pass what a person or a peer has written.
  public init(raw: String) {
    text = raw
  }

  /// Creates a piece of any text, escaped.
  public init(escaping value: some StringProtocol) {
    text = Self.escape(value)
  }

  /// An empty piece.
  public static let empty = HTML(raw: "")

  /// True if there is no markup at all.
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

  /// Joins two pieces.
  public static func + (left: HTML, right: HTML) -> HTML {
    HTML(raw: left.text + right.text)
  }

  /// Adds a piece to the end.
  public static func += (left: inout HTML, right: HTML) {
    left = left + right
  }

  /// Returns the pieces in order, with `separator` between each two.
  public static func joined(_ pieces: [HTML], separator: HTML = .empty) -> HTML {
    HTML(raw: pieces.map(\.text).joined(separator: separator.text))
  }

  /// Returns a text with references for the five characters that have a meaning in text or in a
  /// quoted attribute.
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

    /// Prepares for a literal; called by the compiler.
    public init(literalCapacity: Int, interpolationCount: Int) {
      text.reserveCapacity(literalCapacity + interpolationCount * 16)
    }

    /// Adds the literal's markup as it is written; called by the compiler.
    public mutating func appendLiteral(_ literal: String) {
      text += literal
    }

    /// Adds text, escaped.
    public mutating func appendInterpolation(_ value: String) {
      text += HTML.escape(value)
    }

    /// Adds text, escaped; nothing if it is nil.
    public mutating func appendInterpolation(_ value: String?) {
      if let value { text += HTML.escape(value) }
    }

    /// Adds text, escaped.
    public mutating func appendInterpolation(_ value: Substring) {
      text += HTML.escape(value)
    }

    /// Adds a whole number.
    public mutating func appendInterpolation(_ value: Int) {
      text += String(value)
    }

    /// Adds a whole number; nothing if it is nil.
    public mutating func appendInterpolation(_ value: Int?) {
      if let value { text += String(value) }
    }

    /// Adds markup as it is.
    public mutating func appendInterpolation(_ value: HTML) {
      text += value.text
    }

    /// Adds markup as it is; nothing if it is nil.
    public mutating func appendInterpolation(_ value: HTML?) {
      if let value { text += value.text }
    }

    /// Adds pieces of markup, one after the other.
    public mutating func appendInterpolation(_ value: [HTML]) {
      for piece in value { text += piece.text }
    }

    /// Adds markup that is already known to be safe. Never pass what a person or a peer has written.
    public mutating func appendInterpolation(raw value: String) {
      text += value
    }
  }
}
