import Foundation

/// The scheme, host and port of an address. A password that was entered for one origin is sent to
/// no other: neither after a redirect, nor where a template of tiles leads.
package struct ServiceOrigin: Hashable, Sendable {
  /// The scheme, in lower case.
  package let scheme: String
  /// The host, in lower case.
  package let host: String
  /// The port, also where the address leaves it to the scheme.
  package let port: Int

  /// Reads the origin of an address, which may have names in braces; nil if it has none.
  package init?(of address: String) {
    guard let parts = URLComponents(string: address.replacing(/[{}]/, with: "")),
      let scheme = parts.scheme?.lowercased(), let host = parts.host?.lowercased(), !host.isEmpty
    else { return nil }
    (self.scheme, self.host) = (scheme, host)
    port = parts.port ?? (scheme == "https" ? 443 : 80)
  }

  /// The origin as people write it.
  package var text: String {
    let isUsual = port == (scheme == "https" ? 443 : 80)
    return "\(scheme)://\(host)" + (isUsual ? "" : ":\(port)")
  }
}
