/// A code that pairs one phone: 128 random bits, as a camera reads them or a person types them.
///
/// The letters are Crockford's base 32: no two of them look alike, and O, I and L stand for 0 and 1.
public struct PairingCode: Hashable, Sendable, CustomStringConvertible {
  private static let letters = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ")
  private static let bitsPerLetter = 5
  /// 26 letters hold 130 bits: the last two are 0.
  private static let lettersOfCode =
    (PhoneRegister.codeBytes * 8 + bitsPerLetter - 1) / bitsPerLetter

  /// The code's letters, without anything between them.
  public let text: String

  /// The code in groups of letters, for people.
  public var description: String {
    stride(from: 0, to: text.count, by: 5).map { start in
      text.dropFirst(start).prefix(5)
    }.joined(separator: "-")
  }

  /// Creates a code.
  /// - Parameter random: the source of its bits.
  public init(using random: inout some RandomNumberGenerator) {
    var letters = (0..<Self.lettersOfCode - 1).map { _ in
      Self.letters[Int.random(in: 0..<32, using: &random)]
    }
    // The last letter has three bits of the 128.
    letters.append(Self.letters[Int.random(in: 0..<8, using: &random) << 2])
    text = String(letters)
  }

  /// Reads a code as people type it; nil if it is none.
  public init?(_ typed: String) {
    guard typed.utf8.count <= 200 else { return nil }
    var letters = ""
    for character in typed.uppercased() where character != "-" && !character.isWhitespace {
      let known: Character =
        switch character {
        case "O": "0"
        case "I", "L": "1"
        default: character
        }
      guard Self.letters.contains(known) else { return nil }
      letters.append(known)
    }
    guard letters.count == Self.lettersOfCode else { return nil }
    text = letters
  }
}
