import FieldUnit
import Foundation
import Receivers
import TimeAndText

/// Runs a receiver together with a piece of work, for commands that do one thing and end.
package enum Following {
  /// Runs the receiver until the work is done, and returns the work's result.
  /// - Throws: `ReceiverError.unreachable` if the receiver cannot be reached at all: a command does
  ///   not wait endlessly for a receiver that was never there. A receiver that was reached once is
  ///   followed until it returns.
  package static func run<Result: Sendable>(
    _ follower: ReceiverFollower, _ work: @escaping @Sendable () async throws -> Result
  ) async throws -> Result {
    let watch = Reachability(source: "\(follower.source)")
    _ = await follower.listen { event in
      if case .state(let state) = event { watch.note(state) }
    }
    return try await withThrowingTaskGroup(of: Result?.self) { group in
      group.addTask { try await work() }
      group.addTask {
        // A replay waits for no listener: it begins only when the work listens, next to this watch.
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
          // Interrupted: listeners end at once, and the work keeps what it has so far.
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
    // The receiver was reached and is followed from here on; this task only waits to be cancelled.
    while true { try await Task.sleep(for: .seconds(3600)) }
  }
}
