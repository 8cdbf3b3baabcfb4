/// A sentence for people and the values in it, which can still be said in another language.
///
/// It is written as an ordinary literal, `"no fix for \(age) s"`: the literal's own words are the
/// template, here `no fix for {1} s`, which is the key of a catalogue, and what is interpolated are its
/// values. A test reads the templates from the sources, so that no language lacks one. Programs and
/// terminals read the English `description`.
public struct Wording: Hashable, Sendable, CustomStringConvertible {
  /// What stands in a placeholder.
  public enum Value: Hashable, Sendable {
    /// The same in every language: a number, a name, somebody's own words.
    case plain(String)
    /// Words of ours, to be said in the same language as what stands around them.
    case words(Wording)
  }

  /// The English sentence with `{1}`, `{2}`, … where its values belong.
  public private(set) var template: String
  /// What belongs in its placeholders, `{1}` first.
  public private(set) var values: [Value]

  /// Words that are the same in every language, such as another program's.
  public init(verbatim text: String) {
    self.init(template: "{1}", values: [.plain(text)])
  }

  /// A sentence that was taken apart before, to be kept. New ones are written as literals.
  public init(template: String, values: [Value]) {
    self.template = template
    self.values = values
  }

  /// The sentence in English.
  public var description: String { text { $0 } }

  /// The sentence in a language.
  /// - Parameter translated: a template of the language for an English one, with the same placeholders.
  public func text(_ translated: (String) -> String) -> String {
    let sentence = translated(template)
    guard !values.isEmpty else { return sentence }
    return Self.filled(sentence) { number in
      guard values.indices.contains(number - 1) else { return nil }
      return switch values[number - 1] {
      case .plain(let text): text
      case .words(let wording): wording.text(translated)
      }
    }
  }

  /// One sentence of two pieces: how a long literal is written in several lines.
  public static func + (one: Wording, other: Wording) -> Wording {
    let count = one.values.count
    let rest =
      count == 0 || other.values.isEmpty
      ? other.template
      : filled(other.template) { other.values.indices.contains($0 - 1) ? "{\($0 + count)}" : nil }
    return Wording(template: one.template + rest, values: one.values + other.values)
  }

  // One walk from left to right: a value that itself contains "{2}" is not looked at again.
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
  /// A literal's pieces, as the compiler hands them over.
  public struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var template = ""
    fileprivate var values: [Value] = []

    /// An empty sentence.
    public init(literalCapacity: Int, interpolationCount: Int) {}

    /// Words of the literal.
    public mutating func appendLiteral(_ literal: String) { template += literal }

    /// A value. What is words itself, such as another error, is said in the same language.
    public mutating func appendInterpolation(_ value: some Any) {
      switch value {
      case let wording as Wording: append(.words(wording))
      case let worded as any Worded: append(.words(worded.wording))
      default: append(.plain(String(describing: value)))
      }
    }

    /// A word that stands in the catalogue for itself, such as a state's title.
    public mutating func appendInterpolation(word: String) {
      append(.words(Wording(template: word, values: [])))
    }

    private mutating func append(_ value: Value) {
      values.append(value)
      template += "{\(values.count)}"
    }
  }

  /// A sentence without values.
  public init(stringLiteral value: String) { self.init(template: value, values: []) }

  /// A sentence with values.
  public init(stringInterpolation: StringInterpolation) {
    // What is nothing but words of ours is these words, and no template of its own.
    if stringInterpolation.template == "{1}",
      case .words(let wording)? = stringInterpolation.values.first
    {
      self = wording
    } else {
      self.init(template: stringInterpolation.template, values: stringInterpolation.values)
    }
  }
}

/// What is said to people in words that can be said in another language: errors above all.
public protocol Worded: CustomStringConvertible {
  /// What it says.
  var wording: Wording { get }
}

extension Worded {
  /// The same in English.
  public var description: String { wording.description }
}

extension Sequence<Wording> {
  /// All of them, each looked up by itself, with `separator` between them.
  public func joined(separator: String) -> Wording {
    let values = map { Wording.Value.words($0) }
    let places = (0..<values.count).map { "{\($0 + 1)}" }
    return Wording(template: places.joined(separator: separator), values: values)
  }
}
