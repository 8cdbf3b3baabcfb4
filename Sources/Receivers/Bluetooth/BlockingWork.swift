import Foundation
import Synchronization

/// Work that blocks a thread and cannot be interrupted: it gets a thread of its own, and whoever waits
/// for it does so no longer than a deadline, or until cancelled.
enum BlockingWork {
  /// - Parameters:
  ///   - late: thrown when the deadline has passed.
  ///   - discard: undoes a result that came after nobody waited any more.
  static func run<Result: Sendable>(
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

  /// Hands over one result, once.
  private final class Desk<Value: Sendable>: Sendable {
    private enum State {
      case empty
      case waiting(CheckedContinuation<Value, any Error>)
      case over
    }

    private let state = Mutex(State.empty)

    /// False where it is over before it began.
    func wait(_ waiter: CheckedContinuation<Value, any Error>) -> Bool {
      let isOpen = state.withLock { state in
        guard case .empty = state else { return false }
        state = .waiting(waiter)
        return true
      }
      if !isOpen { waiter.resume(throwing: CancellationError()) }
      return isOpen
    }

    /// False where nobody waits any more.
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
