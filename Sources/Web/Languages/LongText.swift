/// A pseudo-language for tests: English with accents and 40 % longer, in brackets. It shows which
/// parts of the pages break in translation; words that were never in the catalogue appear without
/// brackets.
enum LongText {
  private static let accented: [Character: Character] = [
    "a": "á", "c": "ç", "e": "ë", "g": "ğ", "i": "ï", "n": "ñ", "o": "ö", "s": "š", "u": "ü",
    "y": "ý", "z": "ž", "A": "Å", "C": "Ç", "D": "Ď", "E": "É", "I": "Î", "N": "Ñ", "O": "Ø",
    "R": "Ř", "S": "Š", "T": "Ť", "U": "Ü", "Y": "Ý",
  ]
  private static let blown = Array("nöch läñger wërdënde Wörtëř ünd ")

  /// Returns a sentence in the pseudo-language, with its placeholders unchanged.
  static func of(_ sentence: String) -> String {
    var said = ""
    var letters = 0
    var isPlaceholder = false
    for character in sentence {
      if character == "{" { isPlaceholder = true }
      said.append(isPlaceholder ? character : accented[character] ?? character)
      if !isPlaceholder { letters += 1 }
      if character == "}" { isPlaceholder = false }
    }
    // Four tenths more, rounded up. A single word becomes a longer word, which no line can break.
    let more = (4 * letters + 9) / 10
    let filler = sentence.contains(" ") ? blown : blown.filter { $0 != " " }
    for place in 0..<more {
      said.append(place == 0 && sentence.contains(" ") ? " " : filler[place % filler.count])
    }
    return "⟦\(said)⟧"
  }
}
