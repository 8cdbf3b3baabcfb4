import Foundation
import ObjectStorage
import Office
import Store
import TimeAndText

/// The object store that an administrator names, with the key that this machine keeps for it.
package enum CopyAddress {
  /// The most bytes of a file with keys.
  private static let fileBytesAtMost = 1 << 20

  /// Returns the store at an address.
  /// - Parameter now: returns this machine's time.
  /// - Throws: `OfficeRefusal` (inputInvalid) for an address or a key that cannot be used.
  package static func store(
    _ text: String, environment: [String: String], now: @escaping @Sendable () -> DeviceTime
  ) throws -> ObjectStore {
    do {
      let address = try ObjectAddress(text)
      let credentials = try ObjectCredentials.found(environment: environment, read: file)
      return ObjectStore(address, credentials: credentials, now: now)
    } catch let failure as ObjectFailure {
      throw failure.refusal
    }
  }

  private static func file(_ path: String) throws -> ObjectCredentials.File? {
    guard let status = FileStatus(ofPath: path) else { return nil }
    guard status.isFile, status.bytes <= fileBytesAtMost else {
      throw OfficeRefusal(.inputInvalid, "\(path) is no file of keys")
    }
    // The file that a link leads to.
    let attributes = try FileManager.default.attributesOfItem(
      atPath: URL(fileURLWithPath: path).resolvingSymlinksInPath().path)
    let mode = (attributes[.posixPermissions] as? NSNumber)?.intValue ?? 0o777
    return .init(bytes: try DurableFile.read(path), isPrivate: mode & 0o077 == 0)
  }
}
