// A receiver's stream is hostile: sentences arrive in pieces or several at once, with CR, LF, both
// or neither between them, binary protocols in the middle, and gpsd's JSON beside the receiver's
// own lines. The obvious reader splits the text at line ends and trusts what it finds; it loses
// sentences that are glued together, waits for a line end when the checksum is already there, and
// grows without bound on a stream that never ends a line.
//
// Here a sentence begins at any `$` and ends with its checksum, whatever stands around it. One pass
// over its bytes finds the fields, the checksum and the end; nothing is copied but a sentence or a
// message that a read has cut in two. What is counted does not depend on how the reads are cut.
// Cost: each byte is looked at once, no allocation once warm.

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
  /// Sentences and messages longer than any protocol allows; thrown away.
  public var overlong = 0
  /// Bytes that belonged to nothing above, line ends left out.
  public var otherBytes = 0
  /// Epochs whose time lies before that of the one before: logs glued together, a receiver that was
  /// restarted, or one that tells the halves of a second in turns.
  public var backwardEpochs = 0
}

/// Cuts a stream of bytes into NMEA sentences and lines of gpsd's JSON.
struct StreamDecoder: Sendable {
  /// The standard allows 82 bytes; makers' own sentences are longer, but none comes near this.
  static let sentenceLimit = 1024
  /// gpsd's longest message stays under this.
  static let messageLimit = 32_768

  enum Line {
    case sentence(NMEASentence)
    case json(UnsafeBufferPointer<UInt8>)
  }

  private enum State {
    /// Before the next sentence or message.
    case between
    /// `carry` holds the beginning of a sentence.
    case sentence
    /// `carry` holds the beginning of a message.
    case message
    /// Within a message that was too long, until its line ends.
    case overlong
  }

  private(set) var counts = StreamCounts()
  private var state = State.between
  private var isLineStart = true
  private var carry: [UInt8] = []

  /// How many of the last bytes belong to a sentence or message that is not at its end; of one that
  /// is too long, more than there are.
  var unfinishedByteCount: Int { state == .overlong ? .max : carry.count }

  /// Takes what one read returned. `body` is called for each sentence and message, in order.
  mutating func accept(_ chunk: UnsafeBufferPointer<UInt8>, _ body: (Line) -> Void) {
    var index = 0
    while index < chunk.count {
      switch state {
      case .between: index = read(chunk, from: index, body)
      case .sentence: index = finishSentence(chunk, from: index, body)
      case .message: index = finishMessage(chunk, from: index, body)
      case .overlong: index = passOver(chunk, from: index)
      }
    }
  }

  /// The stream has ended, or broken off: a sentence without its end is none, a message is one if
  /// it can be read.
  mutating func finish(_ body: (Line) -> Void) {
    let rest = carry
    carry.removeAll(keepingCapacity: true)
    switch state {
    case .between, .overlong: break
    case .sentence:
      rest.withUnsafeBufferPointer { bytes in
        var sentence = NMEASentence(bytes)
        let (end, _) = sentence.findFields(limit: bytes.count)
        if end < bytes.count {
          countBad(sentence, byteCount: bytes.count)
        } else {
          countUnfinished(sentence, byteCount: bytes.count)
        }
      }
    case .message:
      if rest.count >= Self.opening.count {
        counts.gpsdMessages += 1
        rest.withUnsafeBufferPointer { body(.json($0)) }
      } else {
        counts.otherBytes += rest.count
      }
    }
    state = .between
    isLineStart = true
  }

  // MARK: between

  private mutating func read(
    _ chunk: UnsafeBufferPointer<UInt8>, from start: Int, _ body: (Line) -> Void
  ) -> Int {
    var index = start
    while index < chunk.count {
      let byte = chunk[index]
      if byte == UInt8(ascii: "$") {
        let rest = UnsafeBufferPointer(rebasing: chunk[index...])
        guard let length = sentence(rest, body) else {
          keep(rest, .sentence)
          return chunk.count
        }
        index += length
        isLineStart = false
      } else if byte == 0x0A || byte == 0x0D {
        isLineStart = true
        index += 1
      } else if byte == UInt8(ascii: "{"), isLineStart {
        state = .message
        return index
      } else {
        counts.otherBytes += 1
        isLineStart = false
        index += 1
      }
    }
    return index
  }

  private mutating func keep(_ bytes: UnsafeBufferPointer<UInt8>, _ state: State) {
    carry.removeAll(keepingCapacity: true)
    carry.append(contentsOf: bytes)
    self.state = state
  }

  // MARK: sentences

