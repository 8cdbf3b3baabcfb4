import Glibc

/// Whoever asks from an address, as limits count them.
public enum NetworkLine {
  /// Where the system does not tell an address.
  public static let unknown = "unknown"

  /// An IPv4 address as it is. Of an IPv6 address the first 64 bits, which one customer's line has: anybody has
  /// addresses without end within them.
  public static func name(of address: String?) -> String {
    guard let address else { return unknown }
    var bytes = [UInt8](repeating: 0, count: 16)
    guard inet_pton(AF_INET6, address, &bytes) == 1 else {
      return inet_pton(AF_INET, address, &bytes) == 1 ? address : unknown
    }
    // An IPv4 address in IPv6's clothes, as a socket for both kinds tells it, is that IPv4 address.
    if bytes[..<10].allSatisfy({ $0 == 0 }), bytes[10] == 0xFF, bytes[11] == 0xFF {
      return bytes[12...].map(String.init).joined(separator: ".")
    }
    let groups = stride(from: 0, to: 8, by: 2).map {
      String(UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1]), radix: 16)
    }
    return groups.joined(separator: ":") + "::/64"
  }
}
