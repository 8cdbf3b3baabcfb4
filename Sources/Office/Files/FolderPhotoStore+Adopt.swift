import Foundation
import Store

extension FolderPhotoStore {
  /// Gives a file of this machine a name in the store, durably. The name is a second one for the
  /// same bytes, so that a picture of some MB is written only once; both must be on one disk.
  /// - Throws: `StoreError` if there is a file of this name already, or the file is on another
  ///   disk.
  public func adopt(file path: String, as name: String) throws {
    guard let target = self.path(of: name) else {
      throw StoreError.unwritable(path: name, reason: "it is no name of a stored file")
    }
    let folder = (target as NSString).deletingLastPathComponent
    try DurableFile.makeFolder(folder)
    guard Glibc.link(path, target) == 0 else {
      throw StoreError.unwritable(path: target, reason: String(cString: strerror(errno)))
    }
    do {
      try DurableFile.sync(target)
      try DurableFile.syncFolder(folder)
    } catch {
      // The caller learns of no name, so that no other code would ever remove the file.
      unlink(target)
      throw error
    }
  }
}
