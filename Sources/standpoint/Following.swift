import FieldUnit
import Foundation
import Positioning
import Receivers

/// Runs a receiver beside a piece of work, for commands that do one thing and end.
enum Following {
  /// - Throws: `ReceiverError.unreachable` when the receiver cannot be reached at all: a command does
  ///   not wait for ever for what was never there. What was there once is followed until it returns.
  static func run<Result: Sendable>(
    _ follower: ReceiverFollower, _ work: @escaping @Sendable () async throws -> Result
  ) async throws -> Result {
    let watch = Reachability(source: "\(follower.source)")
    _ = await follower.listen { event in
      if case .state(let state) = event { watch.note(state) }
    }
    return try await withThrowingTaskGroup(of: Result?.self) { group in
      group.addTask { try await work() }
      group.addTask {
        // A replay does not wait for anybody: it begins when the work listens, beside this watch.
        while await follower.listenerCount < 2 { try await Task.sleep(for: .milliseconds(1)) }
        try await follower.run()
        return nil
      }
      group.addTask {
        try await watch.failure()
        return nil
      }
      defer { group.cancelAll() }
      while true {
        do {
          guard let outcome = try await group.next() else { throw CancellationError() }
          if let outcome { return outcome }
          // The log has ended: the work has been told, and is finishing.
        } catch is CancellationError where !group.isEmpty {
          // Interrupted: what listens ends at once, and the work keeps what there is.
        }
      }
    }
  }
}

/// Notices a receiver that could not be reached the first time.
private final class Reachability: Sendable {
  private let source: String
  private let stream: AsyncStream<ReceiverError>
  private let continuation: AsyncStream<ReceiverError>.Continuation

  init(source: String) {
    self.source = source
    (stream, continuation) = AsyncStream.makeStream(of: ReceiverError.self)
  }

  func note(_ state: ReceiverState) {
    switch state {
    case .listening, .fixing, .silent, .ended: continuation.finish()
    case .lost(let reason, _):
      continuation.yield(.unreachable(source: source, reason: reason.description))
    case .connecting, .failed: break
    }
  }

  func failure() async throws {
    for await error in stream { throw error }
    // Reached: from here on the receiver is followed, and this only waits to be cancelled.
    while true { try await Task.sleep(for: .seconds(3600)) }
  }
}
