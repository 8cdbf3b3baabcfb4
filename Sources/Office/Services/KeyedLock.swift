import Foundation

/// Lets one at a time do something for a key, and the others wait on their threads.
package final class KeyedLock: @unchecked Sendable {
  // Guarded by the condition.
  private var held: Set<String> = []
  private let condition = NSCondition()

  package func holding<Value>(_ key: String, _ body: () throws -> Value) rethrows -> Value {
    condition.lock()
    while held.contains(key) { condition.wait() }
    held.insert(key)
    condition.unlock()
    defer {
      condition.lock()
      held.remove(key)
      condition.broadcast()
      condition.unlock()
    }
    return try body()
  }
}
