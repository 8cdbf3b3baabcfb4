import Foundation
import Web

/// A search in one language of the guide: a section is found if it has all words that are asked for,
/// in its heading or below it. Capitals and accents make no difference.
package struct GuideSearch: Sendable {
  /// A section that was found.
  package struct Finding: Sendable {
    /// The page with the section.
    package let page: GuidePage
    /// The section.
    package let section: GuideSection
    /// The words round the first place, with the words that were asked for marked.
    package let excerpt: HTML
  }

  /// The most characters of a question; the rest is passed over.
  package static let charactersAtMost = 100
  /// The most sections that are shown.
  package static let findingsAtMost = 30
  private static let charactersAround = 80

  /// The question as it is searched for.
  package let question: String
  private let words: [String]

  /// Reads a question; nil if it has no letter or digit.
  package init?(_ question: String) {
    self.question = String(question.prefix(Self.charactersAtMost))
    words = self.question.split { !$0.isLetter && !$0.isNumber }.map { Self.folded(String($0)) }
    if words.isEmpty { return nil }
  }

  /// Returns the sections that were found: first those with the words in the heading, then in the
  /// order of the guide.
  package func findings(in book: GuideBook) -> [Finding] {
    let sections = book.texts.flatMap { text in text.sections.map { (text.page, $0) } }
    let found = sections.compactMap { page, section -> (rank: Int, Finding)? in
      let heading = Self.folded(section.title)
      let all = heading + "\n" + Self.folded(section.words)
      guard words.allSatisfy(all.contains) else { return nil }
      let rank =
        words.allSatisfy(heading.contains) ? 0 : words.contains(where: heading.contains) ? 1 : 2
      return (rank, Finding(page: page, section: section, excerpt: excerpt(of: section.words)))
    }
    return [0, 1, 2].flatMap { rank in found.filter { $0.rank == rank }.map(\.1) }
      .prefix(Self.findingsAtMost).map(\.self)
  }

  private static let likeness: String.CompareOptions = [.caseInsensitive, .diacriticInsensitive]

  private static func folded(_ text: String) -> String {
    text.folding(options: likeness, locale: nil)
  }

  /// The words that are marked: a single letter stands in nearly every word.
  private var marks: [String] {
    let longer = words.filter { $0.count > 1 }
    return longer.isEmpty ? words : longer
  }

  /// Returns the words round the first place of the question's longest word, which says most.
  private func excerpt(of text: String) -> HTML {
    let sorted = marks.sorted { $0.count > $1.count }
    let places = sorted.compactMap { text.range(of: $0, options: Self.likeness)?.lowerBound }
    guard let first = places.first else {
      return HTML(escaping: Self.cut(text[...], to: 2 * Self.charactersAround))
    }
    let start =
      text.index(first, offsetBy: -Self.charactersAround, limitedBy: text.startIndex)
      ?? text.startIndex
    // A word is not cut at the beginning.
    let begin =
      start == text.startIndex
      ? start : text[start..<first].firstIndex(of: " ").map(text.index(after:)) ?? first
    let cut = Self.cut(text[begin...], to: 3 * Self.charactersAround)
    return marked((begin == text.startIndex ? "" : "… ") + cut)
  }

  private static func cut(_ text: Substring, to characters: Int) -> String {
    guard let end = text.index(text.startIndex, offsetBy: characters, limitedBy: text.endIndex),
      end < text.endIndex
    else { return String(text) }
    let whole = text[..<end]
    return String(whole[..<(whole.lastIndex(of: " ") ?? end)]) + " …"
  }

  private func marked(_ text: String) -> HTML {
    var pieces: [HTML] = []
    var rest = text[...]
    while let next = marks.compactMap({ rest.range(of: $0, options: Self.likeness) })
      .min(by: { $0.lowerBound < $1.lowerBound })
    {
      pieces.append("\(rest[..<next.lowerBound])<mark>\(rest[next])</mark>")
      rest = rest[next.upperBound...]
    }
    return HTML.joined(pieces) + HTML(escaping: rest)
  }
}
