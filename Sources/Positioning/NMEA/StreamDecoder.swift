// A receiver's stream is hostile: sentences arrive in pieces or several at once, with CR, LF, both
// or neither between them, binary protocols in the middle, and gpsd's JSON among the receiver's own
// lines. The obvious reader splits the text at line ends and trusts the result; it loses sentences
// that are glued together, waits for a line end when the checksum is already there, and grows
// without bound on a stream that never ends a line.
//
// Here a sentence begins at any `$` and ends with its checksum, whatever is around it. One pass
// over its bytes finds the fields, the checksum and the end; only a sentence or a message that a
// read has cut in two is copied. The counts do not depend on how the reads are cut. Cost: each byte
// is read once, no allocation once warm.

/// Counts of a stream's content. Everything that is not used is counted.
public struct StreamCounts: Hashable, Sendable {
  /// Number of NMEA sentences whose checksum is right.
  public var sentences = 0
  /// Number of sentences whose checksum is wrong; they are not used.
  public var badChecksums = 0
  /// Number of sentences without a checksum; they are not used.
  public var missingChecksums = 0
  /// Number of lines of gpsd's JSON.
  public var gpsdMessages = 0
  /// Number of sentences and messages longer than any protocol allows; they are thrown away.
  public var overlong = 0
  /// Number of bytes outside the sentences and messages above, including those of overlong ones,
  /// without line ends.
  public var otherBytes = 0
  /// Number of epochs whose time is before that of the previous one: logs glued together, a
  /// receiver that was restarted, or a receiver that reports the halves of a second in turns.
  public var backwardEpochs = 0
}

/// A decoder that cuts a stream of bytes into NMEA sentences and lines of gpsd's JSON.
struct StreamDecoder: Sendable {
  /// The longest sentence, bytes. The standard allows 82; makers' own sentences are longer, but
  /// none comes near this.
  static let sentenceLimit = 1024
  /// The longest message of gpsd, bytes; real messages stay below it.
  static let messageLimit = 32_768

  enum Line {
    case sentence(NMEASentence)
    case json(UnsafeBufferPointer<UInt8>)
  }

  private enum State {
    /// The decoder is before the next sentence or message.
    case between
    /// `carry` holds the beginning of a sentence.
    case sentence
    /// `carry` holds the beginning of a message.
    case message
    /// The decoder is within a message that was too long, until its line ends.
    case overlong
  }

  private(set) var counts = StreamCounts()
  private var state = State.between
  private var isLineStart = true
  private var carry: [UInt8] = []

  /// The number of last bytes that belong to an unfinished sentence or message; the maximum of
  /// `Int` for one that is too long, so that it exceeds any read.
  var unfinishedByteCount: Int { state == .overlong ? .max : carry.count }

  /// Takes the bytes of one read and calls `body` for each sentence and message, in order.
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

  /// Finishes, because the stream has ended or broken off: a sentence without its end is not used,
  /// a message is used if it can be read.
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

  /// Reads the sentence at the beginning of `bytes` and returns the number of bytes that it took,
  /// or nil if its end is not among them. The result depends on these bytes alone, so that cutting
  /// them makes no difference.
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
    // Two bytes more than the limit hold the checksum of the longest sentence.
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

  /// Calls `body` with the carried bytes, without copying them, while the rest of the decoder can
  /// be changed.
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

  /// The beginning of each of gpsd's messages; any other brace at a line's start is chance.
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
