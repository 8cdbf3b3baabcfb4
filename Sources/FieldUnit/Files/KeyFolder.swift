import Evidence
import Foundation
import Positioning
import Store

/// The device's keys as files, readable by their owner only. Secure hardware takes this one's place.
struct KeyFolder {
  let path: String

  /// The key with a thumbprint.
  func key(_ thumbprint: String) throws -> any DeviceKey {
    let file = self.file(thumbprint)
    guard let pem = try? String(contentsOfFile: file, encoding: .utf8) else {
      throw FieldUnitError.unreadable(
        path: file, reason: "the key of this field unit is not there; restore it from a backup")
    }
    return try SoftwareDeviceKey(pem: pem)
  }

  /// A new key, durable before anything is sealed with it.
  func makeKey() throws -> any DeviceKey {
    let key = SoftwareDeviceKey()
    let file = self.file(key.publicKey.thumbprint)
    try DurableFile.write(Array(key.pem.utf8), to: file + ".new")
    try DurableFile.rename(file + ".new", to: file)
    try DurableFile.syncFolder(path)
    return key
  }

  /// Where a key lies.
  func file(_ thumbprint: String) -> String { "\(path)/\(thumbprint).pem" }
}
