import Evidence
import Foundation
import Store
import Sync
import TimeAndText

extension FieldServer {
  /// The office that was selected; nil if the default one holds.
  /// - Throws: `FieldUnitError.unreadable` if the choice cannot be read.
  package var chosenOffice: ChosenOffice? {
    get throws { try ChosenOffice.read(in: configuration.dataDirectory) }
  }

  /// The office of the next sign-in; nil if there is neither a default nor a choice.
  /// - Throws: `FieldUnitError.unreadable` if the choice cannot be read: nobody signs in at the
  ///   default office in its place.
  package var officeToSignIn: OfficeToSignIn? {
    get throws {
      let chosen = try chosenOffice
      return (chosen?.address ?? defaultOffice).map { OfficeToSignIn(address: $0, chosen: chosen) }
    }
  }

  /// Checks that an office answers at an address, and only then stores it for the next sign-in.
  /// - Parameters:
  ///   - fingerprint: the fingerprint that the office's administrator has given out; nil accepts
  ///     the one that is found.
  ///   - certificate: PEM, if the system does not know the office's TLS certificate; nil uses the
  ///     system's trust store, whatever was given for this office before.
  /// - Throws: `DeliveryError`; nothing is stored then.
  package func chooseOffice(
    _ address: String, fingerprint: String? = nil, certificate: String? = nil
  ) async throws -> OfficeMessage {
    let link = try link(toChosen: address, certificate: certificate)
    do {
      let office = try await link.office()
      _ = try OfficeSuccession.expected(fingerprint, of: office, at: link.address)
      guard let found = ChosenOffice.fingerprint(office.fingerprint) else {
        throw DeliveryError.notAnOffice(
          address: link.address, reason: "it shows no fingerprint")
      }
      try ChosenOffice(
        address: try HTTPOfficeLink.normalised(address), fingerprint: found,
        certificate: certificate
      ).keep(in: configuration.dataDirectory)
      await (link as? HTTPOfficeLink)?.close()
      return office
    } catch {
      await (link as? HTTPOfficeLink)?.close()
      throw error
    }
  }

  /// Makes the default office hold again, from the next sign-in on.
  package func useDefaultOffice() throws {
    try ChosenOffice.forget(in: configuration.dataDirectory)
  }

  /// Signs an inspector in at the office that the page shows.
  package func signIn(login: String, password: String, at office: OfficeToSignIn) async throws {
    if let chosen = office.chosen {
      let link = try link(toChosen: chosen.address, certificate: chosen.certificate)
      do {
        try await desk.signIn(
          login: login, password: password, over: link, pin: chosen.fingerprint,
          tlsCertificate: chosen.certificate, forgetsCertificate: chosen.certificate == nil)
        await (link as? HTTPOfficeLink)?.close()
      } catch {
        await (link as? HTTPOfficeLink)?.close()
        throw error
      }
      return
    }
    // Two spellings of one address are one office.
    let address = try HTTPOfficeLink.normalised(office.address)
    try await desk.signIn(login: login, password: password, over: try self.link(to: address))
  }
}
