import Attestation
import Dispatch
import Evidence
import Foundation
import Store
import Sync
import TimeAndText

extension KeyFolder {
  /// The ending of the files with the office's words about keys in a TPM.
  private static let wordEnding = ".attestation"
  /// The ending of the files that say why there was no such word at the last sign-in.
  private static let refusalEnding = ".unattested"

  /// Returns true for files of the folder that hold no secret.
  package static func isOpen(_ name: String) -> Bool {
    [wordEnding, refusalEnding].contains(where: name.hasSuffix)
  }

  /// Lets the TPM show an office that it has a key, and keeps the office's word, or the reason why there is none.
  /// A sign-in stands without it, so nothing is thrown. A key that is not in a TPM has nothing to show.
  /// - Parameters:
  ///   - agency: the agency of the sign-in.
  ///   - authority: the authority of the sign-in's office; nil if it cannot be read.
  ///   - asking: asks the office.
  package func attest(
    _ thumbprint: String, in agency: String, by authority: EvidenceCertificate?,
    asking: (AttestationQuestion) async throws -> AttestationAnswer
  ) async {
    do {
      guard let key = try key(thumbprint) as? TPMKey else { return }
      let refusal = "\(path)/\(thumbprint)\(Self.refusalEnding)"
      do {
        let word = try await Self.show(key, asking)
        guard word.shown.key == thumbprint, word.shown.area == key.area.bytes,
          word.shown.agency == agency, authority.map(word.certificate.isIssued) == true
        else { throw AttestationProblem("the office's word is about another key, or not its own") }
        try DurableFile.replace(
          "\(path)/\(thumbprint)\(Self.wordEnding)", with: Array(word.jws.utf8))
        if FileManager.default.fileExists(atPath: refusal) {
          try FileManager.default.removeItem(atPath: refusal)
        }
      } catch {
        try DurableFile.replace(refusal, with: Array(Self.line("\(error)").utf8))
      }
    } catch {
      // A folder that takes no file says so where the key itself is kept.
    }
  }

  /// One short line: an office's words may be any.
  private static func line(_ words: String) -> String {
    let shown = words.unicodeScalars.prefix(400).map {
      $0.properties.generalCategory == .control || $0.properties.generalCategory == .format
        ? " " : String($0)
    }
    return shown.joined()
  }

  private static func show(
    _ key: TPMKey, _ asking: (AttestationQuestion) async throws -> AttestationAnswer
  ) async throws -> KeyAttestation {
    var question = AttestationQuestion(
      area: Base64URL.text(key.area.bytes),
      makersCertificate: Base64URL.text(try await waiting { try key.makersCertificate() }))
    let closed = try await asking(question)
    guard let credential = closed.credential.flatMap(Base64URL.bytes),
      let seed = closed.seed.flatMap(Base64URL.bytes)
    else { throw AttestationProblem("the office's answer has no secret") }
    question.challenge = closed.challenge
    let secret = ClosedSecret(credential: credential, seed: seed)
    question.secret = Base64URL.text(try await waiting { try key.open(secret) })
    guard let jws = try await asking(question).attestation else {
      throw AttestationProblem("the office's answer has no attestation")
    }
    return try KeyAttestation(jws: jws)
  }

  /// Waits for a TPM on a thread of its own: the program's few shared ones go on.
  private static func waiting(
    _ body: @escaping @Sendable () throws -> [UInt8]
  ) async throws -> [UInt8] {
    try await withCheckedThrowingContinuation { continuation in
      DispatchQueue.global().async { continuation.resume(with: Result { try body() }) }
    }
  }

  /// The office's word about a key in a TPM; nil if there is none.
  /// - Throws: `KeyFolderError` if it is there and cannot be read.
  func attestation(of thumbprint: String) throws -> KeyAttestation? {
    try bytes(of: "\(path)/\(thumbprint)\(Self.wordEnding)").flatMap {
      try? KeyAttestation(jws: String(decoding: $0, as: UTF8.self))
    }
  }

  /// The office's word about a key in a TPM, for people; nil if it was never asked.
  func attestationWords(_ thumbprint: String) throws -> Wording? {
    let refusal = try bytes(of: "\(path)/\(thumbprint)\(Self.refusalEnding)").map {
      Self.line(String(decoding: $0, as: UTF8.self))
    }
    guard let shown = try attestation(of: thumbprint)?.shown else {
      return refusal.map { "the office does not vouch for it: \(word: $0)" }
    }
    let word: Wording =
      if let root = shown.root {
        "the office has seen it in this TPM at \(moment: shown.time); \(word: Self.line(root)) vouches for the TPM"
      } else {
        "the office has seen it in this TPM at \(moment: shown.time), but does not know the TPM's maker"
      }
    return refusal.map { "\(word); at the last sign-in not: \(word: $0)" } ?? word
  }
}
