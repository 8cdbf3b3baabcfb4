import Foundation
import Positioning

/// A sentence as a column keeps it: its template and its values, so that a page can say it in the language
/// of whoever asks, long after it was written down.
struct WordingRow: Codable {
  /// A value: either the same in every language, or a sentence itself.
  struct Value: Codable {
    var plain: String?
    var words: WordingRow?
  }

  var template: String
  var values: [Value]

  init(_ wording: Wording) {
    template = wording.template
    values = wording.values.map { value in
      switch value {
      case .plain(let text): Value(plain: text)
      case .words(let words): Value(words: WordingRow(words))
      }
    }
  }

  var wording: Wording {
    Wording(
      template: template,
      values: values.map { value in
        value.words.map { .words($0.wording) } ?? .plain(value.plain ?? "")
      })
  }
}

extension Wording {
  private static let mark = "{\"template\":"

  /// What a column of text keeps of it: the sentence itself where it has no values, else JSON.
  var stored: String {
    values.isEmpty && !template.hasPrefix(Self.mark) ? template : RowJSON.text(WordingRow(self))
  }

  /// A sentence from a column of text. An earlier version of this program has kept sentences in English,
  /// with their values in them: these stay English, and those without values are found in a catalogue.
  public init(stored text: String) {
    let row = text.hasPrefix(Self.mark) ? try? RowJSON.value(WordingRow.self, text) : nil
    self = row?.wording ?? Wording(template: text, values: [])
  }
}
