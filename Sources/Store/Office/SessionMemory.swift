import Sync
import Synchronization

/// The sessions that were looked up since the last commit. Each request begins with its session:
/// from memory it costs no way to a reading thread and back, which takes longer than the look-up.
///
/// Nothing is remembered across a commit, by whatever program: who is signed out or disabled is
/// out with the next request.
final class SessionMemory: Sendable {
  private struct Known {
    var version: Int?
    var sessions: [String: KnownSession] = [:]
  }

  /// The most sessions in memory at once, about 200 bytes each.
  private static let most = 10_000
  private let watch: CommitWatch
  private let known = Mutex(Known())

  init(_ watch: CommitWatch) { self.watch = watch }

  /// Returns a session from memory; nil if it has to be looked up.
  func session(digest: String) -> KnownSession? {
    guard let version = watch.version() else { return nil }
    return known.withLock { $0.version == version ? $0.sessions[digest] : nil }
  }

  /// Looks a session up and remembers it; one that there is not is not remembered, since strangers
  /// could then fill the memory.
  func session(
    digest: String, lookUp: () throws -> KnownSession?
  ) rethrows -> KnownSession? {
    // Read before the look-up: a commit between the two makes what is remembered void.
    let version = watch.version()
    guard let session = try lookUp() else { return nil }
    guard let version else { return session }
    known.withLock { known in
      if known.version != version || known.sessions.count >= Self.most {
        known = Known(version: version)
      }
      known.sessions[digest] = session
    }
    return session
  }
}
