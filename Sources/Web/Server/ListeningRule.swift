import TimeAndText

/// The rule for the addresses at which the field unit may be reached. Its pages need no password of
/// their own, but a password is typed into them at sign-in: so beyond this machine they are shown
/// over TLS only.
public enum ListeningRule {
  /// Returns the reason why the field unit may not listen at an address; nil if it may.
  /// - Parameters:
  ///   - host: the name or address to listen at.
  ///   - hasTLS: true if the field unit answers over TLS itself.
  ///   - hostNames: further names under which it is reached; a name that begins with `https://` is
  ///     that of a proxy in front that does TLS.
  public static func refusal(host: String, hasTLS: Bool, hostNames: [String]) -> Wording? {
    if hasTLS || isLoopback(host) { return nil }
    if hostNames.contains(where: { $0.lowercased().hasPrefix("https://") }) { return nil }
    return
      "--listen \(host) reaches beyond this machine without TLS: give --tls-cert and --tls-key, or"
      + " --host-name https://NAME if a proxy in front does TLS, or listen on 127.0.0.1"
  }

  /// Returns true if only this machine reaches the host: all of 127.0.0.0/8, ::1, and the name
  /// `localhost`.
  public static func isLoopback(_ host: String) -> Bool {
    let name = host.lowercased()
    if ["localhost", "::1", "0:0:0:0:0:0:0:1"].contains(name) { return true }
    let parts = name.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
  }
}
