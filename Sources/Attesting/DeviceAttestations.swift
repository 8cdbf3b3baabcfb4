import Attestation
import Crypto
import Evidence
import Foundation
import Inspection
import Office
import OfficeKeyring
import Store
import Sync
import TimeAndText
import Web

/// Lets the TPMs of field units prove that they hold the units' keys.
public struct DeviceAttestations: OfficeService {
  /// The core of the office.
  package let core: OfficeCore

  private static let purpose = "key attestation"
  /// The seconds allowed between the closed secret and the opened one: a TPM may make its endorsement key anew.
  private static let patienceSeconds: Int64 = 300

  /// Creates the service of an office.
  package init(core: OfficeCore) { self.core = core }

  /// Answers a field unit.
  /// - Throws: `OfficeRefusal` (attestation-refused).
  package func answer(
    _ question: AttestationQuestion, from visitor: Visitor
  ) async throws -> AttestationAnswer {
    guard question.schema == AttestationQuestion.schema else {
      throw SyncError.unknownSchema(
        found: question.schema, expected: AttestationQuestion.schema)
    }
    let (area, endorsement) = try Self.read(question)
    guard let agency = visitor.account.agency, visitor.key == area.publicKey.thumbprint else {
      throw Self.refusal("the TPM describes another key than that of this device")
    }
    guard let challenge = question.challenge, let given = question.secret else {
      let challenge = signedMoment.make(at: seconds, for: Self.purpose)
      let closed = try endorsement.close(
        secret(challenge, area, endorsement), forHolderOf: area, seed: Self.random(),
        random: Self.random())
      return AttestationAnswer(
        challenge: challenge, credential: Base64URL.text(closed.credential),
        seed: Base64URL.text(closed.seed))
    }
    guard
      signedMoment.isValid(
        challenge, at: seconds, lifetimeSeconds: Self.patienceSeconds, for: Self.purpose)
    else { throw Self.refusal("the TPM's answer came too late: sign in again") }
    guard let given = Base64URL.bytes(given),
      SymmetricKey(data: given) == SymmetricKey(data: secret(challenge, area, endorsement))
    else { throw Self.refusal("the TPM did not open the secret: it does not have this key") }
    let now = clock.deviceTime
    let kept = try photos.attestation(ofKey: area.publicKey.thumbprint)
    let shown = KeyAttestation.Shown(
      agency: agency, key: area.publicKey.thumbprint, time: now, area: area.bytes,
      makersCertificate: endorsement.der,
      root: await makers { _, _ in }.root(of: endorsement, at: now, kept: kept?.shown))
    if let kept, isOfToday(kept), kept.shown.agency == agency, kept.shown.area == shown.area,
      kept.shown.makersCertificate == shown.makersCertificate, kept.shown.root == shown.root
    {
      // Nothing new was shown.
      return AttestationAnswer(attestation: kept.jws)
    }
    let attestation = try await sign(shown)
    try await keep(
      attestation, of: endorsement, as: "device-attested", by: visitor.account.login)
    return AttestationAnswer(attestation: attestation.jws)
  }

  /// Returns true if the office's authority of today vouches for the key that signed: devices know that one.
  private func isOfToday(_ attestation: KeyAttestation) -> Bool {
    core.keys.ring.counts(attestation.certificate)
      && attestation.certificate.isIssued(by: core.keys.ring.authority.certificate)
  }

  private static func read(
    _ question: AttestationQuestion
  ) throws(OfficeRefusal) -> (TPMKeyArea, EndorsementKey) {
    guard let area = Base64URL.bytes(question.area),
      let certificate = Base64URL.bytes(question.makersCertificate)
    else { throw refusal("its members are not base64url") }
    do throws(AttestationProblem) {
      let area = try TPMKeyArea(area)
      guard area.staysInside else {
        throw AttestationProblem("the key could leave the TPM, or came from outside")
      }
      return (area, try EndorsementKey(der: certificate))
    } catch {
      throw refusal(error.wording)
    }
  }

  private static func refusal(_ words: Wording) -> OfficeRefusal {
    OfficeRefusal(.attestationRefused, words)
  }

  private static func random() -> [UInt8] {
    SymmetricKey(size: .bits256).withUnsafeBytes { Array($0) }
  }

  private var signedMoment: SignedMoment { SignedMoment(secret: core.formSecret) }
  private var seconds: Int64 { clock.deviceTime.millisecondsSince1970 / 1000 }

