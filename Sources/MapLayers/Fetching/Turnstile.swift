/// Lets a few callers work at once, in the order of arrival, and refuses callers when too many wait.
package actor Turnstile {
  private var free: Int
  private let waitingAtMost: Int
  private var waiting: [CheckedContinuation<Void, Never>] = []

  /// - Parameters:
  ///   - width: the number of callers that work at once.
  ///   - waitingAtMost: the number of callers that may wait.
  package init(width: Int, waitingAtMost: Int) {
    (free, self.waitingAtMost) = (width, waitingAtMost)
  }

  /// Waits for a turn, and runs `body` in it.
  /// - Returns: the value; nil if too many are waiting.
  package nonisolated func passing<Value: Sendable, Failure: Error>(
    _ body: @Sendable () async throws(Failure) -> Value
  ) async throws(Failure) -> Value? {
    guard await enter() else { return nil }
    let result: Result<Value, Failure>
    do {
      result = .success(try await body())
    } catch {
      result = .failure(error)
    }
    await leave()
    return try result.get()
  }

  private func enter() async -> Bool {
    if free > 0 {
      free -= 1
      return true
    }
    guard waiting.count < waitingAtMost else { return false }
    await withCheckedContinuation { waiting.append($0) }
    return true
  }

  /// Gives the turn directly to the caller that has waited longest.
  private func leave() {
    if waiting.isEmpty { free += 1 } else { waiting.removeFirst().resume() }
  }
}
