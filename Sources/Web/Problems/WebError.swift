/// The reasons why a server could not start.
public enum WebError: Error, Hashable, Sendable {
  /// The server cannot listen at the address or port: in use, not allowed, or not of this machine.
  case portUnavailable(host: String, port: Int, reason: String)
  /// The certificate or the key cannot be read, or they do not belong together.
  case unusableCertificate(certificatePath: String, keyPath: String, reason: String)

  /// A stable word for programs.
  public var code: String {
    switch self {
    case .portUnavailable: "port-unavailable"
    case .unusableCertificate: "unusable-certificate"
    }
  }
}

extension WebError: CustomStringConvertible {
  /// The message for people: what failed, where, and what to do next.
  public var description: String {
    switch self {
    case .portUnavailable(let host, let port, let reason):
      "cannot listen on \(host) port \(port): \(reason); choose another port, or stop what uses it"
    case .unusableCertificate(let certificatePath, let keyPath, let reason):
      "cannot serve TLS with certificate \(certificatePath) and key \(keyPath): \(reason); "
        + "both must be readable PEM files that belong together"
    }
  }
}
