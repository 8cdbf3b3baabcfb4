import CFaultyDisk
import Foundation
import Store

/// The disk of one side, which stops in the midst of a write or fills up when the simulation says
/// so. SQLite's files and all others share one count of writes. The functions of the C library ask
/// this disk, so that the code under test does not know it.
final class SimulatedDisk: @unchecked Sendable {
  // The C code behind the pointer locks for itself; the pointer never changes.
  private let disk: OpaquePointer

  init(folder: URL) throws {
    _ = Self.installed
    guard let disk = faulty_disk_mount(folder.path) else {
      throw Violation("there is no memory for a disk")
    }
    self.disk = disk
  }

  private static let installed: Void = {
    precondition(faulty_disk_install() == 0, "SQLite takes no other VFS")
  }()

  func unmount() { faulty_disk_unmount(disk) }
  func stop(afterWrites count: Int, seed: UInt64) {
    faulty_disk_stop_after(disk, UInt64(count), seed)
  }
  func fill(afterWrites count: Int, forWrites length: Int) {
    faulty_disk_fill_after(disk, UInt64(count), UInt64(length))
  }
  /// Lets one modification fail, by its number; all others succeed.
  func failWrite(_ number: Int) { faulty_disk_break_at(disk, UInt64(number)) }
  var hasStopped: Bool { faulty_disk_has_stopped(disk) != 0 }
  var writes: Int { Int(faulty_disk_writes(disk)) }

  /// Starts the machine again. No file may be open.
  func revive(powerWasLost: Bool, seed: UInt64) throws {
    guard faulty_disk_open_files(disk) == 0 else {
      throw Violation("a database is still open after its program has died")
    }
    faulty_disk_revive(disk, powerWasLost ? 1 : 0, seed)
  }
}

/// A state that must never occur.
public struct Violation: Error, CustomStringConvertible {
  /// The words that say which state it is.
  public let description: String

  init(_ description: String) { self.description = description }
}
