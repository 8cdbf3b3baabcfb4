import Positioning
import Synchronization

/// Knows whether so much of the disk is left that what is here already can go on living on it: the
/// database, its log, receipts. It asks the system once a second at most.
package final class DiskRoom: Sendable {
  private struct Look {
    var time: ElapsedTime
    var freeBytes: Int?
    var isLow: Bool
  }

  private let space: any FreeSpace
  /// Below so many free bytes nothing new is taken; 0 takes everything.
  package let reserveBytes: Int
  private let last = Mutex<Look?>(nil)
  private let log: @Sendable (String) -> Void

  init(space: any FreeSpace, reserveBytes: Int, log: @escaping @Sendable (String) -> Void) {
    self.space = space
    self.reserveBytes = max(0, reserveBytes)
    self.log = log
  }

  /// How many bytes are free; nil where nobody can tell.
  func freeBytes(at time: ElapsedTime) -> Int? { look(at: time).freeBytes }

  /// Whether less than the reserve is free. A disk that cannot be asked is not taken for full: what is
  /// written to it then says so itself.
  func isLow(at time: ElapsedTime) -> Bool { look(at: time).isLow }

  private func look(at time: ElapsedTime) -> Look {
    // A second is short enough: at a gigabyte of reserve nobody fills the disk in it.
    if let known = last.withLock({ $0 }), abs(time.seconds(since: known.time)) < 1 { return known }
    let free = space.freeBytes
    let look = Look(time: time, freeBytes: free, isLow: free.map { $0 < reserveBytes } ?? false)
    let before = last.withLock { last in
      defer { last = look }
      return last?.isLow ?? false
    }
    // Said when it begins and when it ends, not for each who is refused.
    if look.isLow != before {
      log(
        look.isLow
          ? "disk: \((free ?? 0) >> 20) MiB are free, and \(reserveBytes >> 20) MiB are kept back:"
            + " nothing new is taken until there is room"
          : "disk: there is room again")
    }
    return look
  }
}
