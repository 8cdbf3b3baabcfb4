import Evidence
import Inspection
import Positioning
import Sync
import Synchronization
import Web

extension OfficeServer {
  /// - Throws: `OfficeRefusal` (key-revoked) with the reason.
  func requireValid(_ device: EnrolledDevice) throws(OfficeRefusal) {
    if let reason = device.revokedReason { throw Self.keyRevoked(reason) }
  }

  static func keyRevoked(_ reason: String) -> OfficeRefusal {
    OfficeRefusal(.keyRevoked, "this device was revoked: \(reason)")
  }

  // MARK: renewed sessions

  private static let renewal = "session renewal"
  /// So long somebody may take from the challenge to the proof.
  private static let challengeSeconds: Int64 = 300

  /// What a device has to sign to renew its session. The office's clock is in it, so that a device whose
  /// clock is days off is let in, and an old proof is not.
  public func challenge() -> ChallengeMessage {
    ChallengeMessage(
      challenge: SignedMoment(secret: formSecret).make(at: seconds, for: Self.renewal))
  }

  private var seconds: Int64 { clock.deviceTime.millisecondsSince1970 / 1000 }

  /// A device renews its session with its key, without a password, however long it was away.
  /// - Throws: `OfficeRefusal`: challenge-stale, account-disabled, key-revoked, sign-in-needed.
  public func renewSession(_ request: RenewalMessage) async throws -> SignInAnswer {
    guard request.schema == RenewalMessage.schema else {
      throw SyncError.unknownSchema(found: request.schema, expected: RenewalMessage.schema)
    }
    let proof: SessionRenewal
    do {
      proof = try SessionRenewal(jws: request.renewal)
    } catch {
      throw OfficeRefusal(.enrolmentMalformed, "\(error)")
    }
    guard
      proof.authority == fingerprint,
      SignedMoment(secret: formSecret).isValid(
        proof.challenge, at: seconds, lifetimeSeconds: Self.challengeSeconds, for: Self.renewal)
    else { throw OfficeRefusal(.challengeStale, "ask for a new challenge, and sign that") }
    guard let account = try await database.readRegistry({ try $0.account(proof.login) })?.account,
      account.agency == proof.agency, account.role == .inspector
    else { throw Self.signInNeeded }
    guard account.disabled == nil else {
      throw OfficeRefusal(
        .accountDisabled,
        "the login \(account.login) is disabled: ask your office; everything stays queued")
    }
    let device = try await database.write(in: proof.agency) { session in
      if let known = try session.devices.device(withKey: proof.publicKey.thumbprint) {
        return known
      }
      return try enrolAgain(proof, request, session)
    }
    try limit(device.key)
    guard device.inspector == proof.login, device.device == proof.device else {
      throw Self.signInNeeded
    }
    try requireValid(device)
    guard device.signedOut == nil else { throw Self.signInNeeded }
    return await SignInAnswer(
      token: try beginSession(for: account, key: device.key), agency: proof.agency,
      login: account.login, name: account.name, certificate: device.certificate,
      authority: authority.certificate.pem, software: configuration.software)
  }

  static let signInNeeded = OfficeRefusal(
    .signInNeeded,
    "this device is not signed in here any more: sign in with the password; everything stays queued"
  )

  /// An office that was restored from a backup older than a device knows it again by the certificate that
  /// it has once given, unless it has taken it back since.
  private func enrolAgain(
    _ proof: SessionRenewal, _ request: RenewalMessage, _ session: any AgencyTransaction
  ) throws -> EnrolledDevice {
    let subject = DeviceSubject(
      agency: proof.agency, inspector: proof.login, device: proof.device)
    let key = proof.publicKey.thumbprint
    guard let pem = request.certificate, pem.utf8.count < 16_384,
      let certificate = try? EvidenceCertificate(pem: pem),
      certificate.isIssued(by: authority.certificate), certificate.publicKey == proof.publicKey,
      certificate.subject == subject, try !photos.holds(EvidenceName.revocation(ofKey: key))
    else { throw Self.signInNeeded }
    let device = EnrolledDevice(
      key: key, inspector: proof.login, device: proof.device, certificate: certificate.pem,
      software: request.software, enrolled: clock.deviceTime)
    try session.devices.insert(device)
    try session.log.add(
      log(
        "device-enrolled", on: key, by: proof.login, agency: proof.agency,
        detail: "again, by its certificate: it was not known here"))
    return device
  }

  /// A device's inspector has signed out there: its key renews nothing until they sign in again.
  package func signOutDevice(_ visitor: Visitor) async throws {
    guard let key = visitor.key, let agency = visitor.account.agency else { return }
    try await database.write(in: agency) { session in
      try session.devices.setSignedOut(clock.deviceTime, deviceWithKey: key)
      try session.log.add(
        log(
          "signed-out", on: visitor.account.login, by: visitor.account.login, agency: agency,
          detail: key))
    }
  }

  /// - Throws: `OfficeRefusal` (too-many-requests) for a key that asks without a pause.
  package func limit(_ key: String) throws(OfficeRefusal) {
    let now = clock.elapsed.seconds(since: ElapsedTime(milliseconds: 0))
    guard let wait = requests.withLock({ $0.take(key, at: now) }) else { return }
    let seconds = Int(wait.rounded(.up))
    throw OfficeRefusal(
      .tooManyRequests, "this device asks too often: come back in \(seconds) s",
      retrySeconds: seconds)
  }

  // MARK: revocation

  /// From now on a device may not deliver.
  package func revokeDevice(
    withKey key: String, in agency: String, reason: String, by login: String
  ) async throws {
    try await database.write(in: agency) { session in
      guard try session.devices.device(withKey: key) != nil else {
        throw OfficeRefusal(.unknown, "there is no such device")
      }
      try session.devices.revokeDevice(withKey: key, at: clock.deviceTime, reason: reason)
      try session.log.add(
        log("device-revoked", on: key, by: login, agency: agency, detail: reason))
    }
    try await writeDerivedFiles(of: key, in: agency)
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
