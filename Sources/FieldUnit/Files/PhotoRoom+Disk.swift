import Foundation
import Inspection

extension PhotoRoom {
  /// Returns true if the disk of a folder has more room than a day of photos needs, or does not say.
  package static func hasRoom(at path: String) -> Bool {
    freeBytes(at: path).map { !PhotoRoom(freeBytes: $0, meanBytesOfPhoto: nil).isLow } ?? true
  }

  /// Returns the free bytes for this program on the disk of a folder; nil if the system does not
  /// say.
  package static func freeBytes(at path: String) -> Int? {
    let attributes = try? FileManager.default.attributesOfFileSystem(forPath: path)
    return (attributes?[.systemFreeSize] as? NSNumber)?.intValue
  }
}
