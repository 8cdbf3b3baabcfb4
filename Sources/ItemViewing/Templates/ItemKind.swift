import Inspection
import TimeAndText
import Web

/// The kinds of items that a template's page offers.
package enum ItemKind: String, CaseIterable, Sendable {
  case choice, several, yesOrNo, number, text, date, shot, set, track, note, words

  /// Creates the kind of an item.
  package init(_ content: OrderItem.Content) {
    switch content {
    case .shot(let shot): self = shot.set == nil ? .shot : .set
    case .track: self = .track
    case .note: self = .note
    case .words: self = .words
    case .question(let question):
      switch question.form {
      case .choice: self = .choice
      case .several: self = .several
      case .number: self = .number
      case .text: self = .text
      case .yesOrNo: self = .yesOrNo
      case .date: self = .date
      }
    }
  }

  /// Returns the kind's name for people.
  package func title(_ t: Texts) -> String {
    switch self {
    case .choice: t("Question with choices, one is chosen")
    case .several: t("Question with choices, several can be chosen")
    case .yesOrNo: t("Question with yes or no")
    case .number: t("Question for a number")
    case .text: t("Question for words")
    case .date: t("Question for a day")
    case .shot: t("Photos")
    case .set: t("Set of pictures")
    case .track: t("Track")
    case .note: t("Note")
    case .words: t("Words to read")
    }
  }
}
