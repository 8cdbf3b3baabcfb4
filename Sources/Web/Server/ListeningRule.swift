/// The rule for the addresses at which a server may be reached. On this machine the field unit's pages
/// need no password of their own; beyond it they are shown over TLS only, and to paired phones only.
public enum ListeningRule {
  /// Returns true if the field unit serves an address over TLS with a certificate that it makes itself.
  /// - Parameters:
  ///   - host: the name or address to listen at.
  ///   - hasTLS: true if a certificate was given.
  ///   - hostNames: further names under which it is reached; a name that begins with `https://` is
  ///     that of a proxy in front that does TLS.
  public static func needsOwnCertificate(host: String, hasTLS: Bool, hostNames: [String]) -> Bool {
    !hasTLS && !isOwnName(host)
      && !hostNames.contains { $0.lowercased().hasPrefix("https://") }
  }

  /// Returns true for the names of a browser that runs on this machine itself: `localhost`, 127.0.0.1 and
  /// ::1. Another address of 127.0.0.0/8 may stand for anything, such as a phone's way in.
  public static func isOwnName(_ host: String) -> Bool {
    ["localhost", "127.0.0.1", "::1", "[::1]"].contains(host.lowercased())
  }

  /// Returns true if only this machine reaches the host: all of 127.0.0.0/8, ::1, and the name
  /// `localhost`.
  public static func isLoopback(_ host: String) -> Bool {
    // An address of IPv4 that a socket of IPv6 tells.
    let name = host.lowercased().replacing("::ffff:", with: "", maxReplacements: 1)
    if ["localhost", "::1", "0:0:0:0:0:0:0:1"].contains(name) { return true }
    let parts = name.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
  }
}
