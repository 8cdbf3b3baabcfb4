/// The second signature that anyone can make of a first one without the key: if (r, s) holds,
/// (r, n − s) holds, too (SEC 1, 4.1.4). Everything here signs with the lower s of the two. Signatures
/// with the higher one are read, because other software makes them, and earlier versions made them.
enum ECDSATwin {
  /// The order n of P-256's base point (SEC 2, 2.4.2), big-endian.
  private static let order: [UInt8] = [
    0xFF, 0xFF, 0xFF, 0xFF, 0x00, 0x00, 0x00, 0x00, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF,
    0xBC, 0xE6, 0xFA, 0xAD, 0xA7, 0x17, 0x9E, 0x84, 0xF3, 0xB9, 0xCA, 0xC2, 0xFC, 0x63, 0x25, 0x51,
  ]

  /// Returns (r, n − s) for a signature of 64 bytes; nil if it has another length, or s is above n.
  static func other(_ signature: [UInt8]) -> [UInt8]? {
    guard signature.count == 64 else { return nil }
    var difference = [UInt8](repeating: 0, count: 32)
    var borrow = 0
    for place in (0..<32).reversed() {
      let digit = Int(order[place]) - Int(signature[32 + place]) - borrow
      borrow = digit < 0 ? 1 : 0
      difference[place] = UInt8(digit + borrow << 8)
    }
    return borrow == 0 ? signature[..<32] + difference : nil
  }

  /// Returns the signature or its twin: the one with the lower s.
  static func low(_ signature: [UInt8]) -> [UInt8] {
    guard let other = other(signature) else { return signature }
    return other.lexicographicallyPrecedes(signature) ? other : signature
  }
}

/// Tells the second signature that anyone can make of a first one.
package enum SecondSignature {
  /// Returns true if a compact JWS has the signature with the higher s, which nothing here writes. False also if the text
  /// is no such JWS.
  package static func isIn(jws: String) -> Bool {
    guard let dot = jws.lastIndex(of: "."),
      let signature = Base64URL.bytes(
        jws[jws.index(after: dot)...].prefix { $0 != "\n" })
    else { return false }
    return ECDSATwin.low(signature) != signature
  }
}
