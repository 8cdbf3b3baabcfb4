import Evidence
import Foundation
import Positioning
import Store
import Sync

/// The office that somebody has selected on the sign-in page, in the place of the default one. It was
/// reached and looked at before it was kept.
public struct ChosenOffice: Hashable, Sendable {
  /// Its address, as everything here writes it.
  public var address: String
  /// The fingerprint that it showed: no password is sent to an office with another one.
  public var fingerprint: String
  /// The certificates under which its TLS certificate was found, PEM; nil for the system's.
  public var certificate: String?

  private static let heading = "standpoint.office-choice/1"

  /// What is kept in a data directory; nil for nothing, or for what this program has not written.
  package static func read(in dataDirectory: URL) -> ChosenOffice? {
    let path = DataFolder(dataDirectory: dataDirectory).chosenOffice
    guard let bytes = try? DurableFile.read(path), bytes.count < 1 << 20,
      let text = String(validating: bytes, as: UTF8.self)
    else { return nil }
    let lines = text.split(separator: "\n", maxSplits: 3, omittingEmptySubsequences: false)
    guard lines.count == 4, lines[0] == heading,
      let address = try? HTTPOfficeLink.normalised(String(lines[1])),
      isFingerprint(lines[2])
    else { return nil }
    return ChosenOffice(
      address: address, fingerprint: String(lines[2]),
      certificate: lines[3].isEmpty ? nil : String(lines[3]))
  }

  /// Keeps it: the one before or this one is there, whatever happens meanwhile.
  package func keep(in dataDirectory: URL) throws {
    let text = [Self.heading, address, fingerprint, certificate ?? ""].joined(separator: "\n")
    try DurableFile.replace(
      DataFolder(dataDirectory: dataDirectory).chosenOffice, with: Array(text.utf8))
  }

  /// The default office holds again.
  package static func forget(in dataDirectory: URL) throws {
    try DurableFile.remove(DataFolder(dataDirectory: dataDirectory).chosenOffice)
  }

  /// A fingerprint as offices print it, with or without colons and blanks; nil for anything else.
  package static func fingerprint(_ text: String) -> String? {
    let plain = text.lowercased().filter { $0 != ":" && !$0.isWhitespace }
    return isFingerprint(plain[...]) ? plain : nil
  }

  private static func isFingerprint(_ text: Substring) -> Bool {
    text.utf8.count == 64
      && text.utf8.allSatisfy {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
          || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains($0)
      }
  }
}

/// The office that a sign-in page shows, read once: what is shown is what is signed in at.
package struct OfficeToSignIn: Hashable, Sendable {
  package var address: String
  /// Nil for the default one.
  package var chosen: ChosenOffice?

  /// By which signs it is believed to be that office. The address alone does not tell that another
  /// fingerprint or certificate was chosen for it meanwhile.
  package var trust: String {
    guard let chosen else { return "default" }
    let certificate = chosen.certificate.map { Digest.hexadecimal(Array($0.utf8)) }
    return "\(chosen.fingerprint) \(certificate ?? "system")"
  }
}

extension FieldServer {
  /// The office that was selected; nil where the default one holds.
  package var chosenOffice: ChosenOffice? { ChosenOffice.read(in: configuration.dataDirectory) }

  /// Where the next sign-in goes to; nil where there is neither a default nor a choice.
  package var officeToSignIn: OfficeToSignIn? {
    let chosen = chosenOffice
    return (chosen?.address ?? defaultOffice).map { OfficeToSignIn(address: $0, chosen: chosen) }
  }

  /// Looks whether an office answers at an address, and only then keeps it for the next sign-in.
  /// - Parameters:
  ///   - fingerprint: what the office's administrator has given out; nil to take what is found.
  ///   - certificate: PEM, where the system does not know the office's TLS certificate; nil trusts whom the
  ///     system trusts, whatever was given for this office before.
  /// - Throws: `DeliveryError`; nothing is kept then.
  package func chooseOffice(
    _ address: String, fingerprint: String? = nil, certificate: String? = nil
  ) async throws -> OfficeMessage {
    let link = try link(toChosen: address, certificate: certificate)
    do {
      let office = try await link.office()
      if let fingerprint, fingerprint != office.fingerprint {
        throw DeliveryError.otherAuthority(
          address: link.address, found: office.fingerprint, expected: fingerprint)
      }
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

  /// The default office holds again, from the next sign-in on.
  package func useDefaultOffice() throws {
    try ChosenOffice.forget(in: configuration.dataDirectory)
  }

  /// The certificates that hold for an office's TLS now, by the choice or the last sign-in there; nil for the
  /// system's trust, and for what is no address.
  /// - Throws: `StoreError` where the last sign-in cannot be read.
  package func knownCertificate(ofOffice address: String) throws -> String? {
    guard let address = try? HTTPOfficeLink.normalised(address) else { return nil }
    if let chosen = chosenOffice, chosen.address == address { return chosen.certificate }
    return try desk.tlsCertificate(ofOffice: address)
  }

  /// Signs somebody in at the office that their page shows.
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
