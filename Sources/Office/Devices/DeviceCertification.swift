import Evidence
import KeyTokens
import OfficeKeyring
import Sync
import TimeAndText
import Web

/// Certifies devices' keys by the office's authority, and again when another authority has followed it.
struct DeviceCertification: OfficeService {
  /// The core of the office.
  let core: OfficeCore

  /// A device's certificate, the authority that issued it, and the office's keys at that moment.
  struct Certified: Sendable {
    var certificate: EvidenceCertificate
    var authority: EvidenceCertificate
    var ring: KeyRing
  }

  private static let newAuthority = OfficeRefusal(
    .signInNeeded,
    "the office has a new certification authority, because the earlier one counts no more: ask the office for its fingerprint, and sign in with the password; everything stays queued"
  )

  /// Requires that the authority of a device's certificate was not revoked.
  /// - Throws: `OfficeRefusal` (sign-in-needed).
  func requireIssuer(of device: EnrolledDevice) throws {
    let ring = core.keys.ring
    guard !ring.revocations.isEmpty else { return }
    guard let newest = try EvidenceCertificate.all(pem: device.certificate).first,
      ring.issuer(of: newest) != nil
    else { throw Self.newAuthority }
  }

  /// Requires that the authority that a device knows is one of this office, and was not revoked.
  /// - Throws: `OfficeRefusal`: sign-in-needed, challenge-stale.
  func requireAuthority(_ fingerprint: String) throws {
    let ring = core.keys.ring
    if ring.valid.contains(where: { $0.fingerprint == fingerprint }) { return }
    if ring.entries.contains(where: { $0.certificate.fingerprint == fingerprint }) {
      throw Self.newAuthority
    }
    throw OfficeRefusal(.challengeStale, "ask for a new challenge and sign it")
  }

  /// Returns the certificate of a key by the authority of today, and makes it if there is none.
  /// - Parameter known: the device as the office knows it; nil if it does not.
  /// - Throws: `OfficeRefusal` (store-unavailable) if the authority does not sign now.
  func certified(
    _ key: DevicePublicKey, _ subject: DeviceSubject, _ known: EnrolledDevice?
  ) async throws -> Certified {
    let ring = core.keys.ring
    if let newest = try known.flatMap({ try EvidenceCertificate.all(pem: $0.certificate).first }),
      newest.isIssued(by: ring.authority.certificate)
    {
      return Certified(
        certificate: newest, authority: ring.authority.certificate, ring: ring)
    }
    let now = clock.deviceTime
    do {
      // A token takes its time, and must not hold up others.
      let certificate = try await core.certifying.run {
        try ring.authority.certify(key, subject: subject, at: now)
      }
      return Certified(
        certificate: certificate, authority: ring.authority.certificate, ring: ring)
    } catch let error as TokenError {
      configuration.log("keys: the office's authority does not sign: \(error.wording)")
      throw OfficeRefusal(
        .storeUnavailable,
        "the office's authority cannot certify this device now: tell the office; everything stays queued"
      )
    }
  }

  /// Keeps a certificate, if it is a new one.
  func keep(
    _ certified: Certified, of device: EnrolledDevice, in session: any AgencyTransaction
  ) throws {
    let pem = certified.certificate.pem
    guard !device.certificate.hasPrefix(pem) else { return }
    try session.devices.setCertificate(pem + device.certificate, deviceWithKey: device.key)
    try session.log.add(
      log(
        "device-certified", on: device.key, by: device.inspector, agency: session.agency,
        detail: "by authority \(certified.authority.fingerprint)"))
  }

  /// Returns the certificate of a device by the authority of today, which needs no password. While that authority does
  /// not sign, the certificate by the earlier one still counts.
  func renewed(_ device: EnrolledDevice, in agency: String) async throws -> Certified {
    guard let newest = try EvidenceCertificate.all(pem: device.certificate).first,
      let subject = newest.subject
    else { throw Devices.signInNeeded }
    let certified: Certified
    do {
      certified = try await self.certified(newest.publicKey, subject, device)
    } catch let refusal as OfficeRefusal where refusal.kind == .storeUnavailable {
      let ring = core.keys.ring
      guard let issuer = ring.issuer(of: newest) else { throw Self.newAuthority }
      return Certified(certificate: newest, authority: issuer, ring: ring)
    }
    try await database.write(in: agency) { session in
      guard let now = try session.devices.device(withKey: device.key) else { return }
      try keep(certified, of: now, in: session)
    }
    return certified
  }
}
