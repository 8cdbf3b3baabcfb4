import Foundation
import TestSupport

/// The words that pages show in a language, from its catalogue.
struct PageWords {
  /// Words in italics that are no catalogue's: formats, measures, another program's words, and the
  /// sentence that explains the italics.
  private static let others: Set = [
    "PDF", "KML", "KMZ", "12 of 20", "12 z 20", "italics", "kurzívou", "± 1.7 m (95 %)",
    "± 1,7 m (95 %)", "Fix geometries",
    "Dissolve", "Opravit geometrie", "Rozpustit",
  ]

  private let sentences: Set<String>
  private let templates: [Regex<Substring>]

  init(language: String) throws {
    let file = Repository.root.appendingPathComponent("Sources/Web/Languages/\(language).json")
    let catalogue = try JSONDecoder().decode([String: String].self, from: Data(contentsOf: file))
    sentences = Set(catalogue.values)
    // A template that is mostly values would fit anything.
    templates = try catalogue.values.filter { text in
      text.contains("{1}") && text.replacing(#/\{[0-9]+\}/#, with: "").count > 8
    }.map { text in
      let pattern = NSRegularExpression.escapedPattern(for: text)
        .replacing(#/\\\{[0-9]+\\\}/#, with: ".+")
      return try Regex(pattern, as: Substring.self)
    }
  }

  /// Returns the words in italics that are neither a sentence of the catalogue, nor the beginning of
  /// one, nor a filled template.
  func strangers(in markdown: String) -> [String] {
    let text = markdown.replacing(#/(?s)```.*?```/#, with: "").replacing(#/`[^`]*`/#, with: "")
      .replacing(#/\*\*[^*]+\*\*/#, with: "")
    return text.matches(of: #/\*([^*\n]+(?:\n[^*\n]+)?)\*/#).map { match in
      String(match.1.split(whereSeparator: \.isWhitespace).joined(separator: " "))
    }.filter { said in
      if Self.others.contains(said) { return false }
      // A sign in front is drawn by the style.
      let words = String(said.drop { "●▲■✓✗↑↩–?…○◐▶ ".contains($0) })
      return !sentences.contains { $0.hasPrefix(words) }
        && !templates.contains { words.wholeMatch(of: $0) != nil }
    }
  }
}
