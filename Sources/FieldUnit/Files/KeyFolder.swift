import Evidence
import Foundation
import Store
import TimeAndText

/// The device's keys as files that only their owner can read. Secure hardware could take the
/// folder's place.
package struct KeyFolder {
  let path: String

  package init(path: String) { self.path = path }

  /// Returns the key with a thumbprint.
  /// - Throws: `FieldUnitError.unreadable` if its file is not there.
  package func key(_ thumbprint: String) throws -> any DeviceKey {
    let file = self.file(thumbprint)
    guard let pem = try? String(contentsOfFile: file, encoding: .utf8) else {
      throw FieldUnitError.unreadable(
        path: file, reason: "the key of this field unit is not there; restore it from a backup")
    }
    return try SoftwareDeviceKey(pem: pem)
  }

  /// Makes a new key, and stores it durably before anything is sealed with it.
  package func makeKey() throws -> any DeviceKey {
    let key = SoftwareDeviceKey()
    let file = self.file(key.publicKey.thumbprint)
    try DurableFile.write(Array(key.pem.utf8), to: file + ".new")
    try DurableFile.rename(file + ".new", to: file)
    try DurableFile.syncFolder(path)
    return key
  }

  /// Returns the path of a key's file.
  package func file(_ thumbprint: String) -> String { "\(path)/\(thumbprint).pem" }
}
