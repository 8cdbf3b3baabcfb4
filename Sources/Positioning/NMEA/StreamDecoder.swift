// A receiver's stream is hostile: sentences arrive in pieces or several at once, with CR, LF, both
// or neither between them, binary protocols in the middle, and gpsd's JSON beside the receiver's
// own lines. The obvious reader splits the text at line ends and trusts what it finds; it loses
// sentences that are glued together and grows without bound on a stream that never ends a line.
// Here bytes are cut at line ends in place, only an unfinished line is copied, no line may exceed
// `lineLimit`, and within a line each `$` starts anew. Cost: each byte is looked at twice.

/// What the stream held, as counts. Nothing that is not used is passed over unnoticed.
public struct StreamCounts: Hashable, Sendable {
  /// NMEA sentences whose checksum holds.
  public var sentences = 0
  /// Sentences whose checksum does not hold; they are not used.
  public var badChecksums = 0
  /// Sentences without a checksum; they are not used.
  public var missingChecksums = 0
  /// Lines of gpsd's JSON.
  public var gpsdMessages = 0
  /// Lines longer than any protocol allows; thrown away.
  public var overlongLines = 0
  /// Bytes that belonged to nothing above.
  public var otherBytes = 0
}

/// Cuts a stream of bytes into NMEA sentences and lines of gpsd's JSON.
struct StreamDecoder {
  /// gpsd's longest message stays under this, and no sentence comes near it.
  static let lineLimit = 32_768

  enum Line {
    case sentence(NMEASentence)
    case json(UnsafeBufferPointer<UInt8>)
  }

  private(set) var counts = StreamCounts()
  private var carry: [UInt8] = []
  private var isSkippingOverlong = false

  /// Takes what one read returned. `body` is called for each complete line, in order.
  mutating func accept(_ chunk: UnsafeBufferPointer<UInt8>, _ body: (Line) -> Void) {
    var start = 0
    var index = 0
    while index < chunk.count {
      let byte = chunk[index]
      if byte == 0x0A || byte == 0x0D {
        let piece = UnsafeBufferPointer(rebasing: chunk[start..<index])
        if isSkippingOverlong {
          counts.otherBytes += piece.count
          isSkippingOverlong = false
        } else if carry.count + piece.count > Self.lineLimit {
          throwAway(piece.count)
        } else if carry.isEmpty {
          cut(piece, body)
        } else {
          carry.append(contentsOf: piece)
          finishCarry(body)
        }
        start = index + 1
      }
      index += 1
    }
    guard start < chunk.count else { return }
    let rest = UnsafeBufferPointer(rebasing: chunk[start...])
    if isSkippingOverlong {
      counts.otherBytes += rest.count
    } else if carry.count + rest.count > Self.lineLimit {
      throwAway(rest.count)
      isSkippingOverlong = true
    } else {
      carry.append(contentsOf: rest)
    }
  }

  private mutating func throwAway(_ more: Int) {
    counts.overlongLines += 1
    counts.otherBytes += carry.count + more
    carry.removeAll(keepingCapacity: true)
  }

  /// The stream has ended: an unfinished last line is complete if its checksum holds.
  mutating func finish(_ body: (Line) -> Void) {
    isSkippingOverlong = false
    guard !carry.isEmpty else { return }
    finishCarry(body)
  }

  private mutating func finishCarry(_ body: (Line) -> Void) {
    let line = carry
    carry.removeAll(keepingCapacity: true)
    line.withUnsafeBufferPointer { cut($0, body) }
  }

  private mutating func cut(_ line: UnsafeBufferPointer<UInt8>, _ body: (Line) -> Void) {
    guard let first = line.first else { return }
    if first == UInt8(ascii: "{") {
      counts.gpsdMessages += 1
      body(.json(line))
      return
    }
    var start = 0
    while let dollar = line[start...].firstIndex(of: UInt8(ascii: "$")) {
      counts.otherBytes += dollar - start
      let end = line[(dollar + 1)...].firstIndex(of: UInt8(ascii: "$")) ?? line.count
      sentence(UnsafeBufferPointer(rebasing: line[(dollar + 1)..<end]), body)
      start = end
    }
    counts.otherBytes += line.count - start
  }

  /// `bytes` begin after `$`. A sentence ends at its checksum; what follows that is not its.
  private mutating func sentence(_ bytes: UnsafeBufferPointer<UInt8>, _ body: (Line) -> Void) {
    guard Self.looksLikeSentence(bytes) else {
      counts.otherBytes += bytes.count + 1
      return
    }
    var sum: UInt8 = 0
    var index = 0
    while index < bytes.count, bytes[index] != UInt8(ascii: "*") {
      sum ^= bytes[index]
      index += 1
    }
    guard index < bytes.count else {
      counts.missingChecksums += 1
      return
    }
    guard index + 2 < bytes.count, let high = Self.hexadecimal(bytes[index + 1]),
      let low = Self.hexadecimal(bytes[index + 2]), high << 4 | low == sum
    else {
      counts.badChecksums += 1
      return
    }
    counts.sentences += 1
    counts.otherBytes += bytes.count - (index + 3)
    body(.sentence(NMEASentence(bytes: UnsafeBufferPointer(rebasing: bytes[..<index]))))
  }

  /// Three or more capitals or digits and then a comma: anything else after `$` is chance.
  private static func looksLikeSentence(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    var count = 0
    for byte in bytes {
      if byte == UInt8(ascii: ",") { return count >= 3 }
      guard (0x41...0x5A).contains(byte) || (0x30...0x39).contains(byte), count < 12 else {
        return false
      }
      count += 1
    }
    return false
  }

  private static func hexadecimal(_ byte: UInt8) -> UInt8? {
    switch byte {
    case 0x30...0x39: byte - 0x30
    case 0x41...0x46: byte - 0x37
    case 0x61...0x66: byte - 0x57
    default: nil
    }
  }
}
