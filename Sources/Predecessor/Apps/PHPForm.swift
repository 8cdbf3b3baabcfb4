import Foundation
import Office
import Store

/// The fields of a form as PHP reads them, and as the apps meant them.
///
/// Android percent-encodes names and values; iOS joins them as they are,
/// `task_id=18&status=data provided&note=a & b`. A body with a byte that every encoder would encode
/// is such a raw body: nothing in it is decoded, and the field that the app sends last takes all the
/// rest, ampersands included.
///
/// The PHP rules that are followed: a plus is a space; a percent sign without two digits is itself;
/// of several values with the same name the last one counts; dots and spaces in names become
/// underscores; and a value is trimmed.
struct PHPForm: Sendable {
  private var values: [String: String] = [:]
  /// True if the body came raw, without an encoding.
  let isRaw: Bool

  /// Creates a form without fields.
  init() { isRaw = false }

  /// Creates a form of fields that were read one by one.
  init(_ values: [String: String], isRaw: Bool) {
    self.values = values
    self.isRaw = isRaw
  }

  /// Reads a form from a body.
  /// - Parameters:
  ///   - last: the field that the iOS app sends last, in which an ampersand may occur; nil if there
  ///     is none.
  ///   - readsRaw: true to read the body as raw, false as encoded; nil to decide by its bytes.
  init(_ bytes: [UInt8], last: String? = nil, readsRaw: Bool? = nil) {
    let isRaw = readsRaw ?? bytes.contains(where: Self.isNeverEncoded)
    self.isRaw = isRaw
    var rest = bytes[...]
    if isRaw, let last {
      let name = Array("\(last)=".utf8)
      if let start = Self.firstField(name, in: bytes) {
        values[last] = String(decoding: bytes[(start + name.count)...], as: UTF8.self)
        rest = bytes[..<start]
      }
    }
    for pair in rest.split(separator: UInt8(ascii: "&")) {
      let parts = pair.split(
        separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
      guard let first = parts.first else { continue }
      let name = Self.name(isRaw ? Array(first) : Self.decoded(first))
      let value = parts.count == 2 ? (isRaw ? Array(parts[1]) : Self.decoded(parts[1])) : []
      // No script has so many fields, so further ones are ignored.
      guard values.count < 200 || values[name] != nil else { break }
      values[name] = String(decoding: value, as: UTF8.self)
    }
  }

  /// The value of a field, trimmed as PHP trims; empty if the field is missing, as in PHP.
  subscript(_ name: String) -> String { Self.trimmed(values[name] ?? "") }

  /// Returns a field's value as it was sent; nil if the field is missing.
  func exact(_ name: String) -> String? { values[name] }

  /// Returns true if the field was sent, even without a value.
  func has(_ name: String) -> Bool { values[name] != nil }

  /// Returns the fields with other names than these.
  func others(than names: Set<String>) -> [String: String] {
    values.filter { !names.contains($0.key) }
  }

  /// Returns the form with the fields of the address added that the body lacks.
  func filled(with query: [String: String]) -> PHPForm {
    PHPForm(values.merging(query) { own, _ in own }, isRaw: isRaw)
  }

  // MARK: bytes

  /// Returns true for a byte that `application/x-www-form-urlencoded` always encodes and that
  /// occurs in what iOS sends.
  static func isNeverEncoded(_ byte: UInt8) -> Bool {
    switch byte {
    case 0...0x20, 0x22, 0x3C, 0x3E, 0x5B, 0x5C, 0x5D, 0x7B, 0x7D, 0x7F...0xFF: true
    default: false
    }
  }

  private static func firstField(_ name: [UInt8], in bytes: [UInt8]) -> Int? {
    var start = 0
    while start + name.count <= bytes.count {
      if bytes[start...].starts(with: name) { return start }
      guard let next = bytes[start...].firstIndex(of: UInt8(ascii: "&")) else { return nil }
      start = next + 1
    }
    return nil
  }

  /// Decodes bytes as PHP's `urldecode` does.
  static func decoded(_ bytes: some Collection<UInt8>) -> [UInt8] {
    var decoder = PHPDecoder()
    var out: [UInt8] = []
    out.reserveCapacity(bytes.count)
    for byte in bytes { decoder.decode(byte) { out.append($0) } }
    decoder.finish { out.append($0) }
    return out
  }

  static func name(_ bytes: [UInt8]) -> String {
    String(
      decoding: bytes.map { $0 == UInt8(ascii: ".") || $0 == 0x20 ? UInt8(ascii: "_") : $0 },
      as: UTF8.self)
  }

  /// Trims a text as PHP's `trim` does: space, tab, line feed, carriage return, NUL and vertical
  /// tab.
  static func trimmed(_ text: String) -> String {
    func isBlank(_ byte: UInt8) -> Bool { [0x20, 0x09, 0x0A, 0x0D, 0x00, 0x0B].contains(byte) }
    var bytes = Array(text.utf8)[...]
    while let first = bytes.first, isBlank(first) { bytes.removeFirst() }
    while let last = bytes.last, isBlank(last) { bytes.removeLast() }
    return String(decoding: bytes, as: UTF8.self)
  }
}

/// A decoder that works like PHP's `urldecode`, byte by byte: the input may come in pieces that end
/// anywhere.
struct PHPDecoder {
  private var held: (first: UInt8?, count: Int) = (nil, 0)

  /// True if no byte is held back.
  var isIdle: Bool { held.count == 0 }

  @inline(__always)
  mutating func decode(_ byte: UInt8, _ out: (UInt8) -> Void) {
    guard held.count == 0 else { return decodeHeld(byte, out) }
    switch byte {
    case UInt8(ascii: "%"): held = (nil, 1)
    case UInt8(ascii: "+"): out(0x20)
    default: out(byte)
    }
  }

  private mutating func decodeHeld(_ byte: UInt8, _ out: (UInt8) -> Void) {
    if let first = held.first, let high = Self.digit(first), let low = Self.digit(byte) {
      held = (nil, 0)
      return out(high << 4 | low)
    }
    if held.first == nil, Self.digit(byte) != nil {
      held = (byte, 2)
      return
    }
    // No two digits follow: the percent sign is itself, and the bytes after it are read as usual.
    let first = held.first
    held = (nil, 0)
    out(UInt8(ascii: "%"))
    if let first { out(first) }
    decode(byte, out)
  }

  /// Ends the input: bytes that were held back are no encoding, and stand for themselves.
  mutating func finish(_ out: (UInt8) -> Void) {
    if held.count > 0 {
      out(UInt8(ascii: "%"))
      if let first = held.first { out(first) }
    }
    held = (nil, 0)
  }

  @inline(__always)
  static func digit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case 0x30...0x39: byte - 0x30
    case 0x41...0x46: byte - 0x41 + 10
    case 0x61...0x66: byte - 0x61 + 10
    default: nil
    }
  }
}
