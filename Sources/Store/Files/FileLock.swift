import Foundation

/// A lock that at most one process holds. The lock ends with the process, however the process ends.
public struct FileLock: Sendable {
  private let descriptor: Int32

  /// Takes the lock at once; nil while another holds it. `DurableFile.withLock` waits for a lock instead.
  /// - Throws: `StoreError.unwritable`.
  public init?(_ path: String) throws(StoreError) {
    let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      throw .unwritable(path: path, reason: String(cString: strerror(errno)))
    }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      close(descriptor)
      return nil
    }
    self.descriptor = descriptor
  }

  /// Releases the lock. Call it once.
  public func release() {
    // Unlocked explicitly: a child just forked still holds the descriptor until it runs its own program.
    flock(descriptor, LOCK_UN)
    close(descriptor)
  }
}
