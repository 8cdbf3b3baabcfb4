import Synchronization
import TimeAndText

/// Tells if the disk has enough room left for the files that are here already and still grow: the
/// database, its log, receipts. It asks the system once a second at most.
package final class DiskRoom: Sendable {
  private struct Look {
    var time: ElapsedTime
    var freeBytes: Int?
    var isLow: Bool
  }

  private let space: any FreeSpace
  /// The bytes that must stay free: below this, nothing new is taken. 0 takes everything.
  package let reserveBytes: Int
  private let last = Mutex<Look?>(nil)
  private let log: @Sendable (String) -> Void

  init(space: any FreeSpace, reserveBytes: Int, log: @escaping @Sendable (String) -> Void) {
    self.space = space
    self.reserveBytes = max(0, reserveBytes)
    self.log = log
  }

  /// Returns the number of free bytes; nil if it is unknown.
  func freeBytes(at time: ElapsedTime) -> Int? { look(at: time).freeBytes }

  /// Returns true if less than the reserve is free. A disk that cannot be asked does not count as
  /// full: writing to it will fail by itself.
  func isLow(at time: ElapsedTime) -> Bool { look(at: time).isLow }

  private func look(at time: ElapsedTime) -> Look {
    // A second is short enough: with a reserve of a gigabyte, the disk cannot fill up in it.
    if let known = last.withLock({ $0 }), abs(time.seconds(since: known.time)) < 1 { return known }
    let free = space.freeBytes
    let look = Look(time: time, freeBytes: free, isLow: free.map { $0 < reserveBytes } ?? false)
    let before = last.withLock { last in
      defer { last = look }
      return last?.isLow ?? false
    }
    // Logged when the shortage begins and ends, and not for each refused request.
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
