import Evidence
import KeyTokens
import OfficeKeyring
import Sync
import Synchronization
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

  /// The time for which an authority that did not sign is not asked again, seconds.
  private static let pauseSeconds = 30.0

  private static let newAuthority = OfficeRefusal(
    .signInNeeded,
    "the office has a new certification authority, because the earlier one counts no more: ask the office for its fingerprint, and sign in with the password; everything stays queued"
  )

  /// Requires that the authority of a device's certificate was not revoked.
  /// - Throws: `OfficeRefusal` (sign-in-needed).
  func requireIssuer(of device: EnrolledDevice) throws {
    let ring = core.keys.ring
    guard ring.valid.count < ring.entries.count(where: { $0.kind == .authority }) else { return }
    guard let newest = try EvidenceCertificate.all(pem: device.certificate).first,
      ring.issuer(of: newest) != nil
    else { throw Self.newAuthority }
  }

  /// Requires that the authority that a device knows is one of this office, and was not revoked.
  /// - Throws: `OfficeRefusal` (sign-in-needed).
  func requireAuthority(_ fingerprint: String) throws {
    let ring = core.keys.ring
    // Another one was revoked, a revoked one lies between, or an office that was restored does not know it yet.
    guard let known = ring.valid.first(where: { $0.fingerprint == fingerprint }),
      ring.leads(from: known)
    else { throw Self.newAuthority }
  }

  /// Returns the certificate of a key by the authority of today, and makes it if there is none.
  /// - Parameters:
  ///   - known: the device as the office knows it; nil if it does not.
  ///   - isAsked: true to ask an authority that did not sign a moment ago, because a person waits for it.
  /// - Throws: `OfficeRefusal` (authority-unavailable) if the authority does not sign now.
  func certified(
    _ key: DevicePublicKey, _ subject: DeviceSubject, _ known: EnrolledDevice?,
    isAsked: Bool = true
  ) async throws -> Certified {
    let ring = core.keys.ring
    if let newest = try known.flatMap({ try EvidenceCertificate.all(pem: $0.certificate).first }),
      newest.isIssued(by: ring.authority.certificate)
    {
      return Certified(
        certificate: newest, authority: ring.authority.certificate, ring: ring)
    }
    let now = clock.deviceTime
    let busy = OfficeRefusal(
      .authorityUnavailable,
      "the office's authority cannot certify this device now: tell the office"
    )
    do {
      // A token takes its time, and must not hold up others.
      let certificate = try await core.certifying.run { [core] in
        // A token that is not there is not asked by each of a thousand devices that wait here.
        if !isAsked, let until = core.authorityPause.withLock({ $0 }), core.clock.elapsed < until {
          throw busy
        }
        return try ring.authority.certify(key, subject: subject, at: now)
      }
      return Certified(
        certificate: certificate, authority: ring.authority.certificate, ring: ring)
    } catch let error as TokenError {
      configuration.log("keys: the office's authority does not sign: \(error.wording)")
      core.authorityPause.withLock { $0 = clock.elapsed.advanced(bySeconds: Self.pauseSeconds) }
      throw busy
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
    func earlier() throws -> Certified {
      let ring = core.keys.ring
      guard let issuer = ring.issuer(of: newest) else { throw Self.newAuthority }
      return Certified(certificate: newest, authority: issuer, ring: ring)
    }
    // Only a device whose sign-in this office has seen: whoever stole an earlier authority's key may have made others.
    guard try photos.holds(EvidenceName.enrolment(ofKey: device.key)) else { return try earlier() }
    let certified: Certified
    do {
      certified = try await self.certified(newest.publicKey, subject, device, isAsked: false)
    } catch let refusal as OfficeRefusal where refusal.kind == .authorityUnavailable {
      return try earlier()
    }
    try await database.write(in: agency) { session in
      guard let now = try session.devices.device(withKey: device.key) else { return }
      try keep(certified, of: now, in: session)
    }
    return certified
  }
}
