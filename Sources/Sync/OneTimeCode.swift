/// A code that a person can type: eight characters, good for one use.
///
/// The alphabet is Crockford's base 32: it has no I, L, O and U, so that a reader who writes an O
/// for a zero, or an l for a one, is still understood. Eight characters are 40 random bits: the
/// office lets nobody try often enough to guess one (`SignInGuard`).
public struct OneTimeCode: Hashable, Sendable {
  /// The eight characters, in upper case and without a hyphen.
  public let characters: String

  /// The characters that a code may have.
  public static let alphabet = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ")
  /// The number of characters in a code.
  public static let length = 8
  /// The seconds for which an inspector's code can be used: a day, so that a code that is printed in
  /// the evening still works in the morning.
  public static let lifetimeSeconds = 24.0 * 3600
  /// The seconds after its end for which the office still says that a code has ended or was used,
  /// and not only that it does not know it: a week.
  public static let rememberedSeconds = 7 * 24.0 * 3600

  /// Reads a code as people write it, with hyphens, blanks and small letters; nil if it is none.
  public init?(_ written: String) {
    // Other alphabets have letters whose upper case is one of ours.
    guard written.utf8.count <= 64, written.utf8.allSatisfy({ $0 < 0x80 }) else { return nil }
    var read = ""
    for character in written.uppercased() where character != "-" && !character.isWhitespace {
      let meant: Character =
        switch character {
        case "I", "L": "1"
        case "O": "0"
        default: character
        }
      guard Self.alphabet.contains(meant) else { return nil }
      read.append(meant)
    }
    guard read.count == Self.length else { return nil }
    characters = read
  }

  private init(characters: String) { self.characters = characters }

  /// Makes a code from random numbers.
  public static func make(using random: inout some RandomNumberGenerator) -> OneTimeCode {
    OneTimeCode(
      characters: String(
        (0..<length).map { _ in alphabet[Int.random(in: 0..<alphabet.count, using: &random)] }))
  }

  /// The code as people read it: two groups of four.
  public var grouped: String { characters.prefix(4) + "-" + characters.suffix(4) }
}
