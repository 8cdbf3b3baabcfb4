import Foundation
import Store

/// What a support bundle must not hold: keys, tokens, names of people. They are taken out of what is
/// written into it, and looked for once more, byte by byte, before it is handed out.
struct SupportSecrets: Sendable {
  /// Any of these bytes in a bundle is a leak.
  private var patterns: [[UInt8]] = []
  /// Words that stand for somebody.
  private var names: [String] = []
  private let home: String

  /// Shorter pieces stand in ordinary text by chance.
  private static let leastBytes = 12
  private static let mostBytesOfKey = 64 << 10

  /// Somebody who has signed in here; nil where name or token are not kept.
  typealias Somebody = (login: String, name: String?, token: String?)

  /// The keys of a data directory, and what its database knows of people.
  /// - Parameter people: whoever has signed in here; nil where the database cannot be read, and then nobody's
  ///   name and token is known.
  init(dataDirectory: URL, people: [Somebody]?, home: String = NSHomeDirectory()) {
    self.home = home
    for side in ["field", "office"] {
      let folder = dataDirectory.appendingPathComponent("\(side)/keys").path
      let files = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
      for file in files.sorted() {
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

  /// A secret in each of the shapes in which it may come along.
  private mutating func add(secret bytes: [UInt8]) {
    let data = Data(bytes)
    let base64 = data.base64EncodedString()
    let plain = base64.replacing("=", with: "")
    var shapes = [
      bytes, Array(plain.utf8),
      Array(plain.replacing("+", with: "-").replacing("/", with: "_").utf8),
      Array(bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined().utf8),
    ]
    // The lines of a PEM file, and what they stand for.
    let lines = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline)
      .filter { !$0.hasPrefix("-----") }
    shapes += lines.map { Array($0.utf8) }
    if let inner = Data(base64Encoded: lines.joined()) { shapes.append(Array(inner)) }
    patterns += shapes.filter { $0.count >= Self.leastBytes }
  }

  /// The text without secrets and names: what it says of the program stays.
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

  /// An address without user and password, as somebody has typed it: nobody has looked yet whether it is one.
  static func withoutCredentials(_ address: String) -> String {
    // The last one: a password may hold an @ itself, and a slash, and blanks.
    guard let at = address.lastIndex(of: "@") else { return address }
    let head = address[..<at]
    let scheme = head.range(of: "://").map { head[..<$0.upperBound] } ?? ""
    return scheme + "[secret]" + address[at...]
  }

  /// The same for each word of a text that looks so; a plain `a@b` is none.
  private static func replacingCredentials(in text: String) -> String {
    guard text.contains("@") else { return text }
    return text.split(separator: " ", omittingEmptySubsequences: false).map { word in
      guard let at = word.lastIndex(of: "@"), word[..<at].contains(":") else { return String(word) }
      return withoutCredentials(String(word))
    }.joined(separator: " ")
  }

  /// Whether any secret stands in the bytes.
  func isLeaked(in bytes: [UInt8]) -> Bool {
    let data = Data(bytes)
    return patterns.contains { data.range(of: Data($0)) != nil }
  }

  /// A login is often an ordinary word's part: it is replaced where it stands alone.
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

  /// Tokens and signatures are long and of one piece. Digests are so, too, and harmless: whoever has one
  /// cannot do anything with it.
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
