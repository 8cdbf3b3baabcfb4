import Evidence
import Inspection
import Store
import Sync
import TimeAndText

/// An office's certification authority that has followed another one: a device that knows the earlier one believes
/// it, because the earlier one vouches for its key.
enum OfficeSuccession {
  /// Returns the fingerprint that an office's answer must have.
  /// - Parameter pin: the fingerprint that the person has checked; nil for any.
  /// - Throws: `DeliveryError.otherAuthority` if the office shows another one, and the one that was checked does not
  ///   vouch for it.
  static func expected(
    _ pin: String?, of office: OfficeMessage, at address: String
  ) throws -> String? {
    guard let pin else { return nil }
    let wanted = pin.lowercased().replacing(":", with: "")
    if wanted == office.fingerprint { return pin }
    if let pem = office.authorities, let all = try? EvidenceCertificate.all(pem: pem),
      let earlier = all.first(where: { $0.fingerprint == wanted && $0.isAuthority }),
      let present = all.first(where: { $0.fingerprint == office.fingerprint }),
      present.carrying(all.filter { $0 != earlier }).follows(earlier)
    {
      return office.fingerprint
    }
    throw DeliveryError.otherAuthority(address: address, found: office.fingerprint, expected: pin)
  }

  /// Returns true if an earlier authority vouches for the one in an answer.
  static func isBelievable(_ answer: SignInAnswer, after earlier: String) throws -> Bool {
    guard let present = try? EvidenceCertificate(pem: answer.authority),
      let bridges = try? EvidenceCertificate.all(pem: answer.bridges ?? "")
    else { return false }
    return present.carrying(bridges).follows(try EvidenceCertificate(pem: earlier))
  }

  /// Keeps the device's certificate by a new authority, and trusts that one from now on.
  static func keep(_ answer: SignInAnswer, _ signIn: SignIn, in unit: InspectorUnit) throws {
    let authority = try EvidenceCertificate(pem: answer.authority)
    let certificate = try EvidenceCertificate(pem: answer.certificate)
    guard certificate.publicKey == unit.key.publicKey, certificate.isIssued(by: authority) else {
      throw DeliveryError.notAnOffice(
        address: signIn.office, reason: "its certificate is not for this device")
    }
    let path = unit.folder.certificate(
      ofKey: certificate.publicKey.thumbprint, authority: authority)
    try DurableFile.replace(
      path, with: Array((certificate.pem + authority.pem + (answer.bridges ?? "")).utf8))
    try unit.store.write(as: unit.person) { session in
      guard let now = try session.signIns.own() else { return }
      try session.signIns.save(
        SignIn(
          person: now.person, name: now.name, office: now.office, authority: answer.authority,
          token: now.token, time: now.time, tlsCertificate: now.tlsCertificate))
    }
  }
}
