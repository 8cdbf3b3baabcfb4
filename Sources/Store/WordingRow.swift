import Foundation
import TimeAndText

/// A sentence in a column: its template and its values, so that a page can show it in its reader's
/// language, long after it was written.
struct WordingRow: Codable {
  /// A value of the sentence: a text that is the same in every language, a decimal number with a
  /// point, a moment in RFC 3339, or a sentence itself.
  struct Value: Codable {
    var plain: String?
    var decimal: String?
    var moment: String?
    var words: WordingRow?
  }

  var template: String
  var values: [Value]

  init(_ wording: Wording) {
    template = wording.template
    values = wording.values.map { value in
      switch value {
      case .plain(let text): Value(plain: text)
      case .decimal(let text): Value(decimal: text)
      case .moment(let text): Value(moment: text)
      case .words(let words): Value(words: WordingRow(words))
      }
    }
  }

  var wording: Wording {
    Wording(
      template: template,
      values: values.map { value in
        value.words.map { .words($0.wording) } ?? value.decimal.map { .decimal($0) }
          ?? value.moment.map { .moment($0) } ?? .plain(value.plain ?? "")
      })
  }
}

extension Wording {
  private static let mark = "{\"template\":"

  /// The text to keep in a column: the sentence itself if it has no values, otherwise JSON.
  var stored: String {
    values.isEmpty && !template.hasPrefix(Self.mark) ? template : RowJSON.text(WordingRow(self))
  }

  /// Creates a sentence from a column's text. Earlier versions kept English sentences with their
  /// values inserted: these stay English, and those without values are found in a catalogue.
  public init(stored text: String) {
    let row = text.hasPrefix(Self.mark) ? try? RowJSON.value(WordingRow.self, text) : nil
    self = row?.wording ?? Wording(template: text, values: [])
  }
}
