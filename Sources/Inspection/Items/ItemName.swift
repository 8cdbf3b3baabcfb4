/// The short name of an item or of a choice: it names the answer in conditions, records and columns
/// of exports, and stays the same when its wording changes.
///
/// The form is the one of names in XLSForm, so that a table of questions keeps its names: a letter
/// or `_`, and then letters, digits, `_`, `-` and `.`, all of ASCII.
public struct ItemName: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// The most characters of a name.
  public static let charactersAtMost = 64

  /// The name.
  public let description: String

  /// Reads the name of an item; nil if the text is no such name.
  public init?(_ text: String) {
    guard let first = text.utf8.first, Self.isLetter(first) || first == UInt8(ascii: "_"),
      text.utf8.count <= Self.charactersAtMost, text.utf8.allSatisfy(Self.isAllowed)
    else { return nil }
    description = text
  }

  /// Reads the name of a choice, which may begin with a digit, too: codes of crops are numbers.
  public init?(choice text: String) {
    guard !text.isEmpty, text.utf8.count <= Self.charactersAtMost,
      text.utf8.allSatisfy(Self.isAllowed)
    else { return nil }
    description = text
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
  }

  private static func isAllowed(_ byte: UInt8) -> Bool {
    isLetter(byte) || (0x30...0x39).contains(byte) || "_-.".utf8.contains(byte)
  }

  /// Orders names as their bytes are ordered.
  public static func < (left: ItemName, right: ItemName) -> Bool {
    left.description < right.description
  }
}
