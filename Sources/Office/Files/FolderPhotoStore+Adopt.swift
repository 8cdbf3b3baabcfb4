import Foundation
import Store

extension FolderPhotoStore {
  /// Gives a file of this machine a name, durably: a second name for the same bytes where both are on one
  /// disk, so that a picture of some MB is written once.
  public func adopt(file path: String, as name: String) throws {
    guard let target = self.path(of: name) else {
      throw StoreError.unwritable(path: name, reason: "it is no name of a stored file")
    }
    let folder = (target as NSString).deletingLastPathComponent
    try DurableFile.makeFolder(folder)
    _ = try DiskFaults.ask(target)
    guard Glibc.link(path, target) == 0 else {
      throw StoreError.unwritable(path: target, reason: String(cString: strerror(errno)))
    }
    do {
      _ = try DiskFaults.ask(target)
      try DurableFile.sync(target)
      try DurableFile.syncFolder(folder)
    } catch {
      // Nobody has been told of it, and nobody would look for it.
      unlink(target)
      throw error
    }
  }
}
