import Office
import Store

/// A collector of a picture's base64 characters from the text around them, many at a time.
///
/// The problem: nearly all of a body is base64, but one in forty of its characters is written with
/// an escape of JSON (`\/`, and `\n` at the end of each line), and Android encodes these again
/// (`%5C%2F`, `%5Cn`, `%2B`). Taken one by one as any other text they cost more than all the rest
/// of a photo. The solution: the two or three forms in which the apps write them are known here;
/// anything else ends the run, and is read with all rules.
enum PictureText {
  /// Collects the base64 characters from `index` on, without their escapes.
  /// - Parameters:
  ///   - signs: the buffer for the characters, as large as the bytes.
  ///   - isEncoded: true if the bytes are percent-encoded.
  /// - Returns: the number of characters, and the index of the next byte that belongs to none of
  ///   them.
  static func collect(
    _ bytes: UnsafeBufferPointer<UInt8>, from index: Int, isEncoded: Bool,
    into signs: UnsafeMutableBufferPointer<UInt8>
  ) -> (signs: Int, end: Int) {
    guard let bytes = bytes.baseAddress.map({ ($0, bytes.count) }), let signs = signs.baseAddress
    else { return (0, index) }
    return kinds.withUnsafeBufferPointer { kinds in
      guard let kinds = kinds.baseAddress else { return (0, index) }
      var at = (index: index, count: 0)
      while at.index < bytes.1 {
        let byte = bytes.0[at.index]
        if kinds[Int(byte)] {
          signs[at.count] = byte
          at = (at.index &+ 1, at.count &+ 1)
          continue
        }
        guard let (sign, length) = escape(bytes.0 + at.index, bytes.1 - at.index, isEncoded) else {
          break
        }
        at.index += length
        if let sign {
          signs[at.count] = sign
          at.count += 1
        }
      }
      return (at.count, at.index)
    }
  }

  /// Reads a character that is written with an escape; `sign` is nil for a line's end. Nil if this
  /// is another escape, or if the escape has not arrived whole yet.
  @inline(__always)
  private static func escape(
    _ bytes: UnsafePointer<UInt8>, _ count: Int, _ isEncoded: Bool
  ) -> (sign: UInt8?, length: Int)? {
    guard let (first, length) = byte(bytes, count, isEncoded) else { return nil }
    if first == UInt8(ascii: "\\") {
      guard let (second, more) = byte(bytes + length, count - length, isEncoded) else { return nil }
      switch second {
      case UInt8(ascii: "/"): return (second, length + more)
      case UInt8(ascii: "n"), UInt8(ascii: "r"): return (nil, length + more)
      default: return nil
      }
    }
    return kinds[Int(first)] ? (first, length) : nil
  }

  /// Reads the next byte, decoded if it is percent-encoded; nil if its encoding is broken or not
  /// whole.
  @inline(__always)
  private static func byte(
    _ bytes: UnsafePointer<UInt8>, _ count: Int, _ isEncoded: Bool
  ) -> (byte: UInt8, length: Int)? {
    guard count > 0 else { return nil }
    guard isEncoded, bytes[0] == UInt8(ascii: "%") else { return (bytes[0], 1) }
    guard count > 2, let high = PHPDecoder.digit(bytes[1]), let low = PHPDecoder.digit(bytes[2])
    else { return nil }
    return (high << 4 | low, 3)
  }

  /// True for the bytes that mean themselves in base64, encoded or raw. The plus is one of them,
  /// because even as a space it is read as a plus.
  private static let kinds: [Bool] = (0...255).map { byte in
    switch UInt8(byte) {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2B, 0x2F: true
    default: false
    }
  }
}
