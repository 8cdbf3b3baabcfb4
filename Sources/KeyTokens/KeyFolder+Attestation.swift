import Attestation
import Evidence
import Foundation
import Store
import Sync
import TimeAndText

extension KeyFolder {
  /// Lets the TPM prove to an office that it has a key, and keeps the office's word, or the reason why there is none.
  /// A sign-in stands without it, so nothing is thrown. A key that is not in a TPM has nothing to prove.
  /// - Parameter asking: asks the office.
  package func attest(
    _ thumbprint: String, asking: (AttestationQuestion) async throws -> AttestationAnswer
  ) async {
    do {
      guard let key = try key(thumbprint) as? TPMKey else { return }
      let kept: [UInt8]
      do {
        kept = Array(try await Self.prove(key, asking).jws.utf8)
      } catch {
        kept = Array("\(error)\n".utf8)
      }
      try DurableFile.replace(attestationFile(thumbprint), with: kept)
    } catch {
      // A folder that takes no file says so where the key itself is kept.
    }
  }

  private static func prove(
    _ key: TPMKey, _ asking: (AttestationQuestion) async throws -> AttestationAnswer
  ) async throws -> KeyAttestation {
    var question = AttestationQuestion(
      area: Base64URL.text(key.area.bytes),
      makersCertificate: Base64URL.text(try key.makersCertificate()))
    let closed = try await asking(question)
    guard let credential = closed.credential.flatMap(Base64URL.bytes),
      let seed = closed.seed.flatMap(Base64URL.bytes)
    else { throw AttestationProblem("the office's answer has no secret") }
    question.challenge = closed.challenge
    question.secret = Base64URL.text(
      try key.open(ClosedSecret(credential: credential, seed: seed)))
    guard let jws = try await asking(question).attestation else {
      throw AttestationProblem("the office's answer has no attestation")
    }
    return try KeyAttestation(jws: jws)
  }

  /// Returns the path of the file with the office's word about a key in a TPM, or with the reason why there is none.
  func attestationFile(_ thumbprint: String) -> String { "\(path)/\(thumbprint).attestation" }

  /// The office's word about a key in a TPM, for people; nil if it was never asked.
  package func attestationWords(_ thumbprint: String) throws -> Wording? {
    guard let bytes = try bytes(of: attestationFile(thumbprint)) else { return nil }
    let text = String(decoding: bytes, as: UTF8.self)
    guard let word = try? KeyAttestation(jws: text) else {
      let reason = text.trimmingCharacters(in: .newlines)
      return "the office does not vouch for it: \(reason)"
    }
    guard let root = word.shown.root else {
      return
        "the office has seen it in this TPM at \(moment: word.shown.time), but does not know the TPM's maker"
    }
    return
      "the office has seen it in this TPM at \(moment: word.shown.time); \(root) vouches for the TPM"
  }
}
