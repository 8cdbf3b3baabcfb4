/// The code on a photo point's label: eight characters, which a person can type. The last is a check
/// of the others: a wrong character, or two in each other's place, give no other point's code.
public struct PhotoPointCode: Hashable, Sendable, CustomStringConvertible {
  /// The characters: without 0, I, L, O and U, which are taken for others.
  public static let alphabet = Array("123456789ABCDEFGHJKMNPQRSTVWXYZ")
  /// The number of characters.
  public static let length = 8

  /// The eight characters, in upper case.
  public let description: String

  /// Reads a code that a person has typed or a camera has read: small letters, spaces and hyphens do
  /// not matter, and I and L count as 1. Nil if it is no code.
  public init?(_ text: String) {
    var characters: [Character] = []
    for character in text.uppercased() where character != " " && character != "-" {
      characters.append("IL".contains(character) ? "1" : character)
      guard characters.count <= Self.length else { return nil }
    }
    let values = characters.compactMap(Self.alphabet.firstIndex)
    guard values.count == Self.length, characters.count == Self.length,
      values[Self.length - 1] == Self.check(values.dropLast())
    else { return nil }
    description = String(characters)
  }

  /// Creates a random code.
  public init(using random: inout some RandomNumberGenerator) {
    var values = (1..<Self.length).map { _ in
      Int.random(in: 0..<Self.alphabet.count, using: &random)
    }
    values.append(Self.check(values[...]))
    description = String(values.map { Self.alphabet[$0] })
  }

  /// The code in two groups, as labels and pages show it.
  public var spaced: String { "\(description.prefix(4)) \(description.suffix(4))" }

  // The weights differ, and the number of characters is a prime: each wrong character, and each
  // exchange of two, changes the sum.
  private static func check(_ values: ArraySlice<Int>) -> Int {
    values.enumerated().reduce(0) { $0 + ($1.offset + 1) * $1.element } % alphabet.count
  }

  /// The text of a label's QR code: a scheme of our own, the agency and the code. A reader of another
  /// program shows it as it is.
  public func labelText(agency: String) -> String { "\(Self.scheme)\(agency)/\(description)" }

  /// The beginning of a label's text.
  public static let scheme = "standpoint:point/"

  /// Reads the text of a label's QR code.
  /// - Returns: the agency and the code; nil if the text is no label of a photo point.
  public static func ofLabel(_ text: String) -> (agency: String, code: PhotoPointCode)? {
    guard text.utf8.count <= 300, text.hasPrefix(scheme) else { return nil }
    let parts = text.dropFirst(scheme.count).split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, !parts[0].isEmpty, let code = PhotoPointCode(String(parts[1])) else {
      return nil
    }
    return (String(parts[0]), code)
  }
}
