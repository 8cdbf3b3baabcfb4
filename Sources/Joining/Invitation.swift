import Evidence
import FieldUnit
import Foundation
import Store
import Sync
import TimeAndText

/// The sign-in of a device by an invitation: the office is found and recognised first, and the
/// person sees who is to be signed in where before the code is used.
package struct Invitation: Sendable {
  /// The invitation as it was read or typed.
  package var ticket: InvitationTicket
  /// The inspector whom the code signs in.
  package var holder: InvitationAnswer
  /// The SHA-256 of the certificate of the authority that the office has shown.
  package var fingerprint: String
  /// The certificate under which the office's TLS was found, PEM; nil for the system's trust store.
  package var tlsCertificate: String?
  let link: any InvitationLink

  /// Finds the office of a ticket, and asks whose its code is.
  /// - Parameters:
  ///   - known: the certificates that hold for the office by an earlier choice, PEM; nil for none.
  ///   - makeLink: makes a link to an address under certificates, PEM; nil for the system's.
  /// - Throws: `DeliveryError`: the office cannot be reached, is another one, or refuses the code.
  package static func find(
    _ ticket: InvitationTicket, knownCertificate known: String? = nil,
    makeLink: @Sendable (_ address: String, _ pem: String?) throws -> any OfficeLink = {
      try HTTPOfficeLink(address: try HTTPOfficeLink.normalised($0), trusting: $1)
    }
  ) async throws -> Invitation {
    var ticket = ticket
    ticket.office = try HTTPOfficeLink.normalised(ticket.office)
    let certificate = try await certificate(for: ticket, known, makeLink)
    guard let link = try makeLink(ticket.office, certificate) as? any InvitationLink else {
      throw DeliveryError.olderOffice(address: ticket.office, software: "?")
    }
    do {
      let office = try await link.office()
      _ = try OfficeSuccession.expected(ticket.fingerprint, of: office, at: ticket.office)
      guard let found = ChosenOffice.fingerprint(office.fingerprint) else {
        throw DeliveryError.notAnOffice(address: ticket.office, reason: "it shows no fingerprint")
      }
      let holder = try await link.invitation(InvitationQuestion(code: ticket.code.characters))
      ticket.fingerprint = found
      return Invitation(
        ticket: ticket, holder: holder, fingerprint: found, tlsCertificate: certificate, link: link)
    } catch {
      await (link as? HTTPOfficeLink)?.close()
      throw error
    }
  }

  /// Returns the certificate under which the office of a ticket is reached: none if the system
  /// trusts the office, otherwise the one that the ticket names.
  /// - Throws: `DeliveryError` if the office cannot be asked. Only a refused certificate shows that
  ///   the system does not trust it: after any other failure nothing is known, and nothing is
  ///   chosen.
  private static func certificate(
    for ticket: InvitationTicket, _ known: String?,
    _ makeLink: @Sendable (_ address: String, _ pem: String?) throws -> any OfficeLink
  ) async throws -> String? {
    guard let expected = ticket.tlsFingerprint else { return known }
    guard let shown = await PresentedCertificate.of(ticket.office), shown.fingerprint == expected
    else { return known }
    let link = try makeLink(ticket.office, nil)
    let certificate: String?
    do {
      _ = try await link.office()
      certificate = nil
    } catch DeliveryError.untrusted {
      certificate = shown.pem
    } catch {
      await (link as? HTTPOfficeLink)?.close()
      throw error
    }
    await (link as? HTTPOfficeLink)?.close()
    return certificate
  }

  /// Signs in, and stores the office for the next sign-in.
  /// - Throws: `DeliveryError`, `StoreError`; the code can be used again if the office could not
  ///   sign in.
  @discardableResult
  package func accept(at desk: SignInDesk, dataDirectory: URL) async throws -> SignIn {
    let signIn = try await desk.signIn(
      by: ticket.code, of: holder, over: link, pin: fingerprint, tlsCertificate: tlsCertificate)
    try ChosenOffice(
      address: ticket.office, fingerprint: fingerprint, certificate: tlsCertificate
    ).keep(in: dataDirectory)
    await close()
    return signIn
  }

  /// Closes the connection to the office.
  package func close() async { await (link as? HTTPOfficeLink)?.close() }
}
