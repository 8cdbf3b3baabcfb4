import Crypto
import Foundation

/// SHA-256 digests, in the lower-case hexadecimal of `sha256sum` unless named otherwise.
public enum Digest {
  /// Returns the lower-case hexadecimal SHA-256 of `bytes`.
  public static func hexadecimal(_ bytes: some DataProtocol) -> String {
    hexadecimal(of: SHA256.hash(data: bytes))
  }

  /// Returns the lower-case hexadecimal SHA-256 of some ranges of `bytes`, one after the other.
  public static func hexadecimal(_ bytes: [UInt8], ranges: [Range<Int>]) -> String {
    var hash = SHA256()
    bytes.withUnsafeBytes { all in
      for range in ranges {
        hash.update(bufferPointer: UnsafeRawBufferPointer(rebasing: all[range]))
      }
    }
    return hexadecimal(of: hash.finalize())
  }

  /// Returns the lower-case hexadecimal SHA-256 of a file, which is never in memory as a whole; nil
  /// if the file cannot be read to its end.
  public static func hexadecimal(file path: String) -> String? {
    guard let handle = FileHandle(forReadingAtPath: path) else { return nil }
    defer { try? handle.close() }
    var hash = SHA256()
    do {
      while let data = try handle.read(upToCount: 1 << 20), !data.isEmpty {
        hash.update(data: data)
      }
    } catch {
      return nil
    }
    return hexadecimal(of: hash.finalize())
  }

  /// Returns the SHA-256 of `bytes` in Base64, as HTTP header fields carry it.
  public static func base64(_ bytes: some DataProtocol) -> String {
    Data(SHA256.hash(data: bytes)).base64EncodedString()
  }

  /// Converts a digest from hexadecimal to Base64; nil if the text is no digest.
  public static func base64(ofHexadecimal digest: String) -> String? {
    guard isDigest(digest) else { return nil }
    let digits = digest.utf8.map { UInt8($0 < 0x3A ? $0 - 0x30 : $0 - 0x57) }
    return Data(stride(from: 0, to: 64, by: 2).map { digits[$0] << 4 | digits[$0 + 1] })
      .base64EncodedString()
  }

  /// Returns true if a text is a SHA-256 in 64 lower-case hexadecimal digits.
  public static func isDigest(_ text: String) -> Bool {
    text.utf8.count == 64
      && text.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
  }

  /// Returns a digest's bytes in lower-case hexadecimal.
  package static func hexadecimal(of digest: some Sequence<UInt8>) -> String {
    let digits = Array("0123456789abcdef".utf8)
    var text: [UInt8] = []
    for byte in digest {
      text.append(digits[Int(byte >> 4)])
      text.append(digits[Int(byte & 15)])
    }
    return String(decoding: text, as: UTF8.self)
  }
}

/// A SHA-256 over bytes that come piece by piece.
package struct RunningDigest {
  private var hash = SHA256()

  /// Creates the digest of no bytes yet.
  package init() {}

  /// Adds the next piece.
  package mutating func update(_ piece: [UInt8]) { hash.update(data: piece) }

  /// Returns the digest of all pieces so far, in lower-case hexadecimal.
  package func hexadecimal() -> String { Digest.hexadecimal(of: hash.finalize()) }
}

/// Base64 for URLs without padding, as JOSE writes bytes (RFC 7515, appendix C). Every seal that is
/// read is decoded here in three parts, so the code works on bytes and not on characters.
package enum Base64URL {
  private static let digits = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
  /// The value of each digit; 255 for a byte that is no digit.
  private static let values: [UInt8] = {
    var values = Array(repeating: UInt8(255), count: 256)
    for (value, digit) in digits.enumerated() { values[Int(digit)] = UInt8(value) }
    return values
  }()

  package static func text(_ bytes: some Sequence<UInt8>) -> String {
    var text: [UInt8] = []
    text.reserveCapacity(bytes.underestimatedCount * 4 / 3 + 4)
    var held: UInt32 = 0
    var bits: UInt32 = 0
    for byte in bytes {
      held = held << 8 | UInt32(byte)
      bits += 8
      while bits >= 6 {
        bits -= 6
        text.append(digits[Int(held >> bits & 63)])
      }
    }
    if bits > 0 { text.append(digits[Int(held << (6 - bits) & 63)]) }
    return String(decoding: text, as: UTF8.self)
  }

  /// Decodes a text; nil if the text is not the one encoding of some bytes.
  package static func bytes(_ text: some StringProtocol) -> [UInt8]? {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.utf8.count * 3 / 4)
    var held: UInt32 = 0
    var bits: UInt32 = 0
    for digit in text.utf8 {
      let value = values[Int(digit)]
      guard value < 64 else { return nil }
      held = held << 6 | UInt32(value)
      bits += 6
      if bits >= 8 {
        bits -= 8
        bytes.append(UInt8(truncatingIfNeeded: held >> bits))
      }
    }
    // The bits left over belong to no byte: they must be fewer than the six of a digit, and all zero.
    guard bits < 6, held & (1 << bits - 1) == 0 else { return nil }
    return bytes
  }
}
