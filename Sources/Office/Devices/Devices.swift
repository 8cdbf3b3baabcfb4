import Evidence
import Inspection
import OfficeKeyring
import Sync
import Synchronization
import TimeAndText
import Web

/// Signs field units in, and keeps revoked ones out.
package final class Devices: OfficeService {
  /// The core of the office.
  package let core: OfficeCore
  let sessions: Sessions
  let derived: DerivedFiles
  let requests: Mutex<RequestLimiter>

  init(core: OfficeCore, sessions: Sessions, derived: DerivedFiles) {
    self.core = core
    self.sessions = sessions
    self.derived = derived
    requests = Mutex(
      RequestLimiter(
        perSecond: core.configuration.deviceRequests.perSecond,
        burst: core.configuration.deviceRequests.burst))
  }
}

extension Devices {
  /// Requires that a device was not revoked.
  /// - Throws: `OfficeRefusal`: key-revoked with the reason; sign-in-needed if the authority that certified it was
  ///   revoked.
  func requireValid(_ device: EnrolledDevice) throws {
    if let reason = device.revokedReason { throw OfficeRefusal.keyRevoked(reason) }
    try certification.requireIssuer(of: device)
  }

  private var certification: DeviceCertification { DeviceCertification(core: core) }

  // MARK: renewed sessions

  private static let renewal = "session renewal"
  /// The seconds allowed between the challenge and the proof.
  private static let challengeSeconds: Int64 = 300

  /// Returns the challenge that a device signs to renew its session. It contains the office's
  /// clock, so that a device whose clock is days off is let in, and an old proof is not.
  public func challenge() -> ChallengeMessage {
    ChallengeMessage(
      challenge: SignedMoment(secret: core.formSecret).make(at: seconds, for: Self.renewal))
  }

  private var seconds: Int64 { clock.deviceTime.millisecondsSince1970 / 1000 }

  /// Renews a device's session with its key, without a password, however long the device was away.
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
    try certification.requireAuthority(proof.authority)
    guard
      SignedMoment(secret: core.formSecret).isValid(
        proof.challenge, at: seconds, lifetimeSeconds: Self.challengeSeconds, for: Self.renewal)
    else { throw OfficeRefusal(.challengeStale, "ask for a new challenge and sign it") }
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
    let certified = try await certification.renewed(device, in: proof.agency)
    return await answer(
      account, certified, token: try sessions.beginSession(for: account, key: device.key),
      in: proof.agency)
  }

  private func answer(
    _ account: Account, _ certified: DeviceCertification.Certified, token: String, in agency: String
  ) -> SignInAnswer {
    SignInAnswer(
      token: token, agency: agency, login: account.login, name: account.name,
      certificate: certified.certificate.pem, authority: certified.authority.pem,
      bridges: certified.ring.bridgesPEM, software: configuration.software)
  }

  static let signInNeeded = OfficeRefusal(
    .signInNeeded,
    "this device is not signed in here any more: sign in with the password; everything stays queued"
  )

  /// Enrols a device by the certificate that this office once gave it: an office that was restored
  /// from an older backup may not know the device. A revoked certificate does not count.
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

  /// Signs a device out at its inspector's request: its key renews no session until the inspector
  /// signs in again.
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

  /// Requires that a key's requests stay within the limit.
  /// - Throws: `OfficeRefusal` (too-many-requests) for a key that asks too often.
  package func limit(_ key: String) throws(OfficeRefusal) {
    let now = clock.elapsed.seconds(since: ElapsedTime(milliseconds: 0))
    guard let wait = requests.withLock({ $0.take(key, at: now) }) else { return }
    let seconds = Int(wait.rounded(.up))
    throw OfficeRefusal(
      .tooManyRequests, "this device asks too often: try again in \(seconds) s",
      retrySeconds: seconds)
  }

  // MARK: revocation

  /// Bars a device from delivering from now on.
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
    try await derived.write(of: key, in: agency)
  }

  // MARK: signing in

  /// Signs a field unit in: it gets a session, and its key gets a certificate. A known key keeps
  /// the certificate that it has.
  public func signInDevice(
    _ request: SignInRequest, line: String = NetworkLine.unknown
  ) async throws -> SignInAnswer {
    guard request.schema == SignInRequest.schema else {
      throw SyncError.unknownSchema(found: request.schema, expected: SignInRequest.schema)
    }
    let account = try await sessions.authenticate(
      login: request.login, password: request.password, line: line)
    return try await signIn(account, enrolment: request.enrolment, software: request.software)
  }

  /// Signs in the field unit of an inspector who has shown a password or an invitation.
  /// - Parameters:
  ///   - proof: the proof that the device holds its key (compact JWS).
  ///   - software: the name and version of the field unit's program.
  package func signIn(
    _ account: Account, enrolment proof: String, software: String
  ) async throws -> SignInAnswer {
    guard account.role == .inspector, let agency = account.agency else {
      throw OfficeRefusal(
        .roleForbidden,
        "\(account.login) has the role \(word: account.role.rawValue): field units are for inspectors"
      )
    }
    let enrolment: EnrolmentRequest
    do {
      enrolment = try EnrolmentRequest(jws: proof)
    } catch {
      throw OfficeRefusal(.enrolmentMalformed, "\(error)")
    }
    guard enrolment.login == account.login else {
      throw OfficeRefusal(.enrolmentMalformed, "the request is for another login")
    }
    let key = enrolment.publicKey.thumbprint
    let known = try await database.read(in: agency) { try $0.devices.device(withKey: key) }
    if let reason = known?.revokedReason { throw OfficeRefusal.keyRevoked(reason) }
    let certified = try await certification.certified(
      enrolment.publicKey,
      DeviceSubject(agency: agency, inspector: account.login, device: enrolment.device), known)
    try await database.write(in: agency) { session in
      if let known = try session.devices.device(withKey: key) {
        guard known.inspector == account.login, known.device == enrolment.device else {
          throw OfficeRefusal(
            .keyElsewhere, "this key was enrolled for somebody else: the field unit makes a new one"
          )
        }
        if let reason = known.revokedReason { throw OfficeRefusal.keyRevoked(reason) }
        try session.devices.setSignedOut(nil, deviceWithKey: key)
        return try certification.keep(certified, of: known, in: session)
      }
      try session.devices.insert(
        EnrolledDevice(
          key: key, inspector: account.login, device: enrolment.device,
          certificate: certified.certificate.pem, software: software, enrolled: clock.deviceTime))
      try session.log.add(
        log(
          "device-enrolled", on: key, by: account.login, agency: agency, detail: software))
    }
    // The request is kept behind the row: a key without one counts as kept in a file.
    let kept = EvidenceName.enrolment(ofKey: key)
    if try !photos.holds(kept) { try photos.write(Array(proof.utf8), as: kept) }
    return await answer(
      account, certified, token: try sessions.beginSession(for: account, key: key), in: agency)
  }
}
