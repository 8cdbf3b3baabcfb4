import Foundation
import Synchronization

/// Work that blocks a thread and cannot be interrupted. The work gets a thread of its own, and its
/// caller waits until a deadline at most, or until it is cancelled.
package enum BlockingWork {
  /// Runs `work` on a thread of its own, and waits for its result.
  /// - Parameters:
  ///   - seconds: The time until the deadline, seconds.
  ///   - late: The error that is thrown after the deadline.
  ///   - discard: Undoes a result that came after the caller stopped waiting.
  /// - Throws: `late`; `CancellationError`; any error of `work`.
  package static func run<Result: Sendable>(
    seconds: Double, late: any Error, _ work: @escaping @Sendable () throws -> Result,
    discard: @escaping @Sendable (Result) -> Void = { _ in }
  ) async throws -> Result {
    let desk = Desk<Result>()
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { waiter in
        guard desk.wait(waiter) else { return }
        Thread.detachNewThread {
          let result = Swift.Result { try work() }
          if !desk.hand(result), case .success(let value) = result { discard(value) }
        }
        DispatchQueue.global().asyncAfter(deadline: .now() + seconds) {
          _ = desk.hand(.failure(late))
        }
      }
    } onCancel: {
      _ = desk.hand(.failure(CancellationError()))
    }
  }

  /// Passes one result to the waiting caller, once.
  private final class Desk<Value: Sendable>: Sendable {
    private enum State {
      case empty
      case waiting(CheckedContinuation<Value, any Error>)
      case over
    }

    private let state = Mutex(State.empty)

    /// Stores the waiting caller. Returns false if the work was cancelled before.
    func wait(_ waiter: CheckedContinuation<Value, any Error>) -> Bool {
      let isOpen = state.withLock { state in
        guard case .empty = state else { return false }
        state = .waiting(waiter)
        return true
      }
      if !isOpen { waiter.resume(throwing: CancellationError()) }
      return isOpen
    }

    /// Passes a result to the waiting caller. Returns false if no caller waits any more.
    func hand(_ result: Result<Value, any Error>) -> Bool {
      let waiter = state.withLock { state -> CheckedContinuation<Value, any Error>? in
        defer { state = .over }
        guard case .waiting(let waiter) = state else { return nil }
        return waiter
      }
      waiter?.resume(with: result)
      return waiter != nil
    }
  }
}
