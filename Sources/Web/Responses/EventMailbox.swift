import Synchronization

/// A mailbox between a stream of pieces and a browser that may be slower. It holds the latest piece
/// only, since each replaces the one before.
final class EventMailbox: Sendable {
  private let latest = Mutex<(piece: HTML?, isAlive: Bool)>((nil, false))
  private let wakeUp: AsyncStream<Void>.Continuation
  /// A stream with one element whenever there is something to do; it ends when nothing more will come.
  let wakes: AsyncStream<Void>

  init() {
    (wakes, wakeUp) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
  }

  /// Puts a piece in; it replaces a piece that was not taken out yet. An empty piece replaces
  /// nothing: it only says that the stream is alive.
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

  /// Takes the latest piece out; nil if there is no new one.
  func take() -> HTML? {
    latest.withLock { latest in
      defer { latest.piece = nil }
      return latest.piece
    }
  }

  /// Returns true if the stream has said since the last call that it is alive.
  func takeSign() -> Bool {
    latest.withLock { latest in
      defer { latest.isAlive = false }
      return latest.isAlive
    }
  }

  /// Ends the stream of wakes. A piece that is still inside can be taken out.
  func finish() {
    wakeUp.finish()
  }
}
