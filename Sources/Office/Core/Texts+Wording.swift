import TimeAndText
import Web

extension Texts {
  /// Returns a sentence of the modules beneath in this language.
  package func callAsFunction(_ wording: Wording) -> String { wording.text(template) }
}
