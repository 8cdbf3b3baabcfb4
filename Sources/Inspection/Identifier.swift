import TimeAndText

/// An identifier made on the device that made the thing: a UUID of version 7 (RFC 9562). A retried
/// delivery is recognised by it, and identifiers sort by the time they were made.
public struct Identifier: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// The text form in lower case, with four hyphens.
  public let description: String

  /// Creates an identifier for something made at `time`.
  public init(at time: DeviceTime, using random: inout some RandomNumberGenerator) {
    let milliseconds = UInt64(clamping: time.millisecondsSince1970) & 0xFFFF_FFFF_FFFF
    let high = milliseconds << 16 | 0x7000 | UInt64.random(in: 0...0xFFF, using: &random)
    let low = 0x8000_0000_0000_0000 | random.next() >> 2
    description = Self.text(high, low)
  }

  /// Creates an identifier with the system's random numbers.
  public init(at time: DeviceTime) {
    var random = SystemRandomNumberGenerator()
    self.init(at: time, using: &random)
  }

  /// Reads an identifier that came from outside; nil if the text is not a UUID in lower case with
  /// four hyphens. Files are named after identifiers, so no other text may pass.
  public init?(_ text: String) {
    let bytes = Array(text.utf8)
    guard bytes.count == 36 else { return nil }
    for (index, byte) in bytes.enumerated() {
      if [8, 13, 18, 23].contains(index) {
        guard byte == UInt8(ascii: "-") else { return nil }
      } else {
        guard (0x30...0x39).contains(byte) || (0x61...0x66).contains(byte) else { return nil }
      }
    }
    description = text
  }

  /// The last two characters: they spread files evenly over 256 folders. The first characters are
  /// the time and would put all photos of a year into one folder.
  public var folder: String { String(description.suffix(2)) }

  /// Orders identifiers by the time they were made, the earliest first.
  public static func < (left: Identifier, right: Identifier) -> Bool {
    left.description < right.description
  }

  private static func text(_ high: UInt64, _ low: UInt64) -> String {
    func hexadecimal(_ value: UInt64) -> String {
      let digits = String(value, radix: 16)
      return String(repeating: "0", count: 16 - digits.count) + digits
    }
    let digits = Array(hexadecimal(high) + hexadecimal(low))
    let groups = [0..<8, 8..<12, 12..<16, 16..<20, 20..<32]
    return groups.map { String(digits[$0]) }.joined(separator: "-")
  }
}
