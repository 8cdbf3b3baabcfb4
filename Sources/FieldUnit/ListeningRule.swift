import Positioning

/// Where the field unit may be reached. Its pages ask for no password of their own, and a password is
/// typed into them once: beyond this machine they are shown over TLS only.
public enum ListeningRule {
  /// Why it does not listen there; nil where it may.
  /// - Parameters:
  ///   - host: the name or address to listen at.
  ///   - hasTLS: whether it answers over TLS itself.
  ///   - hostNames: further names under which it is reached; one that begins with `https://` is that of
  ///     a proxy in front which does TLS.
  public static func refusal(host: String, hasTLS: Bool, hostNames: [String]) -> Wording? {
    if hasTLS || isLoopback(host) { return nil }
    if hostNames.contains(where: { $0.lowercased().hasPrefix("https://") }) { return nil }
    return
      "--listen \(host) reaches beyond this machine without TLS: give --tls-cert and --tls-key, or"
      + " --host-name https://NAME where a proxy in front does TLS, or stay at 127.0.0.1"
  }

  /// Whether only this machine reaches it: all of 127.0.0.0/8, ::1 and the name for them.
  public static func isLoopback(_ host: String) -> Bool {
    let name = host.lowercased()
    if ["localhost", "::1", "0:0:0:0:0:0:0:1"].contains(name) { return true }
    let parts = name.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
  }
}
