import Foundation

/// Base64url of RFC 4648 section 5 without padding: safe in a cookie, a path and a form.
enum Base64URL {
  static func encode(_ bytes: some Sequence<UInt8>) -> String {
    Data(bytes).base64EncodedString()
      .replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
  }

  /// Decodes a text; nil for anything that `encode` would not have written.
  static func decode(_ encoded: some StringProtocol) -> [UInt8]? {
    let text = String(encoded)
    guard text.utf8.allSatisfy(isDigit), text.utf8.count % 4 != 1 else { return nil }
    var padded = text.replacing("-", with: "+").replacing("_", with: "/")
    padded += String(repeating: "=", count: (4 - padded.utf8.count % 4) % 4)
    guard let bytes = Data(base64Encoded: padded).map(Array.init) else { return nil }
    // The last digit may carry bits that belong to no byte: two texts would mean the same bytes.
    return encode(bytes) == text ? bytes : nil
  }

  static func isDigit(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
      true
    default: false
    }
  }
}
