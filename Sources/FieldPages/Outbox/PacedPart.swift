import Foundation
import Positioning
import Synchronization
import TimeAndText
import Web

/// A part of a page that is read from the store at most once a second, however often the receiver
/// wakes its stream.
final class PacedPart: Sendable {
  private static let paceSeconds = 1.0
  private let last = Mutex<(made: ElapsedTime, html: HTML)?>(nil)

  /// Returns the part, made anew if the last one is a second old.
  func html(at now: ElapsedTime, _ make: () -> HTML) -> HTML {
    let known = last.withLock { $0 }
    if let known, (0..<Self.paceSeconds).contains(now.seconds(since: known.made)) {
      return known.html
    }
    let html = make()
    last.withLock { $0 = (now, html) }
    return html
  }
}
