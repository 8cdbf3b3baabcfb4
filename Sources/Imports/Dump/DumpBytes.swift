/// The bytes of a dump, piece by piece, with the place from which the next one is read.
final class DumpBytes {
  /// A source of bytes, which fills the buffer from its beginning on and returns the number of
  /// bytes; 0 is the end.
  typealias Source = (UnsafeMutableRawBufferPointer) throws -> Int

  private let source: Source
  private let buffer: UnsafeMutableRawBufferPointer
  private var position = 0
  private var end = 0
  private var isAtEnd = false
  /// The number of bytes before those that are in the buffer.
  private var before = 0
  /// The line of the next byte, counted from 1.
  private(set) var line = 1

  /// The index of the next byte, counted from 0.
  var byte: Int { before + position }

  init(pieceBytes: Int, source: @escaping Source) {
    self.source = source
    buffer = .allocate(byteCount: max(64, pieceBytes), alignment: 16)
  }

  deinit { buffer.deallocate() }

  /// Fills the buffer with at least `count` bytes, at most 64, unless the dump ends before.
  private func fill(_ count: Int) throws {
    while end - position < count, !isAtEnd {
      if position > 0 {
        if end > position, let base = buffer.baseAddress {
          base.copyMemory(from: base + position, byteCount: end - position)
        }
        before += position
        end -= position
        position = 0
      }
      let free = UnsafeMutableRawBufferPointer(rebasing: buffer[end...])
      let read = try source(free)
      if read <= 0 {
        isAtEnd = true
      } else {
        end += min(read, free.count)
      }
    }
  }

  /// Returns the next byte, or one of the few after it, without reading it; nil after the end.
  @inline(__always)
  func peek(_ distance: Int = 0) throws -> UInt8? {
    if position + distance >= end {
      try fill(distance + 1)
      if position + distance >= end { return nil }
    }
    return buffer[position + distance]
  }

  /// Reads the next byte; nil at the end.
  @inline(__always)
  func take() throws -> UInt8? {
    guard let byte = try peek() else { return nil }
    position += 1
    if byte == 0x0A { line += 1 }
    return byte
  }

  /// Reads over `count` bytes.
  func skip(_ count: Int) throws {
    for _ in 0..<count { _ = try take() }
  }

  /// Returns true if the next bytes are these, at most 64.
  func isNext(_ bytes: [UInt8]) throws -> Bool {
    guard let first = bytes.first, try peek() == first else { return false }
    for (distance, byte) in bytes.enumerated() where try peek(distance) != byte { return false }
    return true
  }

  /// Calls `body` with the bytes up to the next of four signs, a piece at a time, without that
  /// sign.
  /// - Returns: true if there is such a sign; it is the next byte then.
  func run(
    upTo signs: (UInt8, UInt8, UInt8, UInt8), _ body: (UnsafeRawBufferPointer) -> Void
  ) throws -> Bool {
    while true {
      if position == end {
        try fill(1)
        if position == end { return false }
      }
      var index = position
      var lines = 0
      while index < end {
        let byte = buffer[index]
        if byte == signs.0 || byte == signs.1 || byte == signs.2 || byte == signs.3 { break }
        if byte == 0x0A { lines += 1 }
        index += 1
      }
      if index > position {
        body(UnsafeRawBufferPointer(rebasing: buffer[position..<index]))
        position = index
        line += lines
      }
      if index < end { return true }
    }
  }
}
