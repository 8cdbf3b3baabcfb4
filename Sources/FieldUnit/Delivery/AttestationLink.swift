import Evidence
import Inspection
import KeyTokens
import NIOHTTP1
import Store
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

extension SignInDesk {
  /// Lets a TPM show the office that it has the key of a sign-in.
  package func attest(
    _ key: String, _ signIn: SignIn, _ token: String, over link: any OfficeLink
  ) async {
    guard let link = link as? any AttestationLink else { return }
    let authority = try? EvidenceCertificate(pem: signIn.authority)
    await keys.attest(key, in: signIn.person.agency, by: authority) {
      try await link.attest($0, token: token)
    }
  }
}
