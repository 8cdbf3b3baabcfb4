import Evidence
import Foundation
import Inspection
import KeyTokens
import Store
import Sync
import TimeAndText

/// Signs inspectors in and out. Signing in needs the network once; afterwards the field unit knows
/// the inspector until sign-out.
public struct SignInDesk: Sendable {
  package let folder: DataFolder
  package let store: FieldStore
  package let clock: any Timepiece
  package let software: String

  /// Creates a desk for a data directory.
  /// - Throws: `StoreError` if the directory cannot be used.
  public init(dataDirectory: URL, software: String, clock: any Timepiece) throws {
    folder = DataFolder(dataDirectory: dataDirectory)
    try folder.prepare()
    store = try FieldStore(path: folder.database)
    self.clock = clock
    self.software = software
  }

  /// Closes the database; nothing can be done afterwards.
  package func close() throws { try store.close() }

  /// Returns the link to an office, with the TLS certificate that was given for it earlier.
  /// - Parameter pem: the certificates that are given now, PEM; nil uses those given earlier.
  public func link(to address: String, trusting pem: String? = nil) throws -> HTTPOfficeLink {
    let address = try HTTPOfficeLink.normalised(address)
    return try HTTPOfficeLink(
      address: address, trusting: try pem ?? store.tlsCertificate(ofOffice: address))
  }

  /// Returns the certificates that were given for an office's TLS, PEM; nil if none were given.
  package func tlsCertificate(ofOffice address: String) throws -> String? {
    try store.tlsCertificate(ofOffice: address)
  }

  /// Returns the office that was selected on this device, if it is the one at an address; its
  /// fingerprint was checked then, and holds for each sign-in there. Nil if it is another one, if
  /// none was selected, and for a malformed address.
  /// - Throws: `FieldUnitError.unreadable`.
  package func chosenOffice(at address: String) throws -> ChosenOffice? {
    guard let address = try? HTTPOfficeLink.normalised(address) else { return nil }
    return try ChosenOffice.read(folder).flatMap { $0.address == address ? $0 : nil }
  }

  /// Returns the certificates that hold for an office's TLS now, from the choice or from the last
  /// sign-in there; nil for the system's trust store, and for a malformed address.
  /// - Throws: `FieldUnitError.unreadable`; `StoreError` if the last sign-in cannot be read.
  package func knownCertificate(ofOffice address: String) throws -> String? {
    if let chosen = try chosenOffice(at: address) { return chosen.certificate }
    guard let address = try? HTTPOfficeLink.normalised(address) else { return nil }
    return try tlsCertificate(ofOffice: address)
  }

  /// Returns the present sign-in; nil if nobody is signed in.
  public func signedIn() throws -> SignIn? { try store.signedIn() }

  /// Signs an inspector in.
  ///
  /// - Parameter pin: the SHA-256 of the certificate of the office's authority; with it, no
  ///   password is sent to any other office. Nil trusts the authority that the office shows.
  /// - Parameter tlsCertificate: the certificates under which the link found the office, PEM; they
  ///   are used for all later links. Nil keeps those known for this office.
  /// - Parameter forgetsCertificate: true if a nil `tlsCertificate` means the system's trust store
  ///   for all later links.
  /// - Throws: `DeliveryError`.
  @discardableResult
  public func signIn(
    login: String, password: String, over link: any OfficeLink, pin: String? = nil,
    tlsCertificate: String? = nil, forgetsCertificate: Bool = false
  ) async throws -> SignIn {
    let office = try await link.office()
    let pin = try OfficeSuccession.expected(pin, of: office, at: link.address)
    var identity = try candidate(login: login, office: link.address)
    var answer: SignInAnswer
    do {
      answer = try await ask(login, password, identity.identity, link)
      if let agency = identity.agency, agency != answer.agency {
        // The login's key belongs to another agency, and does not serve for this one.
        try await link.signOut(token: answer.token)
        identity = try newIdentity()
        answer = try await ask(login, password, identity.identity, link)
      }
    } catch DeliveryError.refused(let code, _) where code == "key-elsewhere" {
      identity = try newIdentity()
      answer = try await ask(login, password, identity.identity, link)
    } catch TokenError.noKey {
      // The token was emptied, or is another one of the same name.
      identity = try newIdentity()
      answer = try await ask(login, password, identity.identity, link)
    }
    guard answer.login == login else {
      throw DeliveryError.notAnOffice(address: link.address, reason: "it signed in somebody else")
    }
    let known = forgetsCertificate ? nil : try store.tlsCertificate(ofOffice: link.address)
    let signIn = try keep(
      answer, identity.identity, link, pin: pin, tlsCertificate: tlsCertificate ?? known)
    await attest(identity.identity.key, signIn, answer.token, over: link)
    return signIn
  }

