import Synchronization

/// Says something each time that it is new: words that come again and again are logged once, until
/// everything is well.
package final class OnceLog: Sendable {
  private let title: String
  private let log: @Sendable (String) -> Void
  private let said = Mutex<Set<String>>([])

  /// Creates a log of one subject, whose title comes before the words.
  package init(_ title: String, log: @escaping @Sendable (String) -> Void) {
    (self.title, self.log) = (title, log)
  }

  /// Logs words, unless they were logged since everything was well.
  package func say(_ words: String) {
    if said.withLock({ $0.insert(words).inserted }) { log("\(title): \(words)") }
  }

  /// Notes that everything is well again.
  package func allIsWell() { said.withLock { $0 = [] } }
}
