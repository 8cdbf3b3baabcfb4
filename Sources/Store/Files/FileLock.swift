import Foundation

/// A lock that one process has, or nobody. It ends with the process, however that ends.
public struct FileLock: Sendable {
  private let descriptor: Int32

  /// Takes it at once; nil while somebody else has it. `DurableFile.withLock` waits for one instead.
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

  /// Lets go of it, once.
  public func release() {
    // Said aloud: a child that was forked just now still holds the descriptor until it is itself.
    flock(descriptor, LOCK_UN)
    close(descriptor)
  }
}
