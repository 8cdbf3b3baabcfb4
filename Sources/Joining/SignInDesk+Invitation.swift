import Evidence
import FieldUnit
import Inspection
import KeyTokens
import Store
import Sync
import TimeAndText

extension SignInDesk {
  /// Signs an inspector in by a one-time code. The device gets its key's certificate as by a
  /// password.
  /// - Parameters:
  ///   - code: the code.
  ///   - holder: the inspector whose code it is, as the office has said.
  ///   - pin: the SHA-256 of the certificate of the office's authority; with it, no other office
  ///     gets the code. Nil trusts the authority that the office shows.
  ///   - tlsCertificate: the certificates under which the link found the office, PEM; nil for the
  ///     system's trust store.
  /// - Throws: `DeliveryError`, `StoreError`.
  @discardableResult
  package func signIn(
    by code: OneTimeCode, of holder: InvitationAnswer, over link: any InvitationLink,
    pin: String?, tlsCertificate: String?
  ) async throws -> SignIn {
    var identity = try candidate(login: holder.login, office: link.address)
    // A key that belongs to another agency does not serve for this one.
    if let agency = identity.agency, agency != holder.agency { identity = try newIdentity() }
    var answer: SignInAnswer
    do {
      answer = try await ask(code, holder.login, identity.identity, link)
    } catch DeliveryError.refused(let refusal, _) where refusal == "key-elsewhere" {
      identity = try newIdentity()
      answer = try await ask(code, holder.login, identity.identity, link)
    } catch TokenError.noKey {
      identity = try newIdentity()
      answer = try await ask(code, holder.login, identity.identity, link)
    }
    guard answer.login == holder.login, answer.agency == holder.agency else {
      throw DeliveryError.notAnOffice(address: link.address, reason: "it signed in somebody else")
    }
    let signIn = try keep(
      answer, identity.identity, link, pin: pin, tlsCertificate: tlsCertificate)
    await attest(identity.identity.key, signIn, answer.token, over: link)
    return signIn
  }

  private func ask(
    _ code: OneTimeCode, _ login: String, _ identity: DeviceIdentity, _ link: any InvitationLink
  ) async throws -> SignInAnswer {
    let key = try keys.key(identity.key)
    let enrolment = try EnrolmentRequest(
      device: identity.device, login: login, at: clock.deviceTime, with: key)
    return try await link.signIn(
      invited: InvitedSignInRequest(
        code: code.characters, enrolment: enrolment.jws, software: software))
  }
}
