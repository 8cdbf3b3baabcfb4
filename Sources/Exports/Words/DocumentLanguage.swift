import TimeAndText

/// The language of a document for people: its words, its decimals and its dates.
public struct DocumentLanguage: Sendable {
  /// The language's tag (RFC 5646), for readers that read aloud.
  public let tag: String
  /// The way in which the language writes decimals, days and moments.
  public let form: WrittenForm
  private let template: @Sendable (String) -> String

  /// English, as it is written in the sources.
  public static let english = DocumentLanguage(tag: "en", form: .international) { $0 }

  /// Creates a language.
  /// - Parameter template: returns the sentence for an English one, with the same `{1}`, `{2}`, ….
  public init(
    tag: String, form: WrittenForm, template: @escaping @Sendable (String) -> String
  ) {
    (self.tag, self.form, self.template) = (tag, form, template)
  }

  /// Returns the sentence in this language, with `{1}`, `{2}`, … replaced by the values.
  func callAsFunction(_ english: String, _ values: any CustomStringConvertible...) -> String {
    Wording(template: english, values: values.map { .plain($0.description) }).text(template)
  }

  /// Returns a sentence of the modules beneath in this language.
  func callAsFunction(_ wording: Wording) -> String { wording.text(template) }
}
