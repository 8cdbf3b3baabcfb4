import Synchronization

/// Between a stream of pieces and a browser that may be slower: holds the latest piece only, since
/// each replaces the one before.
final class EventMailbox: Sendable {
  private let latest = Mutex<(piece: HTML?, isAlive: Bool)>((nil, false))
  private let wakeUp: AsyncStream<Void>.Continuation
  /// One element whenever there is something to do; ends when nothing more will come.
  let wakes: AsyncStream<Void>

  init() {
    (wakes, wakeUp) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
  }

  /// Lays a piece in, in the place of one that was not taken out yet. An empty one takes no place: it only
  /// says that the stream is alive.
  func put(_ piece: HTML) {
    latest.withLock { latest in
      if piece.isEmpty { latest.isAlive = true } else { latest.piece = piece }
    }
    wakeUp.yield()
  }

  /// Wakes the reader without a piece: time for a sign of life.
  func nudge() {
    wakeUp.yield()
  }

  /// The latest piece, once.
  func take() -> HTML? {
    latest.withLock { latest in
      defer { latest.piece = nil }
      return latest.piece
    }
  }

  /// Whether the stream has said since the last question that it is alive.
  func takeSign() -> Bool {
    latest.withLock { latest in
      defer { latest.isAlive = false }
      return latest.isAlive
    }
  }

  /// No more pieces. What lies in it is still handed out.
  func finish() {
    wakeUp.finish()
  }
}