  private func ask(
    _ login: String, _ password: String, _ identity: DeviceIdentity, _ link: any OfficeLink
  ) async throws -> SignInAnswer {
    let key = try keys.key(identity.key)
    let enrolment = try EnrolmentRequest(
      device: identity.device, login: login, at: clock.deviceTime, with: key)
    return try await link.signIn(
      SignInRequest(
        login: login, password: password, enrolment: enrolment.jws, software: software))
  }

  /// Checks the office's answer, and stores it only if it is right.
  /// - Throws: `DeliveryError.notAnOffice`, `DeliveryError.otherAuthority`.
  package func keep(
    _ answer: SignInAnswer, _ identity: DeviceIdentity, _ link: any OfficeLink, pin: String?,
    tlsCertificate: String?
  ) throws -> SignIn {
    func wrong(_ words: Wording) -> DeliveryError {
      .notAnOffice(address: link.address, reason: words)
    }
    let authority: EvidenceCertificate
    let certificate: EvidenceCertificate
    do {
      authority = try EvidenceCertificate(pem: answer.authority)
      certificate = try EvidenceCertificate(pem: answer.certificate)
    } catch {
      throw wrong("\(error)")
    }
    guard certificate.publicKey.thumbprint == identity.key, certificate.isIssued(by: authority),
      certificate.subject
        == DeviceSubject(agency: answer.agency, inspector: answer.login, device: identity.device)
    else { throw wrong("its certificate is not for this device and this inspector") }
    if let pin, pin.lowercased().replacing(":", with: "") != authority.fingerprint {
      throw DeliveryError.otherAuthority(
        address: link.address, found: authority.fingerprint, expected: pin)
    }
    let certificates = folder.root + "/certificates"
    try DurableFile.makeFolder(certificates)
    // The key may have certificates of several offices, and none of them may be lost.
    try DurableFile.replace(
      folder.certificate(ofKey: identity.key, authority: authority),
      with: OfficeSuccession.file(certificate, authority, answer))
    let person = Person(agency: answer.agency, login: answer.login, role: .inspector)
    let signIn = SignIn(
      person: person, name: answer.name, office: link.address, authority: authority.pem,
      token: answer.token, time: clock.deviceTime, tlsCertificate: tlsCertificate)
    try store.write(as: person) { session in
      if let known = try session.identities.own() {
        if known.key != identity.key { try session.identities.replace(with: identity) }
      } else {
        try session.identities.insert(identity, at: clock.deviceTime)
      }
      try session.signIns.save(signIn)
    }
    return signIn
  }

  /// Signs out, and ends the inspector's phones. Everything stays, sealed and queued; the office is told
  /// if it can be reached.
  public func signOut(over link: (any OfficeLink)?) async throws {
    guard let signIn = try signedIn() else { return }
    if let link { try? await endSession(of: signIn, over: link) }
    try PhoneBook(folder).endAll(of: signIn.person)
    try store.write(as: signIn.person) { try $0.signIns.signOut() }
  }

  /// Ends the session at the office. An ended session is renewed first, because otherwise the
  /// device's key could still renew it later.
  private func endSession(of signIn: SignIn, over link: any OfficeLink) async throws {
    guard let token = signIn.token else { return }
    do {
      try await link.signOut(token: token)
    } catch let error as DeliveryError where error.saysSessionEnded {
      guard let identity = try store.read(as: signIn.person, { try $0.identities.own() }) else {
        return
      }
      let answer = try await signIn.renewed(
        device: identity.device, key: try keys.key(identity.key),
        certificate: nil, software: software, over: link)
      try await link.signOut(token: answer.token)
    }
  }

  // MARK: keys

  /// The keys of this device.
  public var keys: KeyFolder { KeyFolder(path: folder.keys) }

  package typealias Candidate = (identity: DeviceIdentity, agency: String?)

  /// Returns the identity under which this login has worked on this device, or a new one.
  package func candidate(login: String, office: String) throws -> Candidate {
    let known = try store.identities(ofLogin: login)
    if let first = known.first(where: { $0.office == office }) ?? known.first {
      let person = Person(agency: first.agency, login: login, role: .inspector)
      let forked = try store.read(as: person) {
        try $0.settings.value(of: UnitDelivery.forkedSetting)
      }
      // A key whose chain is forked is not used any more.
      if forked == first.identity.key { return try newIdentity() }
      if try keys.isElsewhere(first.identity.key) { return try newIdentity() }
      return (first.identity, first.agency)
    }
    return try newIdentity()
  }

  /// Makes a new identity. Its key is stored before anything names it, because an unknown key does
  /// no harm.
  package func newIdentity() throws -> Candidate {
    let key = try keys.makeKey().publicKey.thumbprint
    let device = try store.device() ?? Identifier(at: clock.deviceTime).description
    return (DeviceIdentity(device: device, key: key), nil)
  }
}
