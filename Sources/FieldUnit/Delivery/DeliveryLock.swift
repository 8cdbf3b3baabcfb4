import Foundation
import Store

/// One delivery at a time from a device, of whichever program. It ends with the process, however that
/// ends.
struct DeliveryLock {
  private let descriptor: Int32

  /// - Throws: `DeliveryError.underWay` while another program delivers.
  init(path: String) throws {
    descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      throw StoreError.unwritable(path: path, reason: String(cString: strerror(errno)))
    }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      close(descriptor)
      throw DeliveryError.underWay
    }
  }

  func release() {
    // Said aloud: a child that was forked just now still holds the descriptor until it is itself.
    flock(descriptor, LOCK_UN)
    close(descriptor)
  }
}
