/// The lines of a file of orbits, read one after the other, because an array of them would take
/// many times the memory of a file of very short lines. Empty lines are left out.
struct OrbitLines {
  /// The number of lines that are read: twice as many as a day of all broadcasts has, and more than
  /// any file of sensible lines.
  static let limit = 1_000_000

  private let bytes: [UInt8]
  private let limit: Int
  private var index = 0
  private var count = 0
  /// True if there are more lines than are read.
  private(set) var isCutOff = false

  init(_ bytes: [UInt8], limit: Int = OrbitLines.limit) {
    self.bytes = bytes
    self.limit = limit
  }

  /// Returns the next line, without its end; nil after the last line, and at the limit.
  mutating func next() -> ArraySlice<UInt8>? {
    while index < bytes.count, Self.isEnd(bytes[index]) { index += 1 }
    guard index < bytes.count else { return nil }
    guard count < limit else {
      isCutOff = true
      return nil
    }
    let start = index
    while index < bytes.count, !Self.isEnd(bytes[index]) { index += 1 }
    count += 1
    return bytes[start..<index]
  }

  private static func isEnd(_ byte: UInt8) -> Bool { byte == 0x0A || byte == 0x0D }
}
