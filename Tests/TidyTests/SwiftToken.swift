/// A word or a sign of Swift code.
struct SwiftToken {
  /// A word as written, `->`, or one other character.
  let text: String
  /// The line, counted from 1.
  let line: Int
  /// True if nothing separates it from the token before it.
  let isAttached: Bool

  var isWord: Bool {
    guard let first = text.utf8.first else { return false }
    return Self.isPartOfWord(first)
  }

  /// Cuts code without comments and words of strings (`SwiftText.codeOnly`) into tokens.
  ///
  /// Quotes are left out: what is left of a string literal are its interpolations.
  static func tokens(ofCode code: String) -> [SwiftToken] {
    let bytes = Array(code.utf8)
    var tokens: [SwiftToken] = []
    var line = 1
    var index = 0
    var endOfLast = 0
    while index < bytes.count {
      let start = index
      index += 1
      switch bytes[start] {
      case UInt8(ascii: "\n"):
        line += 1
        continue
      case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"), UInt8(ascii: "\""):
        continue
      case UInt8(ascii: "-") where index < bytes.count && bytes[index] == UInt8(ascii: ">"):
        index += 1
      case let byte where isPartOfWord(byte):
        while index < bytes.count, isPartOfWord(bytes[index]) { index += 1 }
      default:
        break
      }
      tokens.append(
        SwiftToken(
          text: String(decoding: bytes[start..<index], as: UTF8.self), line: line,
          isAttached: start == endOfLast && start > 0))
      endOfLast = index
    }
    return tokens
  }

  /// Returns true for a byte of a word. Backticks belong to it: `` `init` `` is a name and no
  /// keyword.
  private static func isPartOfWord(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "$"),
      UInt8(ascii: "`"), 0x80...:
      true
    default:
      false
    }
  }
}
