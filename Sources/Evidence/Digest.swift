import Crypto
import Foundation

/// SHA-256, written as everybody's `sha256sum` writes it.
public enum Digest {
  /// Lower-case hexadecimal SHA-256 of `bytes`.
  public static func hexadecimal(_ bytes: some DataProtocol) -> String {
    hexadecimal(of: SHA256.hash(data: bytes))
  }

  /// Lower-case hexadecimal SHA-256 of some ranges of `bytes`, one after the other.
  public static func hexadecimal(_ bytes: [UInt8], ranges: [Range<Int>]) -> String {
    var hash = SHA256()
    bytes.withUnsafeBytes { all in
      for range in ranges {
        hash.update(bufferPointer: UnsafeRawBufferPointer(rebasing: all[range]))
      }
    }
    return hexadecimal(of: hash.finalize())
  }

  /// SHA-256 of `bytes` in Base64, as header fields have it.
  public static func base64(_ bytes: some DataProtocol) -> String {
    Data(SHA256.hash(data: bytes)).base64EncodedString()
  }

  /// Whether a text is a SHA-256 as it is written here.
  static func isDigest(_ text: String) -> Bool {
    text.utf8.count == 64
      && text.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
  }

  private static func hexadecimal(of digest: SHA256.Digest) -> String {
    let digits = Array("0123456789abcdef".utf8)
    var text: [UInt8] = []
    for byte in digest {
      text.append(digits[Int(byte >> 4)])
      text.append(digits[Int(byte & 15)])
    }
    return String(decoding: text, as: UTF8.self)
  }
}

/// Base64 for URLs without padding, as JOSE writes bytes (RFC 7515, appendix C).
enum Base64URL {
  static func text(_ bytes: some Sequence<UInt8>) -> String {
    Data(bytes).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_")
      .replacing("=", with: "")
  }

  /// Nil for text that is not the one encoding of some bytes.
  static func bytes(_ text: some StringProtocol) -> [UInt8]? {
    guard !text.utf8.contains(where: { [0x2B, 0x2F, 0x3D].contains($0) }) else { return nil }
    var padded = String(text).replacing("-", with: "+").replacing("_", with: "/")
    padded += String(repeating: "=", count: (4 - padded.utf8.count % 4) % 4)
    guard let data = Data(base64Encoded: padded) else { return nil }
    let bytes = Array(data)
    return Base64URL.text(bytes) == String(text) ? bytes : nil
  }
}
