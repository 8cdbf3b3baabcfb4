import Foundation

/// The rule that a read that fails is never "not there": no `try?` on a store, on a transaction, or
/// on what is read through one.
struct StoreReads {
  /// The names that stand for a store in our code, or for its readers.
  private static let names = [
    "copy", "database", "desk", "office", "photos", "pool", "registry", "session",
    "store",
    "unit",
  ]
  /// The calls that read nothing: they give something back, at the end.
  private static let endings = [
    "close()", "execute(sql: \"DETACH", "execute(sql: \"PRAGMA busy_timeout",
  ]
  /// The reads with names of their own, whatever they are asked of.
  private static let reads = ["signedIn()", "unit()"]
  /// The calls of BlueZ's session, which is no store.
  private static let others = ["ofAdapter("]

  static func complaints(path: String, source: String) -> [String] {
    SwiftText(source).withoutComments.numberedLines.compactMap { number, line in
      guard holds(String(line)) else { return nil }
      return
        "\(path):\(number): `try?` on a store: what cannot be read is not what is not there; throw, or say it"
    }
  }

  private static func holds(_ line: String) -> Bool {
    for match in line.matches(of: /try\?\s*(?:await\s+)?\(?((?:\w+[?!]?\.)*)(\w+[?!]?\.)/) {
      let words = (String(match.1) + String(match.2)).split { !$0.isLetter && !$0.isNumber }
      let rest = line[match.range.upperBound...]
      guard
        words.contains(where: { names.contains(String($0)) })
          || reads.contains(where: { rest.hasPrefix($0) })
      else { continue }
      if (endings + others).contains(where: { rest.hasPrefix($0) }) { continue }
      return true
    }
    return false
  }
}
