import Foundation

/// What the system says of a file.
///
/// Here and nowhere else above: which module the members of `stat` belong to depends on which of Glibc
/// and Dispatch the compiler meets first in a module.
public struct FileStatus: Hashable, Sendable {
  /// How many bytes it has.
  public let bytes: Int
  /// Whether it is a file, and no folder, pipe or device.
  public let isFile: Bool
  /// When it was written last, whole seconds since 1970.
  public let writtenSecondsSince1970: Int
  /// Which file it is, whatever its name.
  public let identity: [UInt64]

  /// Of an open file; nil where the system has no answer.
  public init?(ofDescriptor descriptor: Int32) {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return nil }
    self.init(status)
  }

  /// Of what a path leads to; nil where there is nothing.
  public init?(ofPath path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    self.init(status)
  }

  /// Whether a name in an open folder is a symbolic link, wherever that leads.
  public static func isLink(_ name: String, in folder: Int32) -> Bool {
    var status = stat()
    return fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) == 0
      && status.st_mode & S_IFMT == S_IFLNK
  }

  private init(_ status: stat) {
    bytes = Int(status.st_size)
    isFile = status.st_mode & S_IFMT == S_IFREG
    writtenSecondsSince1970 = status.st_mtim.tv_sec
    identity = [UInt64(status.st_dev), UInt64(status.st_ino)]
  }
}
