import FieldUnit
import Foundation
import Inspection
import Store
import TimeAndText

/// The name and the password of this device's hotspot, in a file of its own that nobody else may read.
package struct HotspotBook: Sendable {
  private let path: String

  /// Creates the book of a data directory.
  package init(dataDirectory: URL) {
    self.init(keys: DataFolder(dataDirectory: dataDirectory).keys)
  }

  init(keys: String) { path = keys + "/hotspot.json" }

  /// Returns the name and the password; nil if this device never had a hotspot.
  /// - Throws: `FieldUnitError.unreadable`.
  package func known() throws -> HotspotAccess? {
    guard FileStatus(ofPath: path) != nil else { return nil }
    let unreadable = FieldUnitError.unreadable(
      path: path,
      reason:
        "it does not hold the name and password of a hotspot: remove it, and make the hotspot again"
    )
    let bytes = try DurableFile.read(path)
    do {
      let access = try JSONDecoder().decode(HotspotAccess.self, from: Data(bytes))
      guard access.isUsable else { throw unreadable }
      return access
    } catch {
      throw unreadable
    }
  }

  /// Returns the name and the password, and makes them the first time.
  /// - Throws: `FieldUnitError` and `StoreError`.
  package func access(at now: DeviceTime) throws -> HotspotAccess {
    try DurableFile.makeFolder((path as NSString).deletingLastPathComponent)
    // A command and the running program may both be the first.
    return try DurableFile.withLock(path + ".lock") {
      if let known = try known() { return known }
      var random = SystemRandomNumberGenerator()
      let access = HotspotAccess(at: now, using: &random)
      try DurableFile.replace(path, with: Array(try JSONEncoder().encode(access)))
      return access
    }
  }
}
