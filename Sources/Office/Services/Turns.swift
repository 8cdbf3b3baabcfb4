/// Lets one at a time do something for a key, in the order in which they came, and keeps no thread while
/// they wait.
package actor Turns {
  private var held: Set<String> = []
  private var waiting: [String: [CheckedContinuation<Void, Never>]] = [:]

  package init() {}

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

  /// Whoever waits longest has its turn now; nobody comes between.
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
