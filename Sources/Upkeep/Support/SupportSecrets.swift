import FieldUnit
import Foundation
import KeyTokens
import Store

/// The secrets that a support bundle must not hold: keys, tokens, names of people. They are
/// replaced in the text, and the bundle is searched for keys and tokens once more, byte by byte,
/// before it leaves the program.
struct SupportSecrets: Sendable {
  /// The byte patterns that are a leak if any of them is in a bundle.
  private var patterns: [[UInt8]] = []
  /// The logins and names of people.
  private var names: [String] = []
  private let home: String

  /// The least length of a pattern, bytes; shorter ones occur in ordinary text by chance.
  private static let leastBytes = 12
  private static let mostBytesOfKey = 64 << 10

  /// A person who has signed in here; nil for a name or a token that is not stored.
  typealias Somebody = (login: String, name: String?, token: String?)

  /// Reads the keys of a data directory, and takes the people that its database knows.
  /// - Parameter people: the people who have signed in here; nil if the database cannot be read, so
  ///   that no names or tokens are known.
  init(dataDirectory: URL, people: [Somebody]?, home: String = NSHomeDirectory()) {
    self.home = home
    for side in ["field", "office"] {
      let folder = dataDirectory.appendingPathComponent("\(side)/keys").path
      let files = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
      for file in files.sorted() where !KeyFolder.isOpen(file) {
        guard let bytes = try? DurableFile.read("\(folder)/\(file)"),
          bytes.count <= Self.mostBytesOfKey
        else { continue }
        add(secret: bytes)
      }
    }
    for one in people ?? [] {
      if let token = one.token { add(secret: Array(token.utf8)) }
      names += [one.login, one.name].compactMap(\.self)
    }
    names = Set(names.filter { !$0.isEmpty }).sorted { ($1.count, $0) < ($0.count, $1) }
  }

  /// Adds a secret in each of the forms in which it may occur.
  private mutating func add(secret bytes: [UInt8]) {
    let data = Data(bytes)
    let base64 = data.base64EncodedString()
    let plain = base64.replacing("=", with: "")
    var shapes = [
      bytes, Array(plain.utf8),
      Array(plain.replacing("+", with: "-").replacing("/", with: "_").utf8),
      Array(bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined().utf8),
    ]
    // The lines of a PEM file, and the bytes that they encode.
    let lines = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline)
      .filter { !$0.hasPrefix("-----") }
    shapes += lines.map { Array($0.utf8) }
    if let inner = Data(base64Encoded: lines.joined()) { shapes.append(Array(inner)) }
    patterns += shapes.filter { $0.count >= Self.leastBytes }
  }

  /// Returns a text without secrets and names; its words about the program stay.
  func redacted(_ text: String) -> String {
    var text = text
    for pattern in patterns {
      let word = String(decoding: pattern, as: UTF8.self)
      if word.utf8.elementsEqual(pattern), text.contains(word) {
        text = text.replacing(word, with: "[secret]")
      }
    }
    text = Self.replacingCredentials(in: text)
    if home.count > 1 { text = text.replacing(home, with: "~") }
    for name in names { text = Self.replacing(name, in: text) }
    return text.split(separator: " ", omittingEmptySubsequences: false)
      .map { Self.isTokenLike($0) ? "[long]" : String($0) }.joined(separator: " ")
  }

  /// Returns an address without user and password. The text is as a person has typed it, and need
  /// not be an address.
  static func withoutCredentials(_ address: String) -> String {
    // The last @ counts: a password may itself hold an @, a slash, or blanks.
    guard let at = address.lastIndex(of: "@") else { return address }
    let head = address[..<at]
    let scheme = head.range(of: "://").map { head[..<$0.upperBound] } ?? ""
    return scheme + "[secret]" + address[at...]
  }

  /// Removes the credentials in each word of a text that looks like an address with a password; a
  /// plain `a@b` is kept.
  private static func replacingCredentials(in text: String) -> String {
    guard text.contains("@") else { return text }
    return text.split(separator: " ", omittingEmptySubsequences: false).map { word in
      guard let at = word.lastIndex(of: "@"), word[..<at].contains(":") else { return String(word) }
      return withoutCredentials(String(word))
    }.joined(separator: " ")
  }

  /// Returns true if the bytes hold any secret.
  func isLeaked(in bytes: [UInt8]) -> Bool {
    let data = Data(bytes)
    return patterns.contains { data.range(of: Data($0)) != nil }
  }

  /// Replaces a name where it is a word of its own, because a login is often part of an ordinary
  /// word.
  private static func replacing(_ name: String, in text: String) -> String {
    var result = ""
    var rest = text[...]
    while let range = rest.range(of: name, options: .caseInsensitive) {
      let before =
        range.lowerBound == text.startIndex
        ? nil : text[text.index(before: range.lowerBound)]
      let after = range.upperBound == text.endIndex ? nil : text[range.upperBound]
      let isAlone = ![before, after].contains { $0?.isLetter == true || $0?.isNumber == true }
      result += rest[..<range.lowerBound] + (isAlone ? "[name]" : rest[range])
      rest = rest[range.upperBound...]
    }
    return result + rest
  }

  /// Returns true for a word that looks like a token or a signature: long, and of one piece.
  /// Digests are kept, because they are harmless.
  private static func isTokenLike(_ word: Substring) -> Bool {
    var run = 0
    var hasOther = false
    for byte in word.utf8 {
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"): run += 1
      case UInt8(ascii: "g")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "_"), UInt8(ascii: "+"), UInt8(ascii: "="):
        run += 1
        hasOther = true
      case UInt8(ascii: "-"):
        run += 1
      default:
        if run >= 32, hasOther { return true }
        (run, hasOther) = (0, false)
      }
    }
    return run >= 32 && hasOther
  }
}