  /// Reads the sentence at the beginning of `bytes`. How many bytes it took, or nil when its end is
  /// not among them: a function of these bytes alone, so that cutting them makes no difference.
  private mutating func sentence(
    _ bytes: UnsafeBufferPointer<UInt8>, _ body: (Line) -> Void
  ) -> Int? {
    let limit = min(bytes.count, Self.sentenceLimit)
    var sentence = NMEASentence(bytes)
    let (end, sum) = sentence.findFields(limit: limit)
    guard end < limit else {
      guard limit == Self.sentenceLimit else { return nil }
      counts.overlong += 1
      counts.otherBytes += limit
      return limit
    }
    guard bytes[end] == UInt8(ascii: "*") else {
      countUnfinished(sentence, byteCount: end)
      return end
    }
    guard end + 1 < bytes.count else { return nil }
    let high = Self.hexadecimal(bytes[end + 1])
    if high != nil, end + 2 == bytes.count { return nil }
    guard let high, let low = Self.hexadecimal(bytes[end + 2]), sentence.fieldCount > 0 else {
      countBad(sentence, byteCount: end + 1)
      return end + 1
    }
    guard high << 4 | low == sum else {
      countBad(sentence, byteCount: end + 3)
      return end + 3
    }
    counts.sentences += 1
    body(.sentence(sentence))
    return end + 3
  }

  private mutating func countUnfinished(_ sentence: NMEASentence, byteCount: Int) {
    if sentence.hasAddress {
      counts.missingChecksums += 1
    } else {
      counts.otherBytes += byteCount
    }
  }

  private mutating func countBad(_ sentence: NMEASentence, byteCount: Int) {
    // A `$` in binary data is no sentence.
    if sentence.hasAddress {
      counts.badChecksums += 1
    } else {
      counts.otherBytes += byteCount
    }
  }

  private mutating func finishSentence(
    _ chunk: UnsafeBufferPointer<UInt8>, from start: Int, _ body: (Line) -> Void
  ) -> Int {
    let before = carry.count
    // Two more than the limit: the checksum of the longest.
    let room = Self.sentenceLimit + 2 - before
    carry.append(contentsOf: chunk[start..<min(chunk.count, start + room)])
    let length = lendingCarry { decoder, bytes in decoder.sentence(bytes, body) }
    guard let length else { return chunk.count }
    carry.removeAll(keepingCapacity: true)
    state = .between
    isLineStart = false
    // At most the first digit of a checksum that is none lies before this read.
    if length < before { counts.otherBytes += before - length }
    return start + max(0, length - before)
  }

  /// The carried bytes, while the rest of the decoder can be changed; without a copy of them.
  private mutating func lendingCarry<Result>(
    _ body: (inout StreamDecoder, UnsafeBufferPointer<UInt8>) -> Result
  ) -> Result {
    var lent: [UInt8] = []
    swap(&lent, &carry)
    defer { swap(&lent, &carry) }
    return lent.withUnsafeBufferPointer { body(&self, $0) }
  }

  private static func hexadecimal(_ byte: UInt8) -> UInt8? {
    switch byte {
    case 0x30...0x39: byte - 0x30
    case 0x41...0x46: byte - 0x37
    case 0x61...0x66: byte - 0x57
    default: nil
    }
  }

  // MARK: messages

  /// How each of gpsd's messages begins; any other brace at a line's start is chance.
  private static let opening = Array(#"{"class":"#.utf8)

  private mutating func finishMessage(
    _ chunk: UnsafeBufferPointer<UInt8>, from start: Int, _ body: (Line) -> Void
  ) -> Int {
    var index = start
    while index < chunk.count, carry.count < Self.opening.count {
      guard chunk[index] == Self.opening[carry.count] else {
        counts.otherBytes += carry.count
        carry.removeAll(keepingCapacity: true)
        state = .between
        isLineStart = false
        return index
      }
      carry.append(chunk[index])
      index += 1
    }
    var end = index
    while end < chunk.count, chunk[end] != 0x0A, chunk[end] != 0x0D { end += 1 }
    if carry.count + (end - index) > Self.messageLimit {
      counts.overlong += 1
      counts.otherBytes += carry.count
      carry.removeAll(keepingCapacity: true)
      state = .overlong
      return index
    }
    carry.append(contentsOf: chunk[index..<end])
    guard end < chunk.count else { return end }
    counts.gpsdMessages += 1
    lendingCarry { _, bytes in body(.json(bytes)) }
    carry.removeAll(keepingCapacity: true)
    state = .between
    isLineStart = true
    return end + 1
  }

  private mutating func passOver(_ chunk: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
    var end = start
    while end < chunk.count, chunk[end] != 0x0A, chunk[end] != 0x0D { end += 1 }
    counts.otherBytes += end - start
    guard end < chunk.count else { return end }
    state = .between
    isLineStart = true
    return end + 1
  }
}
