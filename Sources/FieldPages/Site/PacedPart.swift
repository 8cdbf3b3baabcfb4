import Inspection
import Synchronization
import TimeAndText
import Web

/// A part of a page that is read from the store at most once a second, however often the receiver
/// wakes its stream.
final class PacedPart: Sendable {
  private struct Made: Sendable {
    var time: ElapsedTime
    var subject: Identifier?
    var html: HTML
  }

  private static let paceSeconds = 1.0
  private let last = Mutex<Made?>(nil)

  /// Returns the part, made again if the last one is a second old.
  /// - Parameter subject: the thing that the part is about, whose change makes it again at once;
  ///   nil for a part that is always about the same.
  func html(
    at now: ElapsedTime, about subject: Identifier? = nil, _ make: () async -> HTML
  ) async -> HTML {
    if let made = last.withLock({ $0 }), made.subject == subject,
      (0..<Self.paceSeconds).contains(now.seconds(since: made.time))
    {
      return made.html
    }
    let html = await make()
    last.withLock { $0 = Made(time: now, subject: subject, html: html) }
    return html
  }
}
