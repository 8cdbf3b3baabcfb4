import Foundation

/// The system's facts about a file.
///
/// `stat` is used here and in no module above: the module that its members belong to depends on
/// which of Glibc and Dispatch the compiler meets first in a module.
public struct FileStatus: Hashable, Sendable {
  /// The size of the file, bytes.
  public let bytes: Int
  /// True for a regular file; false for a folder, a pipe or a device.
  public let isFile: Bool
  /// The time of the last writing, whole seconds since 1970.
  public let writtenSecondsSince1970: Int
  /// The file's identity, whatever its name: the numbers of its device and its inode.
  public let identity: [UInt64]

  /// Reads the status of an open file; nil if the system has no answer.
  public init?(ofDescriptor descriptor: Int32) {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return nil }
    self.init(status)
  }

  /// Reads the status of the file that a path leads to, through links; nil if there is none.
  public init?(ofPath path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    self.init(status)
  }

  /// Returns true if a name in an open folder is a symbolic link, wherever the link leads.
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
