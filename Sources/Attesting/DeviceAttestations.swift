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
  /// The folder in the data directory with the certificates of TPMs' makers.
  public static let makersFolder = "tpm-makers"

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
    let attestation = try await sign(
      KeyAttestation.Shown(
        agency: agency, key: area.publicKey.thumbprint, time: clock.deviceTime, area: area.bytes,
        makersCertificate: endorsement.der,
        root: await makers().root(of: endorsement, at: clock.deviceTime)))
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
    try photos.write(
      Array(attestation.jws.utf8), as: EvidenceName.attestation(ofKey: shown.key))
    try await database.write(in: shown.agency) { session in
      try session.log.add(
        log(
          "device-attested", on: shown.key, by: login, agency: shown.agency,
          detail:
            "\(endorsement.maker) \(endorsement.fingerprint), \(shown.root ?? "maker unknown")"
        ))
    }
  }

  // MARK: the makers of TPMs

  /// Reads the certificates of TPMs' makers that the administrator has put into the folder.
  func makers() -> TPMMakers {
    let folder = configuration.folder.appendingPathComponent(Self.makersFolder).path
    var makers = TPMMakers()
    guard FileManager.default.fileExists(atPath: folder) else { return makers }
    do {
      for name in try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
      where !name.hasPrefix(".") {
        do {
          try makers.add(try DurableFile.read("\(folder)/\(name)"))
        } catch {
          configuration.log("\(Self.makersFolder)/\(name): \(error)")
        }
      }
    } catch {
      configuration.log("\(Self.makersFolder): \(error)")
    }
    return makers
  }

  /// Looks again at the TPMs whose makers were not known: a starting office does so.
  package func settle() async throws {
    let makers = makers()
    guard !makers.isEmpty else { return }
    for agency in try await database.readRegistry({ try $0.agencies() }) {
      for device in try await database.read(in: agency.name, { try $0.devices.devices(of: nil) }) {
        guard var shown = try photos.attestation(ofKey: device.key)?.shown, shown.root == nil,
          let endorsement = try? EndorsementKey(der: shown.makersCertificate),
          let root = await makers.root(of: endorsement, at: shown.time)
        else { continue }
        shown.root = root
        try await keep(try await sign(shown), of: endorsement, by: "office")
      }
    }
  }
}
