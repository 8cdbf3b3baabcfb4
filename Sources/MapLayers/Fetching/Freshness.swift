import Foundation
import TimeAndText

/// The time for which an answer may be used without asking again, as its header fields say (RFC 9111).
enum Freshness {
  /// The time for answers that say nothing, seconds: maps change seldom.
  static let defaultSeconds = 7 * 86_400.0
  /// The longest time, seconds: a map that says *for ever* is asked about once a month.
  static let mostSeconds = 30 * 86_400.0
  /// The time for places without a tile, seconds.
  static let nothingSeconds = 86_400.0

  /// Returns the seconds for which an answer is fresh; nil if it may not be kept at all.
  static func seconds(cacheControl: [String], age: String?) -> Double? {
    let directives = cacheControl.flatMap { $0.lowercased().split(separator: ",") }
      .map { $0.trimmingCharacters(in: .whitespaces) }
    guard !directives.contains("no-store") else { return nil }
    guard !directives.contains("no-cache") else { return 0 }
    for name in ["s-maxage=", "max-age="] {
      guard let found = directives.first(where: { $0.hasPrefix(name) }),
        let seconds = Double(found.dropFirst(name.count)), seconds >= 0
      else { continue }
      let past = age.flatMap(Double.init(_:)).map { max(0, $0) } ?? 0
      return min(max(0, seconds - past), mostSeconds)
    }
    return defaultSeconds
  }
}
