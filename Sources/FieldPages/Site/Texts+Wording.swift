import Positioning
import Web

extension Texts {
  /// A sentence of the modules beneath in this language.
  func callAsFunction(_ wording: Wording) -> String { wording.text(template) }
}
