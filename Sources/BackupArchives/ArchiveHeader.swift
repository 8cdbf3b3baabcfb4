import Foundation
import Store

/// The header of a file in a backup: 512 bytes of POSIX ustar, so that any `tar` opens it.
///
/// Programs that read tar accept a lot: links, devices, owners, names in three dialects, and each
/// of these has been used for a way out of a folder. A backup is only ever read by the program that
/// wrote it, which therefore accepts one form of each header: the bytes that it would write itself
/// for that name, size and time. Everything else is no backup.
package struct ArchiveHeader: Equatable {
  /// The size of a block, bytes: a file and its header fill whole blocks.
  package static let blockBytes = 512
  /// The first size too large for eleven octal digits; from here on it is a number of base 256, as
  /// GNU tar writes it.
  private static let octalSizeLimit = 1 << 33

  /// The file's name, with its folders.
  package var name: String
  /// The file's size, bytes.
  package var size: Int
  /// The time of the entry, seconds since 1970.
  package var time: Int

  /// The header's bytes; nil if the name or a number does not fit.
  package var bytes: [UInt8]? {
    guard let (prefix, rest) = Self.split(name), size >= 0, (0..<Self.octalSizeLimit).contains(time)
    else { return nil }
    var block = Array(repeating: UInt8(0), count: Self.blockBytes)
    func put(_ text: some Sequence<UInt8>, at place: Int) {
      for (index, byte) in text.enumerated() { block[place + index] = byte }
    }
    put(rest, at: 0)
    put(Self.octal(0o600, 7), at: 100)
    put(Self.octal(0, 7), at: 108)
    put(Self.octal(0, 7), at: 116)
    if size < Self.octalSizeLimit {
      put(Self.octal(size, 11), at: 124)
    } else {
      block[124] = 0x80
      for index in 0..<8 {
        block[128 + index] = UInt8(truncatingIfNeeded: size >> (56 - 8 * index))
      }
    }
    put(Self.octal(time, 11), at: 136)
    block[156] = UInt8(ascii: "0")
    put("ustar".utf8, at: 257)
    put("00".utf8, at: 263)
    put(Self.octal(0, 7), at: 329)
    put(Self.octal(0, 7), at: 337)
    put(prefix, at: 345)
    // The checksum is over the header with spaces in the checksum's own place.
    put(Array(repeating: UInt8(ascii: " "), count: 8), at: 148)
    let sum = block.reduce(0) { $0 + Int($1) }
    put(Self.octal(sum, 6) + [0, UInt8(ascii: " ")], at: 148)
    return block
  }

  /// Creates a header.
  package init(name: String, size: Int, time: Int) {
    self.name = name
    self.size = size
    self.time = time
  }

  /// Reads a header; nil for every one that this program does not write.
  package init?(_ block: [UInt8]) {
    guard block.count == Self.blockBytes, let name = Self.name(in: block),
      let time = Self.number(block[136..<147])
    else { return nil }
    let size: Int
    if block[124] == 0x80 {
      guard block[128] < 0x80 else { return nil }
      size = block[128..<136].reduce(0) { $0 << 8 | Int($1) }
    } else {
      guard let octal = Self.number(block[124..<135]) else { return nil }
      size = octal
    }
    self.init(name: name, size: size, time: time)
    guard bytes == block else { return nil }
  }

  /// Returns the number of zeros that follow a file of this size.
  package static func padding(of size: Int) -> Int {
    let rest = size % blockBytes
    return rest == 0 ? 0 : blockBytes - rest
  }

  /// Splits a name of more than 100 bytes, whose folders go into a field of their own; nil if it
  /// fits neither way.
  private static func split(
    _ name: String
  ) -> (prefix: ArraySlice<UInt8>, rest: ArraySlice<UInt8>)? {
    let bytes = Array(name.utf8)
    guard !bytes.isEmpty, !bytes.contains(0) else { return nil }
    if bytes.count <= 100 { return ([], bytes[...]) }
    // At the first slash after which the rest fits: so each name has one form.
    guard
      let slash = bytes.indices.first(where: {
        bytes[$0] == UInt8(ascii: "/") && bytes.count - $0 - 1 <= 100
      }), slash <= 155, slash > 0, slash + 1 < bytes.count
    else { return nil }
    return (bytes[..<slash], bytes[(slash + 1)...])
  }

  private static func name(in block: [UInt8]) -> String? {
    let rest = block[0..<100].prefix { $0 != 0 }
    let prefix = block[345..<500].prefix { $0 != 0 }
    let bytes = prefix.isEmpty ? Array(rest) : prefix + [UInt8(ascii: "/")] + rest
    return String(validating: bytes, as: UTF8.self)
  }

  private static func octal(_ value: Int, _ digits: Int) -> [UInt8] {
    let text = String(value, radix: 8)
    return Array((String(repeating: "0", count: max(0, digits - text.count)) + text).utf8)
  }

  private static func number(_ digits: ArraySlice<UInt8>) -> Int? {
    var value = 0
    for digit in digits {
      guard (0x30...0x37).contains(digit) else { return nil }
      value = value << 3 | Int(digit - 0x30)
    }
    return value
  }
}
