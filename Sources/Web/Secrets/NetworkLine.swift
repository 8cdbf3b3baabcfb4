import Glibc

/// The network line from which a client asks, by which limits count.
public enum NetworkLine {
  /// The name of the line if the system does not tell an address.
  public static let unknown = "unknown"

  /// Returns the line's name: an IPv4 address unchanged; of an IPv6 address the first 64 bits, which
  /// are one customer's: within them a customer has practically unlimited addresses. `unknown` if
  /// the address is nil or unreadable.
  public static func name(of address: String?) -> String {
    guard let address else { return unknown }
    var bytes = [UInt8](repeating: 0, count: 16)
    guard inet_pton(AF_INET6, address, &bytes) == 1 else {
      return inet_pton(AF_INET, address, &bytes) == 1 ? address : unknown
    }
    // A socket for both kinds reports an IPv4 address in the form of IPv6: it counts as the IPv4 address.
    if bytes[..<10].allSatisfy({ $0 == 0 }), bytes[10] == 0xFF, bytes[11] == 0xFF {
      return bytes[12...].map(String.init).joined(separator: ".")
    }
    let groups = stride(from: 0, to: 8, by: 2).map {
      String(UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1]), radix: 16)
    }
    return groups.joined(separator: ":") + "::/64"
  }
}
