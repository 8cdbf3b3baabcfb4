import TimeAndText

/// The address of a TPM 2.0: `tpm:` for the one of this device, `tpm:?tcti=…` for another way to it.
public struct TPMAddress: Hashable, Sendable {
  /// The way to the TPM, in the words of the TPM software stack.
  public let connection: String

  /// The one of this device, behind the kernel's resource manager.
  static let own = "device:/dev/tpmrm0"
  /// The ways that are taken, besides a TPM's device. `cmd:` is not: it would run any command.
  private static let ways = ["tabrmd:", "swtpm:", "mssim:"]
  /// The beginning of each address.
  static let scheme = "tpm:"

  /// Reads an address.
  /// - Throws: `TokenError.malformedURI`.
  public init(_ text: String) throws(TokenError) {
    let way = "?tcti="
    let rest = String(text.dropFirst(Self.scheme.count))
    guard text.hasPrefix(Self.scheme), rest.isEmpty || rest.hasPrefix(way) else {
      throw .malformedURI("a TPM's address is tpm: or tpm:?tcti=device:/dev/tpmrm0")
    }
    let connection = rest.isEmpty ? Self.own : String(rest.dropFirst(way.count))
    guard Self.isAllowed(connection) else {
      throw .malformedURI(
        "a TPM is reached by device:/dev/tpmrm0, \(Self.ways.joined(separator: ", "))")
    }
    self.connection = connection
  }

  /// Returns true for a way that leads to a TPM: the stack would write its command into any file.
  static func isAllowed(_ connection: String) -> Bool {
    connection.wholeMatch(of: #/device:/dev/tpm(rm)?[0-9]{1,3}/#) != nil
      || ways.contains(where: connection.hasPrefix) && connection.utf8.count <= 256
        && connection.utf8.allSatisfy { (0x21...0x7E).contains($0) }
  }

  /// The address as text, from which `init` reads the same.
  public var text: String {
    connection == Self.own ? Self.scheme : Self.scheme + "?tcti=" + connection
  }
}
