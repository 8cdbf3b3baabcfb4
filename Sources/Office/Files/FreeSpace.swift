import Foundation

/// Tells how much of a disk is free. The machine implements it, and so does a test that needs a
/// full disk.
public protocol FreeSpace: Sendable {
  /// The bytes that this program may still write; nil if they are unknown.
  var freeBytes: Int? { get }
}

/// The free space of the disk that holds a folder.
public struct FolderFreeSpace: FreeSpace {
  private let path: String

  /// Creates the free space of a folder's disk.
  public init(path: String) { self.path = path }

  /// The bytes that are free for users other than root; nil if the system does not tell.
  public var freeBytes: Int? {
    var status = statvfs()
    guard statvfs(path, &status) == 0 else { return nil }
    let (bytes, isOver) = Int(clamping: status.f_bavail).multipliedReportingOverflow(
      by: Int(clamping: status.f_frsize))
    return isOver ? .max : bytes
  }
}
