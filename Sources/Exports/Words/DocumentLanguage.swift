import Synchronization
import TimeAndText

// The problem: a KML of a million photos says ten sentences about each, and to look for the
// placeholders in a sentence takes longer than to write the numbers into it.
//
// The obvious idea, to build each sentence in code, would need the code again for each language.
//
// The solution: each sentence is taken apart once, at its placeholders, and kept.

/// The language of a document for people: its words, its decimals and its dates.
public struct DocumentLanguage: Sendable {
  /// The language's tag (RFC 5646), for readers that read aloud.
  public let tag: String
  /// The way in which the language writes decimals, days and moments.
  public let form: WrittenForm
  private let template: @Sendable (String) -> String
  private let known = KnownSentences()

  /// English, as it is written in the sources.
  public static let english = DocumentLanguage(tag: "en", form: .international) { $0 }

  /// Creates a language.
  /// - Parameter template: returns the sentence for an English one, with the same `{1}`, `{2}`, ….
  public init(
    tag: String, form: WrittenForm, template: @escaping @Sendable (String) -> String
  ) {
    (self.tag, self.form, self.template) = (tag, form, template)
  }

  /// Creates the language in which pages speak, for a document that is made from one.
  public init(_ spoken: some SpokenLanguage) {
    self.init(tag: spoken.language, form: spoken.form) { spoken.template($0) }
  }

  /// Returns the sentence in this language, with `{1}`, `{2}`, … replaced by the values.
  func callAsFunction(_ english: String, _ values: any CustomStringConvertible...) -> String {
    let sentence = known.sentence(english) { template(english) }
    guard !values.isEmpty else { return sentence.whole }
    return sentence.filled(values)
  }

  /// Returns a sentence of the modules beneath in this language.
  func callAsFunction(_ wording: Wording) -> String { wording.text(in: form, template) }
}

/// A sentence that was taken apart at its placeholders.
private struct Sentence {
  let whole: String
  /// The words before the first placeholder.
  private let head: String
  /// Each placeholder's number, from 1, with the words behind it.
  private let parts: [(number: Int, words: String)]

  init(_ whole: String) {
    self.whole = whole
    var head: String?
    var parts: [(number: Int, words: String)] = []
    var rest = whole[...]
    while let match = rest.firstMatch(of: #/\{([1-9])\}/#), let number = Int(match.1) {
      let words = String(rest[..<match.range.lowerBound])
      if head == nil { head = words } else { parts[parts.count - 1].words = words }
      parts.append((number, ""))
      rest = rest[match.range.upperBound...]
    }
    if parts.isEmpty { head = String(rest) } else { parts[parts.count - 1].words = String(rest) }
    (self.head, self.parts) = (head ?? "", parts)
  }

  func filled(_ values: [any CustomStringConvertible]) -> String {
    var text = head
    for part in parts {
      text +=
        values.indices.contains(part.number - 1)
        ? values[part.number - 1].description : "{\(part.number)}"
      text += part.words
    }
    return text
  }
}

/// The sentences that were taken apart so far, by their English.
private final class KnownSentences: Sendable {
  private let sentences = Mutex<[String: Sentence]>([:])

  func sentence(_ english: String, _ template: () -> String) -> Sentence {
    sentences.withLock { known in
      if let sentence = known[english] { return sentence }
      let sentence = Sentence(template())
      known[english] = sentence
      return sentence
    }
  }
}
