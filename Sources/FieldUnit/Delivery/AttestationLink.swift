import NIOHTTP1
import Sync

/// The part of the link to the office over which a TPM shows that it has the device's key.
package protocol AttestationLink: OfficeLink {
  /// Brings what the TPM says.
  func attest(_ question: AttestationQuestion, token: String) async throws -> AttestationAnswer
}

extension HTTPOfficeLink: AttestationLink {
  package func attest(
    _ question: AttestationQuestion, token: String
  ) async throws -> AttestationAnswer {
    try await answer(
      AttestationAnswer.self, .POST, "/api/v1/attestations", token: token,
      message: try WireJSON.bytes(question))
  }
}
