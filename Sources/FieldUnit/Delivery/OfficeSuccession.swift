import Evidence
import Foundation
import Inspection
import Store
import Sync
import TimeAndText

/// An office's certification authority that has followed another one: a device that knows the earlier one believes
/// it, because the earlier one vouches for its key.
package enum OfficeSuccession {
  /// Returns the fingerprint that an office's answer must have.
  /// - Parameter pin: the fingerprint that the person has checked; nil for any.
  /// - Throws: `DeliveryError.otherAuthority` if the office shows another one, and the one that was checked does not
  ///   vouch for it.
  package static func expected(
    _ pin: String?, of office: OfficeMessage, at address: String
  ) throws -> String? {
    guard let pin else { return nil }
    guard office.follows(pin.lowercased().replacing(":", with: "")) else {
      throw DeliveryError.otherAuthority(address: address, found: office.fingerprint, expected: pin)
    }
    return office.fingerprint
  }

  /// Returns the file of a device's certificate: it, its authority, and the way to earlier ones.
  static func file(
    _ certificate: EvidenceCertificate, _ authority: EvidenceCertificate, _ answer: SignInAnswer
  ) -> [UInt8] {
    Array(([certificate, authority] + answer.earlierCertificates).map(\.pem).joined().utf8)
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
    try DurableFile.replace(path, with: file(certificate, authority, answer))
    try unit.store.write(as: unit.person) { session in
      guard var now = try session.signIns.own() else { return }
      now.authority = answer.authority
      try session.signIns.save(now)
    }
    if let chosen = try ChosenOffice.read(unit.folder), chosen.address == signIn.office,
      chosen.fingerprint == (try EvidenceCertificate(pem: signIn.authority)).fingerprint
    {
      try ChosenOffice(
        address: chosen.address, fingerprint: authority.fingerprint,
        certificate: chosen.certificate
      ).keep(in: unit.configuration.dataDirectory)
    }
  }
}

extension UnitDelivery {
  /// Returns the authority by which a receipt is judged: the present one; for a batch that was begun under an earlier
  /// one, and that the office answered then, the earlier one.
  func authority(
    of receipt: Receipt, for batch: Identifier, _ signIn: SignIn
  ) throws -> EvidenceCertificate {
    let present = try EvidenceCertificate(pem: signIn.authority)
    guard !receipt.certificate.isVouched(by: present),
      let began = try unit.certificate()?.notBefore, batch < Identifier(at: began)
    else { return present }
    let folder = folder.root + "/certificates"
    let names = try FileManager.default.contentsOfDirectory(atPath: folder)
    for name in names.sorted() where name.hasPrefix(key.publicKey.thumbprint) {
      let text = String(decoding: try DurableFile.read("\(folder)/\(name)"), as: UTF8.self)
      let all = try EvidenceCertificate.all(pem: text)
      let own = all.first { $0.publicKey == key.publicKey }
      let earlier = all.first { $0.isAuthority && own?.isIssued(by: $0) == true }
      if let earlier, receipt.certificate.isIssued(by: earlier) { return earlier }
    }
    return present
  }
}
