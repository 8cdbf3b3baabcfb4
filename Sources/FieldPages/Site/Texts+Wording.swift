import TimeAndText
import Web

extension Texts {
  /// Returns a sentence of the lower modules in the language of these texts.
  func callAsFunction(_ wording: Wording) -> String { wording.text(template) }
}
