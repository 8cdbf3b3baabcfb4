/// A sentence for people and the values in it, which can later be translated.
///
/// A wording is written as an ordinary literal, `"no fix for \(age) s"`: the literal's own words
/// are the template, here `no fix for {1} s`, which is the key of a catalogue, and the
/// interpolations are its values. A test reads the templates from the sources, so that every
/// language has all of them. Programs and terminals read the English `description`.
public struct Wording: Hashable, Sendable, CustomStringConvertible {
  /// The content of a placeholder.
  public enum Value: Hashable, Sendable {
    /// Text that is the same in every language: a number, a name, a user's own words.
    case plain(String)
    /// A decimal number with a point, which each language writes with a sign of its own.
    case decimal(String)
    /// A moment in RFC 3339, which each language writes in a form of its own.
    case moment(String)
    /// Words of this program, to be translated into the language of the sentence around them.
    case words(Wording)
  }

  /// The English sentence with `{1}`, `{2}`, … in place of its values.
  public private(set) var template: String
  /// The contents of the placeholders, `{1}` first.
  public private(set) var values: [Value]

  /// Creates words that are the same in every language, such as another program's.
  public init(verbatim text: String) {
    self.init(template: "{1}", values: [.plain(text)])
  }

  /// Creates a sentence from a template and values that were stored. New sentences are written as
  /// literals.
  public init(template: String, values: [Value]) {
    self.template = template
    self.values = values
  }

  /// The sentence in English.
  public var description: String { text { $0 } }

  /// Returns the sentence in a language.
  /// - Parameters:
  ///   - form: the way in which the language writes decimals.
  ///   - translated: returns the language's template for an English one, with the same
  ///     placeholders.
  public func text(
    in form: WrittenForm = .international, _ translated: (String) -> String
  ) -> String {
    let sentence = translated(template)
    guard !values.isEmpty else { return sentence }
    return Self.filled(sentence) { number in
      guard values.indices.contains(number - 1) else { return nil }
      return switch values[number - 1] {
      case .plain(let text): text
      case .decimal(let text): form.decimal(text)
      case .moment(let text): form.moment(rfc3339: text)
      case .words(let wording): wording.text(in: form, translated)
      }
    }
  }

  /// Returns one sentence of two pieces: a long literal is written in several lines this way.
  public static func + (one: Wording, other: Wording) -> Wording {
    let count = one.values.count
    let rest =
      count == 0 || other.values.isEmpty
      ? other.template
      : filled(other.template) { other.values.indices.contains($0 - 1) ? "{\($0 + count)}" : nil }
    return Wording(template: one.template + rest, values: one.values + other.values)
  }

  // A single pass from left to right: a value that itself contains "{2}" is not filled again.
  private static func filled(_ sentence: String, _ value: (Int) -> String?) -> String {
    var filled = ""
    var rest = sentence[...]
    while let opening = rest.firstIndex(of: "{") {
      filled += rest[..<opening]
      let afterOpening = rest.index(after: opening)
      if let closing = rest[afterOpening...].firstIndex(of: "}"),
        let number = Int(rest[afterOpening..<closing]), let text = value(number)
      {
        filled += text
        rest = rest[rest.index(after: closing)...]
      } else {
        filled.append("{")
        rest = rest[afterOpening...]
      }
    }
    return filled + rest
  }
}

extension Wording: ExpressibleByStringInterpolation {
  /// The pieces of a literal, as the compiler passes them.
  public struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var template = ""
    fileprivate var values: [Value] = []

    /// Creates an empty sentence.
    public init(literalCapacity: Int, interpolationCount: Int) {}

    /// Appends words of the literal.
    public mutating func appendLiteral(_ literal: String) { template += literal }

    /// Appends a value. A value that is itself a wording, such as another error, is translated too.
    public mutating func appendInterpolation(_ value: some Any) {
      switch value {
      case let wording as Wording: append(.words(wording))
      case let worded as any Worded: append(.words(worded.wording))
      default: append(.plain(String(describing: value)))
      }
    }

    /// Appends a word that is its own key in the catalogue, such as a state's title.
    public mutating func appendInterpolation(word: String) {
      append(.words(Wording(template: word, values: [])))
    }

    /// Appends a number with `places` (0…9) decimals.
    public mutating func appendInterpolation(decimal value: Double, places: Int) {
      append(.decimal(DecimalText.fixed(value, places: places)))
    }

    /// Appends a number that is a decimal text already, such as `1.20`.
    public mutating func appendInterpolation(decimal text: String) { append(.decimal(text)) }

    /// Appends a moment, which English and programs read in RFC 3339.
    public mutating func appendInterpolation(moment: DeviceTime) {
      append(.moment(moment.rfc3339))
    }

    private mutating func append(_ value: Value) {
      values.append(value)
      template += "{\(values.count)}"
    }
  }

  /// Creates a sentence without values.
  public init(stringLiteral value: String) { self.init(template: value, values: []) }

  /// Creates a sentence with values.
  public init(stringInterpolation: StringInterpolation) {
    // A literal that consists of one wording alone is that wording, and no template of its own.
    if stringInterpolation.template == "{1}",
      case .words(let wording)? = stringInterpolation.values.first
    {
      self = wording
    } else {
      self.init(template: stringInterpolation.template, values: stringInterpolation.values)
    }
  }
}

/// A thing that is told to people in words that can be translated: errors above all.
public protocol Worded: CustomStringConvertible {
  /// The words for people.
  var wording: Wording { get }
}

extension Worded {
  /// The words in English.
  public var description: String { wording.description }
}

extension Sequence<Wording> {
  /// Returns all wordings, each translated by itself, with `separator` between them.
  public func joined(separator: String) -> Wording {
    let values = map { Wording.Value.words($0) }
    let places = (0..<values.count).map { "{\($0 + 1)}" }
    return Wording(template: places.joined(separator: separator), values: values)
  }
}
