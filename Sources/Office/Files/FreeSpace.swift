import Foundation

/// Tells how much of a disk is free. The machine does, and a test that wants a full one does, too.
public protocol FreeSpace: Sendable {
  /// Bytes that this program may still write; nil where nobody can tell.
  var freeBytes: Int? { get }
}

/// What is free on the disk that a folder lies on.
public struct FolderFreeSpace: FreeSpace {
  private let path: String

  /// The disk of a folder.
  public init(path: String) { self.path = path }

  /// Bytes that are free for others than root.
  public var freeBytes: Int? {
    var status = statvfs()
    guard statvfs(path, &status) == 0 else { return nil }
    let (bytes, isOver) = Int(clamping: status.f_bavail).multipliedReportingOverflow(
      by: Int(clamping: status.f_frsize))
    return isOver ? .max : bytes
  }
}
