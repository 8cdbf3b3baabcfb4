import Foundation

/// A transaction that has begun and does not end before it is told to.
final class HeldTransaction: Sendable {
  /// The body of a transaction, which calls `hold` in the middle of its work.
  typealias Body = @Sendable (_ hold: @Sendable () throws -> Void) async throws -> Void

  /// An error: nobody ended the transaction in time, so something waited for it that must not.
  struct HeldTooLong: Error {}

  /// An error: the transaction ended without a call of `hold`.
  struct NeverHeld: Error {}

  private static let secondsAtMost = 20

  private let gate: DispatchSemaphore
  private let task: Task<Void, any Error>

  /// Begins a transaction, and returns as soon as it is held.
  init(_ body: @escaping Body) async throws {
    let (steps, step) = AsyncStream<Bool>.makeStream()
    let gate = DispatchSemaphore(value: 0)
    let hold: @Sendable () throws -> Void = {
      step.yield(true)
      guard gate.wait(timeout: .now() + .seconds(HeldTransaction.secondsAtMost)) == .success else {
        throw HeldTooLong()
      }
    }
    // Not a detached task: expectations in the transaction belong to the test that began it.
    let task = Task {
      defer { step.finish() }
      try await body(hold)
    }
    self.gate = gate
    self.task = task
    var held = steps.makeAsyncIterator()
    guard await held.next() == true else {
      try await task.value
      throw NeverHeld()
    }
  }

  /// Cancels the task in which the transaction runs; the transaction is still held.
  func cancel() { task.cancel() }

  /// Lets the transaction go on, and waits for its end.
  func end() async -> Result<Void, any Error> {
    gate.signal()
    return await task.result
  }
}

/// Runs `body` while a transaction has begun and does not end.
/// - Throws: `HeldTransaction.HeldTooLong` if `body` waited for the transaction.
func whileHeld(
  _ transaction: @escaping HeldTransaction.Body, body: () async throws -> Void
) async throws {
  let held = try await HeldTransaction(transaction)
  do {
    try await body()
  } catch {
    _ = await held.end()
    throw error
  }
  try await held.end().get()
}
