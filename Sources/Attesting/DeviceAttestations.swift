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
    var shown = KeyAttestation.Shown(
      agency: agency, key: area.publicKey.thumbprint, time: now, area: area.bytes,
      makersCertificate: endorsement.der,
      root: await makers { _, _ in }.root(of: endorsement, at: now))
    if let kept = try photos.attestation(ofKey: shown.key), core.keys.ring.counts(kept.certificate),
      kept.shown.area == shown.area,
      // Nothing new was shown; and a folder of makers that cannot be read takes nothing back.
      kept.shown.makersCertificate == shown.makersCertificate || shown.root == nil,
      kept.shown.root == shown.root || shown.root == nil
    {
      return AttestationAnswer(attestation: kept.jws)
    }
    shown.signed = now
    let attestation = try await sign(shown)
    try await keep(attestation, of: endorsement, by: visitor.account.login)
    return AttestationAnswer(attestation: attestation.jws)
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
    _ attestation: KeyAttestation, of endorsement: EndorsementKey, by login: String
  ) async throws {
    let shown = attestation.shown
    try await database.write(in: shown.agency) { session in
      try session.log.add(
        log(
          "device-attested", on: shown.key, by: login, agency: shown.agency,
          detail:
            "TPM \(endorsement.maker), SHA-256 \(endorsement.fingerprint); \(shown.root.map { "vouched for by \($0)" } ?? "its maker is not known here")"
        ))
    }
    try photos.write(
      Array(attestation.jws.utf8), as: EvidenceName.attestation(ofKey: shown.key))
  }

  // MARK: the makers of TPMs

  /// Reads the certificates of TPMs' makers that the administrator has put into the folder.
  /// - Parameter complain: takes the name of a file that cannot be used, and the reason.
  func makers(_ complain: (String, any Error) -> Void) -> TPMMakers {
    let folder = configuration.folder.appendingPathComponent(EvidenceName.makers).path
    var makers = TPMMakers()
    guard FileManager.default.fileExists(atPath: folder) else { return makers }
    do {
      for name in try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
      where FileStatus(ofPath: "\(folder)/\(name)")?.isFile == true {
        do {
          try makers.add(try DurableFile.read("\(folder)/\(name)"))
        } catch {
          complain("\(EvidenceName.makers)/\(name)", error)
        }
      }
    } catch {
      complain(EvidenceName.makers, error)
    }
    return makers
  }

  /// Judges all TPMs by the makers and by the office's own keys of today: a starting office does so.
  public func settle() async {
    let makers = makers { configuration.log("\($0): \($1)") }
    do {
      for agency in try await database.readRegistry({ try $0.agencies() }) {
        for device in try await database.read(in: agency.name, { try $0.devices.devices(of: nil) })
        where device.revoked == nil {
          try await settle(device.key, makers)
        }
      }
    } catch {
      // An office whose disk is full must start all the same.
      configuration.log("attestations: not all are judged anew: \(error)")
    }
  }

  private func settle(_ key: String, _ makers: TPMMakers) async throws {
    guard let kept = try photos.attestation(ofKey: key),
      let endorsement = try? EndorsementKey(der: kept.shown.makersCertificate)
    else { return }
    var shown = kept.shown
    shown.root = await makers.root(of: endorsement, at: shown.time)
    guard shown.root != kept.shown.root || !core.keys.ring.counts(kept.certificate) else { return }
    shown.signed = clock.deviceTime
    try await keep(try await sign(shown), of: endorsement, by: "office")
  }
}
