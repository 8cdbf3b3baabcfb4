import Evidence
import Foundation
import Store
import Sync
import TimeAndText

/// The office that a person has selected on the sign-in page, in the place of the default one. It
/// was reached and its answer checked before it was stored.
public struct ChosenOffice: Hashable, Sendable {
  /// The office's address, normalised.
  public var address: String
  /// The fingerprint that the office showed: no password is sent to an office with another one.
  public var fingerprint: String
  /// The certificates under which its TLS certificate was found, PEM; nil for the system's trust
  /// store.
  public var certificate: String?

  private static let heading = "standpoint.office-choice/1"

  /// Reads the selected office of a data directory; nil if none was selected.
  /// - Throws: `FieldUnitError.unreadable` if the file is there and cannot be read, or does not
  ///   name an office: a fingerprint that was checked must not be lost in silence.
  package static func read(in dataDirectory: URL) throws -> ChosenOffice? {
    try read(DataFolder(dataDirectory: dataDirectory))
  }

  /// Does the same for a folder.
  static func read(_ folder: DataFolder) throws -> ChosenOffice? {
    let path = folder.chosenOffice
    guard FileStatus(ofPath: path) != nil else { return nil }
    let bytes: [UInt8]
    do {
      bytes = try DurableFile.read(path)
    } catch StoreError.unavailable(_, let reason) {
      throw FieldUnitError.unreadable(path: path, reason: "\(word: reason)")
    }
    guard let choice = ChosenOffice(parsing: bytes) else {
      throw FieldUnitError.unreadable(
        path: path, reason: "it does not name an office: remove it, and select your office again")
    }
    return choice
  }

  /// Reads the bytes of the file; nil if they do not name an office.
  private init?(parsing bytes: [UInt8]) {
    guard bytes.count < 1 << 20, let text = String(validating: bytes, as: UTF8.self) else {
      return nil
    }
    let lines = text.split(separator: "\n", maxSplits: 3, omittingEmptySubsequences: false)
    guard lines.count == 4, lines[0] == Self.heading,
      let address = try? HTTPOfficeLink.normalised(String(lines[1])),
      Self.isFingerprint(lines[2])
    else { return nil }
    self.init(
      address: address, fingerprint: String(lines[2]),
      certificate: lines[3].isEmpty ? nil : String(lines[3]))
  }

  /// Creates a choice.
  package init(address: String, fingerprint: String, certificate: String?) {
    self.address = address
    self.fingerprint = fingerprint
    self.certificate = certificate
  }

  /// Stores the choice in one step: after a crash, either the earlier or this choice is there.
  package func keep(in dataDirectory: URL) throws {
    let text = [Self.heading, address, fingerprint, certificate ?? ""].joined(separator: "\n")
    try DurableFile.replace(
      DataFolder(dataDirectory: dataDirectory).chosenOffice, with: Array(text.utf8))
  }

  /// Removes the choice, so that the default office holds again.
  package static func forget(in dataDirectory: URL) throws {
    try DurableFile.remove(DataFolder(dataDirectory: dataDirectory).chosenOffice)
  }

  /// Returns a fingerprint from its printed form, with or without colons and blanks; nil for
  /// anything else.
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

/// The office that a sign-in page shows. It is read once, so that the inspector signs in at the
/// office that was shown.
package struct OfficeToSignIn: Hashable, Sendable {
  package var address: String
  /// The selected office; nil for the default one.
  package var chosen: ChosenOffice?

  /// The signs by which the office is recognised. The address alone does not show that another
  /// fingerprint or certificate was chosen for it meanwhile.
  package var trust: String {
    guard let chosen else { return "default" }
    let certificate = chosen.certificate.map { Digest.hexadecimal(Array($0.utf8)) }
    return "\(chosen.fingerprint) \(certificate ?? "system")"
  }
}
