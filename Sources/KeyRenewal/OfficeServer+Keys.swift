import Evidence
import Inspection
import KeyTokens
import Office
import OfficeKeyring
import Store
import Sync
import TimeAndText
import Web

extension OfficeServer {
  /// Makes the key that follows the present one of its kind; see `KeyRingFolder.renew`.
  public func renewKey(
    _ kind: KeyRing.Kind, in token: TokenURI? = nil, by login: String
  ) async throws -> KeyRing.Entry {
    let now = clock.deviceTime
    let entry = try await core.certifying.run { [core] in
      try core.keys.renew(kind, in: token, at: now)
    }
    try await note(
      "office-key-renewed", on: entry.name, by: login,
      "SHA-256 \(entry.certificate.fingerprint)")
    try await spread(by: login)
    return entry
  }

  /// Logs an act for each agency: the people of each see on their page what became of the office's keys.
  private func note(
    _ action: String, on name: String, by login: String, _ detail: String
  ) async throws {
    try await database.writeRegistry { registry in
      let agencies: [String?] = try registry.agencies().map(\.name)
      for agency in agencies.isEmpty ? [nil] : agencies {
        try registry.log(log(action, on: name, by: login, agency: agency, detail: detail))
      }
    }
  }

  /// Finishes a renewal that was cut off behind the new key: a starting office does so.
  public func settleKeys() async throws {
    guard core.keys.ring.entries.count > KeyRing.Kind.allCases.count else { return }
    try core.keys.removeEarlierHalves()
    try await spread(by: "office")
  }

  /// Writes again what the office's keys have signed and devices or strangers use further on.
  private func spread(by login: String) async throws {
    let ring = core.keys.ring
    for agency in try await database.readRegistry({ try $0.agencies() }) {
      for device in try await database.read(in: agency.name, { try $0.devices.devices(of: nil) }) {
        let name = EvidenceName.certificate(ofKey: device.key)
        let bytes = Array((device.certificate + ring.authoritiesPEM).utf8)
        if try photos.bytes(of: name) != bytes { try photos.write(bytes, as: name) }
        if let revocation = try derived.revocation(of: device, in: agency.name) {
          let name = EvidenceName.revocation(ofKey: device.key)
          let bytes = Array(revocation.jws.utf8)
          if try photos.bytes(of: name) != bytes { try photos.write(bytes, as: name) }
        }
      }
      // A device believes a policy only by a key that it is led to from the authority that it knows.
      guard let policy = try await policies.policy(of: agency.name),
        ring.receiptCertificate.publicKey != policy.certificate.publicKey
          || !policy.certificate.isIssued(by: ring.authority.certificate)
      else { continue }
      try await policies.setPolicy(of: agency.name, by: login, isAnew: true) { _ in }
    }
  }

  /// Says that an earlier key of the office counts no more; see `KeyRingFolder.revoke`.
  /// - Parameter entries: the number of the log's entries for which it still counts.
  public func revokeKey(
    _ name: String, reason: String, entries: Int, by login: String
  ) async throws -> OfficeKeyRevocation {
    let revocation: OfficeKeyRevocation
    do {
      revocation = try core.keys.revoke(
        name, reason: reason, entries: entries, at: clock.deviceTime)
    } catch let refusal as KeyRingFolder.Refusal {
      throw OfficeRefusal(.inputInvalid, refusal.wording)
    }
    try await note(
      "office-key-revoked", on: name, by: login,
      "for all but the first \(entries) entries: \(reason)")
    try await spread(by: login)
    return revocation
  }

  /// The number of devices in use whose certificates are all by earlier authorities.
  public func devicesOfEarlierAuthorities() async throws -> Int {
    let present = core.authority.certificate
    var count = 0
    for agency in try await database.readRegistry({ try $0.agencies() }) {
      for device in try await database.read(in: agency.name, { try $0.devices.devices(of: nil) })
      where device.revoked == nil && device.signedOut == nil {
        let all = try EvidenceCertificate.all(pem: device.certificate)
        if !all.contains(where: { $0.isIssued(by: present) }) { count += 1 }
      }
    }
    return count
  }
}
