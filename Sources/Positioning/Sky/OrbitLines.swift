/// The lines of a file of orbits, one after the other: an array of them would take many times the room of a
/// file of nothing but short lines. Empty lines are left out.
struct OrbitLines {
  /// More than any file that is taken has of sensible lines: a day of all broadcasts has half as many.
  static let limit = 1_000_000

  private let bytes: [UInt8]
  private let limit: Int
  private var index = 0
  private var count = 0
  /// Whether there are more lines than are walked.
  private(set) var isCutOff = false

  init(_ bytes: [UInt8], limit: Int = OrbitLines.limit) {
    self.bytes = bytes
    self.limit = limit
  }

  /// The next line, without its end; nil behind the last, and behind the last that is walked.
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
