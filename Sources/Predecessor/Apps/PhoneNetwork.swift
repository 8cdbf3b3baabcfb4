import Glibc
import Office
import Store
import Sync

/// A network of the Internet: all addresses that share their leading bits.
struct PhoneNetwork: Hashable, Sendable {
  private let bytes: [UInt8]
  private let bits: Int

  /// Creates the network of all addresses that share the first `bits` bits of an address.
  private init(_ bytes: [UInt8], bits: Int) {
    self.bits = bits
    self.bytes = bytes.enumerated().map { index, byte in
      let kept = min(8, max(0, bits - index * 8))
      return kept == 8 ? byte : byte & ~(0xFF >> UInt8(kept))
    }
  }

  /// Creates the network that a rule names, `192.0.2.0/24`, `2001:db8::/32` or one address; nil for
  /// any other text.
  init?(rule: String) {
    let parts = rule.split(separator: "/", omittingEmptySubsequences: false)
    guard (1...2).contains(parts.count), let bytes = Self.bytes(of: String(parts[0])) else {
      return nil
    }
    let most = bytes.count * 8
    guard parts.count == 1 || parts[1].utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
      return nil
    }
    let bits = parts.count == 2 ? Int(parts[1]) : most
    guard let bits, (0...most).contains(bits) else { return nil }
    self.init(bytes, bits: bits)
  }

  /// Creates a network from a text that `text` has written; nil for any other text.
  init?(text: String) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, let bits = Int(parts[1]) else { return nil }
    let digits = Array(parts[0].utf8)
    var bytes: [UInt8] = []
    for index in stride(from: 0, to: digits.count - 1, by: 2) {
      guard let byte = UInt8(String(decoding: digits[index..<index + 2], as: UTF8.self), radix: 16)
      else { return nil }
      bytes.append(byte)
    }
    guard digits.count == bytes.count * 2, [0, 4, 16].contains(bytes.count),
      (0...128).contains(bits)
    else { return nil }
    self.init(bytes, bits: bits)
  }

  /// Creates the network around a caller's address, of `bits4` leading bits for IPv4 and `bits6`
  /// for IPv6. All addresses that the system does not tell are a network of their own.
  init(around address: String?, bits4: Int, bits6: Int) {
    let bytes = address.flatMap(Self.bytes(of:)) ?? []
    self.init(bytes, bits: bytes.count == 4 ? bits4 : bits6)
  }

  /// Returns true if an address belongs to the network.
  func contains(_ address: String?) -> Bool {
    guard let address, let other = Self.bytes(of: address), other.count == bytes.count else {
      return false
    }
    return PhoneNetwork(other, bits: bits).bytes == bytes
  }

  /// The network as text, different for each network. The network of all addresses is the same one
  /// for IPv4 and IPv6: a phone may use the one now and the other then.
  var text: String {
    guard bits > 0 else { return "00000000/0" }
    return bytes.map { byte in
      let digits = String(byte, radix: 16)
      return digits.count == 1 ? "0" + digits : digits
    }.joined() + "/\(bits)"
  }

  /// Returns true if the network has the size that the agency has set: a login from before a change
  /// of the size holds no more.
  func isAsLarge(as service: PhoneService) -> Bool {
    // The network of all addresses is one for both IPv4 and IPv6.
    guard bits > 0 else { return service.networkBits4 == 0 || service.networkBits6 == 0 }
    return bits == (bytes.count == 4 ? service.networkBits4 : service.networkBits6)
  }

  /// The network as people write it, `192.0.2.0/24`; nil if the address was not known.
  var name: String? {
    var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
    let family = bytes.count == 4 ? AF_INET : AF_INET6
    guard !bytes.isEmpty, inet_ntop(family, bytes, &text, socklen_t(text.count)) != nil else {
      return nil
    }
    let shown = String(
      decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    return bits == bytes.count * 8 ? shown : "\(shown)/\(bits)"
  }

  /// Returns the bytes of an address, 4 or 16; nil for any other text. An IPv4 address within IPv6
  /// is the IPv4 address.
  private static func bytes(of address: String) -> [UInt8]? {
    var four = in_addr()
    if inet_pton(AF_INET, address, &four) == 1 { return withUnsafeBytes(of: four) { Array($0) } }
    var six = in6_addr()
    // A scope, as in fe80::1%eth0, means something on this machine only.
    let plain = String(address.prefix { $0 != "%" })
    guard inet_pton(AF_INET6, plain, &six) == 1 else { return nil }
    let bytes = withUnsafeBytes(of: six) { Array($0) }
    let mapped = Array(repeating: UInt8(0), count: 10) + [0xFF, 0xFF]
    return Array(bytes.prefix(12)) == mapped ? Array(bytes.suffix(4)) : bytes
  }
}
