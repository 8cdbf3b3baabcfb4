/// A language in which pages and documents speak to people: whoever has its sentences hands them on
/// as one of these.
public protocol SpokenLanguage: Sendable {
  /// The language's tag (RFC 5646).
  var language: String { get }
  /// The way in which the language writes decimals, days and moments.
  var form: WrittenForm { get }
  /// Returns the sentence for an English one, with the same `{1}`, `{2}`, ….
  func template(_ english: String) -> String
}
