/// A ZIP file that is written byte by byte, honest or hostile: many fields can be a lie.
struct RawZip {
  struct Entry {
    var name: [UInt8]
    var data: [UInt8]
    var flags: UInt16 = 0x0800
    var method: UInt16 = 0
    /// The claimed size of the unpacked bytes; nil for the true one.
    var claimedSize: UInt32?
    var claimedChecksum: UInt32?
    /// Unix mode, in the upper half of the external attributes.
    var mode: UInt32 = 0o100_644
    /// True if the entry points at the bytes of the entry before.
    var sharesBytes = false

    init(_ name: String, _ data: [UInt8] = [1, 2, 3]) {
      self.name = Array(name.utf8)
      self.data = data
    }
  }

  var entries: [Entry]

  var bytes: [UInt8] {
    var file: [UInt8] = []
    var directory: [UInt8] = []
    var last = 0
    for entry in entries {
      let offset = entry.sharesBytes ? last : file.count
      last = offset
      let sum = entry.claimedChecksum ?? Self.checksum(entry.data)
      let size = entry.claimedSize ?? UInt32(entry.data.count)
      let common =
        Self.little(20, 2) + Self.little(UInt32(entry.flags), 2)
        + Self.little(UInt32(entry.method), 2) + Self.little(0, 2) + Self.little(0x21, 2)
        + Self.little(sum, 4) + Self.little(UInt32(entry.data.count), 4) + Self.little(size, 4)
        + Self.little(UInt32(entry.name.count), 2) + Self.little(0, 2)
      if !entry.sharesBytes {
        file += Self.little(0x0403_4B50, 4) + common + entry.name + entry.data
      }
      directory +=
        Self.little(0x0201_4B50, 4) + Self.little(0x0314, 2) + common + Self.little(0, 2)
        + Self.little(0, 2) + Self.little(0, 2) + Self.little(entry.mode << 16, 4)
        + Self.little(UInt32(offset), 4) + entry.name
    }
    let count = UInt32(entries.count)
    let end =
      Self.little(0x0605_4B50, 4) + Self.little(0, 4) + Self.little(count, 2)
      + Self.little(count, 2) + Self.little(UInt32(directory.count), 4)
      + Self.little(UInt32(file.count), 4) + Self.little(0, 2)
    return file + directory + end
  }

  private static func little(_ value: UInt32, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * UInt32($0))) }
  }

  /// Returns the CRC-32 of ZIP.
  static func checksum(_ bytes: [UInt8]) -> UInt32 {
    var sum: UInt32 = .max
    for byte in bytes {
      sum ^= UInt32(byte)
      for _ in 0..<8 { sum = sum & 1 == 1 ? sum >> 1 ^ 0xEDB8_8320 : sum >> 1 }
    }
    return ~sum
  }
}
