import Evidence
import Inspection
import OfficeKeyring
import Store
import Sync

/// The files that follow from the database: links, certificates, revocations and receipts. With
/// them the folder can be checked without the database, and they can be written again at any time.
package struct DerivedFiles: OfficeService {
  /// The core of the office.
  package let core: OfficeCore
}

extension DerivedFiles {
  /// Writes a key's links, certificate, revocation and receipts as files.
  package func write(of key: String, in agency: String) async throws {
    let (links, device, receipts) = try await database.read(in: agency) { session in
      (
        try session.chains.linkTexts(ofKey: key), try session.devices.device(withKey: key),
        try session.deliveries.receipts(ofKey: key)
      )
    }
    try photos.write(LinkList.bytes(links), as: EvidenceName.links(ofKey: key))
    if let device {
      try photos.write(
        Array((device.certificate + core.keys.ring.authoritiesPEM).utf8),
        as: EvidenceName.certificate(ofKey: key))
    }
    if let device, let revocation = try revocation(of: device, in: agency) {
      try photos.write(Array(revocation.jws.utf8), as: EvidenceName.revocation(ofKey: key))
    }
    for receipt in receipts where try !photos.holds(EvidenceName.receipt(receipt.id)) {
      try photos.write(Array(receipt.jws.utf8), as: EvidenceName.receipt(receipt.id))
    }
  }

  /// Writes the files that a crash between a commit and its files has left out.
  func restore() async throws {
    for agency in try await database.readRegistry({ try $0.agencies() }) {
      let devices = try await database.read(in: agency.name) { try $0.devices.devices(of: nil) }
      for device in devices {
        // Checked by their names alone: a starting office must not read the receipts of years.
        var lacksReceipt = false
        try await database.read(in: agency.name) { session in
          try session.deliveries.forEachReceipt(ofKey: device.key) { batch, _ in
            if try !lacksReceipt && !photos.holds(EvidenceName.receipt(batch)) {
              lacksReceipt = true
            }
          }
        }
        let lacksRevocation =
          try device.revoked != nil && !photos.holds(EvidenceName.revocation(ofKey: device.key))
        guard lacksRevocation || lacksReceipt else { continue }
        try await write(of: device.key, in: agency.name)
      }
    }
  }

  /// Returns the office's signed revocation of a device; nil if the device was not revoked.
  package func revocation(of device: EnrolledDevice, in agency: String) throws -> Revocation? {
    guard let time = device.revoked, let reason = device.revokedReason else { return nil }
    let ring = core.keys.ring
    // A revocation is signed only once: another signature would look like a second revocation. Only one by a key
    // of the office that counts no more is signed again.
    if let bytes = try photos.bytes(of: EvidenceName.revocation(ofKey: device.key)),
      let known = try? Revocation(jws: String(decoding: bytes, as: UTF8.self)),
      known.key == device.key, known.time == time, known.reason == reason,
      ring.counts(known.certificate)
    {
      return known
    }
    return try Revocation(
      agency: agency, key: device.key, time: time, reason: reason, signedWith: ring.receiptKey,
      certificate: ring.receiptCertificate)
  }
}
