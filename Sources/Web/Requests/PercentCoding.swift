/// Percent-encoding in paths, queries and forms. An encoding that is not exactly right is refused,
/// since two readers of a sloppy encoding rarely agree on what it says.
enum PercentCoding {
  /// Decodes a text; nil if a percent sign is not followed by two hexadecimal digits, if the bytes
  /// are not UTF-8, or if they hold a NUL.
  static func decode(_ text: some StringProtocol, plusIsSpace: Bool) -> String? {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.utf8.count)
    var rest = text.utf8.makeIterator()
    while let byte = rest.next() {
      switch byte {
      case UInt8(ascii: "%"):
        guard let high = rest.next().flatMap(digit), let low = rest.next().flatMap(digit) else {
          return nil
        }
        bytes.append(high << 4 | low)
      case UInt8(ascii: "+") where plusIsSpace: bytes.append(UInt8(ascii: " "))
      default: bytes.append(byte)
      }
    }
    guard !bytes.contains(0) else { return nil }
    return String(validating: bytes, as: UTF8.self)
  }

  private static func digit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    default: nil
    }
  }

  /// Encodes a value for a path segment or a query: letters, digits and `-._~` stay, and the rest
  /// becomes percent signs.
  static func encode(_ text: some StringProtocol) -> String {
    encode(text) { byte in
      Base64URL.isDigit(byte) || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "~")
    }
  }

  static func encode(_ text: some StringProtocol, keeping isKept: (UInt8) -> Bool) -> String {
    let digits = Array("0123456789ABCDEF")
    var encoded = ""
    for byte in text.utf8 {
      if isKept(byte) {
        encoded.unicodeScalars.append(Unicode.Scalar(byte))
      } else {
        encoded += "%\(digits[Int(byte >> 4)])\(digits[Int(byte & 15)])"
      }
    }
    return encoded
  }
}
