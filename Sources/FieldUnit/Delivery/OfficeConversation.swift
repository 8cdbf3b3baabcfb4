import Evidence
import Foundation
import Inspection
import Store
import Sync
import TimeAndText

/// A conversation with the office in the name of the inspector who is signed in. Its sessions are
/// short; an ended session is renewed with the device's key, without a password, even after weeks.
/// Only sign-out, a revoked device or a disabled account ends a sign-in.
package actor OfficeConversation {
  package nonisolated let link: any OfficeLink
  package nonisolated let signIn: SignIn
  private let unit: InspectorUnit
  private var token: String
  private var renewal: Task<String, any Error>?

  /// Creates a conversation for the inspector who is signed in.
  /// - Throws: `DeliveryError.notSignedIn`.
  init(of unit: InspectorUnit, over link: any OfficeLink) throws {
    guard let signIn = try unit.store.read(as: unit.person, { try $0.signIns.own() }),
      let token = signIn.token
    else { throw DeliveryError.notSignedIn }
    self.unit = unit
    self.link = link
    self.signIn = signIn
    self.token = token
  }

  /// Asks something that needs a session. If the session has ended, it asks once more with a new
  /// one.
  package func asking<Answer: Sendable>(
    _ body: @Sendable (_ token: String) async throws -> Answer
  ) async throws -> Answer {
    let used = token
    do {
      return try await body(used)
    } catch let error as DeliveryError where error.saysSessionEnded {
      return try await body(try await renewed(insteadOf: used))
    }
  }

  private func renewed(insteadOf used: String) async throws -> String {
    if token != used { return token }
    if let renewal { return try await renewal.value }
    let (unit, link, signIn) = (unit, link, signIn)
    let running = Task {
      let answer = try await unit.delivery.renew(signIn, over: link)
      if answer.authority != signIn.authority {
        try OfficeSuccession.keep(answer, signIn, in: unit)
      }
      try unit.store.write(as: unit.person) {
        try $0.signIns.setToken(answer.token, insteadOf: used)
      }
      return answer.token
    }
    renewal = running
    defer { renewal = nil }
    token = try await running.value
    return token
  }
}

extension UnitDelivery {
  /// Asks the office for a new session with this device's key.
  package func renew(_ signIn: SignIn, over link: any OfficeLink) async throws -> SignInAnswer {
    try await signIn.renewed(
      device: device, key: key, certificate: try unit.certificate()?.pem,
      software: configuration.software, over: link)
  }
}

extension SignIn {
  /// Opens a new session at the office with the device's key.
  /// - Throws: `DeliveryError`, also if the office opens it for another person than the one who
  ///   asks.
  func renewed(
    device: String, key: any DeviceKey, certificate: String?, software: String,
    over link: any OfficeLink
  ) async throws -> SignInAnswer {
    let challenge = try await link.challenge()
    let proof = try SessionRenewal(
      agency: person.agency, login: person.login, device: device,
      challenge: challenge.challenge,
      authority: try EvidenceCertificate(pem: authority).fingerprint, with: key)
    let answer = try await link.renew(
      RenewalMessage(renewal: proof.jws, certificate: certificate, software: software))
    guard answer.agency == person.agency, answer.login == person.login else {
      throw DeliveryError.notAnOffice(address: link.address, reason: "it signed in somebody else")
    }
    guard
      try answer.authority == authority
        || answer.follows(EvidenceCertificate(pem: authority))
    else {
      throw DeliveryError.notAnOffice(
        address: link.address, reason: "its authority is another one than at the sign-in")
    }
    return answer
  }
}
