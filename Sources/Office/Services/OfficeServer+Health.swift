import Positioning
import Synchronization

/// Remembers for a second whether the office can do its work: whoever asks, and however often, it is
/// looked at once.
final class Readiness: Sendable {
  private let last = Mutex<(time: ElapsedTime, isReady: Bool)?>(nil)

  func answer(at time: ElapsedTime, _ look: () async -> Bool) async -> Bool {
    // Whoever comes while somebody looks is told what was so before: a database that hangs would else
    // hold all who ask.
    let known: Bool? = last.withLock { last in
      guard let before = last else { return nil }
      if abs(time.seconds(since: before.time)) < 1 { return before.isReady }
      last?.time = time
      return nil
    }
    if let known { return known }
    let isReady = await look()
    last.withLock { $0 = (time, isReady) }
    return isReady
  }
}

extension OfficeServer {
  /// Whether deliveries can be taken: the database can be read and written, files can be made, and the
  /// disk has its reserve. Why not is in the log: strangers are told no more than that.
  package func isReady() async -> Bool {
    await readiness.answer(at: clock.elapsed) {
      do {
        try await database.checkReadiness()
        try photos.probe()
      } catch {
        configuration.log("not ready: \(error)")
        return false
      }
      return !disk.isLow(at: clock.elapsed)
    }
  }
}