  /// The secret follows from the challenge, so that nothing has to be kept between the two questions.
  private func secret(
    _ challenge: String, _ area: TPMKeyArea, _ endorsement: EndorsementKey
  ) -> [UInt8] {
    let message =
      Array("\(Self.purpose)\n\(challenge)\n\(endorsement.fingerprint)\n".utf8) + area.name
    return Array(
      HMAC<SHA256>.authenticationCode(
        for: message, using: SymmetricKey(data: core.formSecret)))
  }

  private func sign(_ shown: KeyAttestation.Shown) async throws -> KeyAttestation {
    // The key may be in a token, which takes its time.
    let ring = core.keys.ring
    return try await core.certifying.run { () throws -> KeyAttestation in
      let (key, certificate) = (ring.receiptKey, ring.receiptCertificate)
      return try KeyAttestation(shown, signedWith: key, certificate: certificate)
    }
  }

  private func keep(
    _ attestation: KeyAttestation, of endorsement: EndorsementKey, as action: String,
    by login: String
  ) async throws {
    let shown = attestation.shown
    try await database.write(in: shown.agency) { session in
      try session.log.add(
        log(
          action, on: shown.key, by: login, agency: shown.agency,
          detail:
            "TPM \(endorsement.maker), SHA-256 \(endorsement.fingerprint); \(shown.root.map { "vouched for by \($0)" } ?? "its maker is not known here")"
        ))
    }
    try photos.write(
      Array(attestation.jws.utf8), as: EvidenceName.attestation(ofKey: shown.key))
  }

  // MARK: the makers of TPMs

  /// The makers that the administrator's files name.
  struct Makers: Sendable {
    var known = TPMMakers()
    /// True if each file could be read. Otherwise nothing that is known already is taken back.
    var isWhole = true

    /// Returns the name of the root that vouches for an endorsement key; nil if none does.
    /// - Parameter kept: what was known of the TPM before.
    func root(
      of key: EndorsementKey, at time: DeviceTime, kept: KeyAttestation.Shown?
    ) async -> String? {
      if let root = await known.root(of: key, at: time) { return root }
      return isWhole || kept?.makersCertificate != key.der ? nil : kept?.root
    }
  }

  /// Reads the certificates of TPMs' makers that the administrator has put into the folder.
  /// - Parameter complain: takes the name of a file that cannot be used, and the reason.
  func makers(_ complain: (String, any Error) -> Void) -> Makers {
    let folder = configuration.folder.appendingPathComponent(EvidenceName.makers).path
    var makers = Makers()
    guard FileManager.default.fileExists(atPath: folder) else {
      makers.isWhole = false
      return makers
    }
    do {
      for name in try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
      where !name.hasPrefix(".") && FileStatus(ofPath: "\(folder)/\(name)")?.isFile == true {
        do {
          try makers.known.add(try DurableFile.read("\(folder)/\(name)"))
        } catch {
          if error is StoreError { makers.isWhole = false }
          complain("\(EvidenceName.makers)/\(name)", error)
        }
      }
    } catch {
      makers.isWhole = false
      complain(EvidenceName.makers, error)
    }
    return makers
  }

  /// Checks all TPMs again by the makers and by the office's own keys of today: a starting office does so.
  public func settle() async {
    let makers = makers { configuration.log("\($0): \($1)") }
    do {
      for agency in try await database.readRegistry({ try $0.agencies() }) {
        for device in try await database.read(in: agency.name, { try $0.devices.devices(of: nil) })
        {
          do {
            try await settle(device.key, makers)
          } catch {
            configuration.log("attestations: \(device.key) is not checked again: \(error)")
          }
        }
      }
    } catch {
      configuration.log("attestations: not all are checked again: \(error)")
    }
  }

  private func settle(_ key: String, _ makers: Makers) async throws {
    let ring = core.keys.ring
    guard let kept = try photos.attestation(ofKey: key),
      // Another office's word is not made this one's.
      ring.entries.contains(where: { $0.key == kept.certificate.publicKey.thumbprint }),
      let endorsement = try? EndorsementKey(der: kept.shown.makersCertificate)
    else { return }
    var shown = kept.shown
    shown.root = await makers.root(of: endorsement, at: shown.time, kept: shown)
    guard shown.root != kept.shown.root || !isOfToday(kept) else { return }
    shown.signed = clock.deviceTime
    try await keep(
      try await sign(shown), of: endorsement, as: "device-checked-again", by: "office")
  }
}
