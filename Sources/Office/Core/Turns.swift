/// Lets one caller at a time work for a key, in the order of arrival, without blocking threads.
package actor Turns {
  private var held: Set<String> = []
  private var waiting: [String: [CheckedContinuation<Void, Never>]] = [:]

  /// Creates turns of which none is taken.
  package init() {}

  /// Waits for the turn of a key, and runs `body` in it.
  package nonisolated func holding<Value>(
    _ key: String, _ body: () async throws -> Value
  ) async rethrows -> Value {
    await begin(key)
    do {
      let value = try await body()
      await end(key)
      return value
    } catch {
      await end(key)
      throw error
    }
  }

  private func begin(_ key: String) async {
    if held.insert(key).inserted { return }
    await withCheckedContinuation { waiting[key, default: []].append($0) }
  }

  /// Gives the turn directly to the caller that has waited longest; no later caller can take it.
  private func end(_ key: String) {
    guard var queue = waiting[key], !queue.isEmpty else {
      held.remove(key)
      return
    }
    let next = queue.removeFirst()
    waiting[key] = queue.isEmpty ? nil : queue
    next.resume()
  }
}
