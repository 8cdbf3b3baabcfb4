import Evidence
import Inspection
import Positioning
import Sync

extension OfficeServer {
  /// - Throws: `OfficeRefusal` (key-revoked) with the reason.
  func requireValid(_ device: EnrolledDevice) throws(OfficeRefusal) {
    guard let reason = device.revokedReason else { return }
    throw OfficeRefusal(.keyRevoked, "this device was revoked: \(reason)")
  }

  /// From now on a device may not deliver.
  func revokeDevice(
    withKey key: String, in agency: String, reason: String, by login: String
  ) throws {
    try database.write(in: agency) { session in
      guard try session.device(withKey: key) != nil else {
        throw OfficeRefusal(.unknown, "there is no such device")
      }
      try session.revokeDevice(withKey: key, at: clock.deviceTime, reason: reason)
      try session.log(
        log("device-revoked", on: key, by: login, agency: agency, detail: reason))
    }
    try writeDerivedFiles(of: key, in: agency)
  }

  /// The office's word that a device was revoked; nil while it was not.
  func revocation(of device: EnrolledDevice, in agency: String) throws -> Revocation? {
    guard let time = device.revoked, let reason = device.revokedReason else { return nil }
    // What was signed once stays: a signature made anew would look like a second revocation.
    if let bytes = try photos.bytes(of: EvidenceName.revocation(ofKey: device.key)),
      let known = try? Revocation(jws: String(decoding: bytes, as: UTF8.self)),
      known.key == device.key, known.time == time, known.reason == reason
    {
      return known
    }
    return try Revocation(
      agency: agency, key: device.key, time: time, reason: reason, signedWith: receiptKey,
      certificate: receiptCertificate)
  }
}
