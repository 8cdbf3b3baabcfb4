import FieldUnit
import NIOHTTP1
import Sync

/// A link to an office that signs inspectors in by one-time codes.
package protocol InvitationLink: OfficeLink {
  /// Asks whose a code is; the code can still be used afterwards.
  func invitation(_ question: InvitationQuestion) async throws -> InvitationAnswer
  /// Signs in by a code, which is used up by that.
  func signIn(invited request: InvitedSignInRequest) async throws -> SignInAnswer
}

extension HTTPOfficeLink: InvitationLink {
  /// Asks whose a code is.
  package func invitation(_ question: InvitationQuestion) async throws -> InvitationAnswer {
    try await answer(
      InvitationAnswer.self, .POST, "/api/v1/invitations", token: nil,
      message: try WireJSON.bytes(question))
  }

  /// Signs in by a code.
  package func signIn(invited request: InvitedSignInRequest) async throws -> SignInAnswer {
    try await answer(
      SignInAnswer.self, .POST, "/api/v1/invitations/sign-in", token: nil,
      message: try WireJSON.bytes(request))
  }
}
