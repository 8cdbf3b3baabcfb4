import Foundation
import Synchronization

/// Hashes and checks passwords, at most two at a time.
///
/// Each hash takes 16 MiB and a third of a second of a whole processor. Without a bound, a few
/// dozen sign-ins at once would take the machine from all other requests; on the few threads of
/// Swift's own pool, two hashes would stop every other request. So each hash runs on a thread of
/// its own, and the rest waits.
public final class PasswordHasher: Sendable {
  typealias Derivation = @Sendable ([UInt8], [UInt8], PasswordHash.Cost) throws -> [UInt8]

  private struct Queue: Sendable {
    var free: Int
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

  /// The most bytes of a password: longer than any that a person remembers, and short enough to
  /// hash at once.
  static let bytesAtMost = 1024

  private let queue: Mutex<Queue>
  private let derive: Derivation

  /// Creates a hasher. A program needs exactly one, since the bound applies to each hasher.
  public convenience init() {
    self.init(atATime: 2) { try PasswordHash.derive($0, salt: $1, cost: $2) }
  }

  init(atATime: Int, derive: @escaping Derivation) {
    queue = Mutex(Queue(free: atATime))
    self.derive = derive
  }

  /// Returns the text to store for a new password.
  /// - Throws: `WebProblem.malformedRequest` for an empty password or one of more than 1024 bytes.
  public func hash(_ password: String) async throws -> String {
    let bytes = PasswordHash.bytes(of: password)
    guard (1...Self.bytesAtMost).contains(bytes.count) else { throw WebProblem.malformedRequest }
    let salt = PasswordHash.randomSalt()
    let key = try await inTurn { [derive] in try derive(bytes, salt, .standard) }
    return PasswordHash(cost: .standard, salt: salt, key: key).text
  }

  /// Returns the text to store for a password whose SHA-1 alone is known, in 40 hexadecimal digits.
  /// - Parameter cost: the work that a guess takes.
  /// - Returns: nil if the text is no SHA-1.
  public func hash(sha1 digits: String, cost: PasswordHash.Cost = .standard) async throws -> String?
  {
    let bytes = Array(digits.lowercased().utf8)
    guard bytes.count == 40,
      bytes.allSatisfy({ (0x30...0x39).contains($0) || (0x61...0x66).contains($0) })
    else { return nil }
    let salt = PasswordHash.randomSalt()
    let key = try await inTurn { [derive] in try derive(bytes, salt, cost) }
    return PasswordHash(cost: cost, salt: salt, key: key, isOverSHA1: true).text
  }

  /// Returns true if `password` is the one that `stored` was made from. Without a stored text, or
  /// with one that is refused, the same work is done and the answer is false: the time does not
  /// tell whether an account exists.
  public func verify(_ password: String, against stored: String?) async -> Bool {
    let bytes = PasswordHash.bytes(of: password)
    let isUsable = (1...Self.bytesAtMost).contains(bytes.count)
    let expected = isUsable ? stored.flatMap(PasswordHash.init) : nil
    let hashed = expected?.isOverSHA1 == true ? PasswordHash.bytes(ofSHA1Of: password) : bytes
    let key = try? await inTurn { [derive] in
      // The library cannot take an empty password; a password that is too long is not worth its time.
      try derive(
        isUsable ? hashed : [0], expected?.salt ?? Array(repeating: 0, count: 16),
        expected?.cost ?? .standard)
    }
    guard let expected, let key else { return false }
    return PasswordHash.areEqual(key, expected.key)
  }

  private func inTurn<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws
    -> Value
  {
    await enter()
    defer { leave() }
    return try await withCheckedThrowingContinuation { waiter in
      Thread { waiter.resume(with: Result(catching: work)) }.start()
    }
  }

  private func enter() async {
    await withCheckedContinuation { waiter in
      let mayGo = queue.withLock { queue in
        if queue.free > 0 {
          queue.free -= 1
          return true
        }
        queue.waiting.append(waiter)
        return false
      }
      if mayGo { waiter.resume() }
    }
  }

  private func leave() {
    let next = queue.withLock { queue -> CheckedContinuation<Void, Never>? in
      if queue.waiting.isEmpty {
        queue.free += 1
        return nil
      }
      return queue.waiting.removeFirst()
    }
    next?.resume()
  }
}
