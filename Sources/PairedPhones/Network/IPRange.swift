import Foundation

/// An address of IPv4 or IPv6 as its bytes, 4 or 16.
struct IPAddressBytes: Hashable, Sendable {
  let bytes: [UInt8]

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// Reads an address as text; nil if it is none.
  init?(_ text: String) {
    var four = in_addr()
    var six = in6_addr()
    if inet_pton(AF_INET, text, &four) == 1 {
      bytes = withUnsafeBytes(of: four) { Array($0) }
    } else if inet_pton(AF_INET6, text, &six) == 1 {
      bytes = withUnsafeBytes(of: six) { Array($0) }
    } else {
      return nil
    }
  }
}

/// A range of addresses, as certificates name it: an address and a mask of the same length.
struct IPRange: Hashable, Sendable {
  private let address: [UInt8]
  private let mask: [UInt8]

  /// The address and then the mask.
  var bytes: [UInt8] { address + mask }

  /// Creates a range by the bits that its addresses have in common.
  init(_ address: [UInt8], bits: Int) {
    self.address = address
    mask = address.indices.map { index in
      UInt8(truncatingIfNeeded: 0xFF00 >> min(max(bits - index * 8, 0), 8))
    }
  }

  /// Reads a range as certificates have it; nil if it is none.
  init?(encoded bytes: [UInt8]) {
    guard bytes.count == 8 || bytes.count == 32 else { return nil }
    address = Array(bytes.prefix(bytes.count / 2))
    mask = Array(bytes.suffix(bytes.count / 2))
  }

  /// Creates the range of one address.
  init(only address: IPAddressBytes) {
    self.init(address.bytes, bits: address.bytes.count * 8)
  }

  /// Returns true if an address is in the range.
  func holds(_ other: IPAddressBytes) -> Bool {
    other.bytes.count == address.count
      && zip(zip(other.bytes, address), mask).allSatisfy { ($0.0 ^ $0.1) & $1 == 0 }
  }
}
