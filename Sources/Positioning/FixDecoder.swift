/// What a stream of bytes turned out to say.
public enum DecodedEvent: Sendable {
  /// An epoch is complete.
  case fix(Fix)
  /// gpsd's greeting, with the major version of its protocol.
  case gpsdVersion(release: String, protocolMajor: Int)
  /// The receivers that gpsd knows.
  case gpsdDevices([String])
  /// gpsd refuses something, in its own words.
  case gpsdRefusal(String)
}

/// Receiver bytes become fixes, whatever of NMEA 0183 and gpsd's JSON they hold.
///
/// Through gpsd an NMEA receiver is heard twice, in its own lines and in gpsd's reading of them. Its
/// own lines count: gpsd of Debian 12 gives no time for receivers that send GGA alone, and makes up
/// uncertainties that differ from the receiver's. gpsd's TPV counts only as long as the stream has
/// held no sentence of the receiver's own.
public struct FixDecoder {
  private var lines = StreamDecoder()
  private var reader: LineReader

  /// - Parameters:
  ///   - cycleEnd: what an earlier part of the same stream taught about the receiver's rhythm.
  ///   - leads: the same of whether sentences without a time belong to the epoch after them.
  ///   - assumedDate: the date of the first epoch for streams that carry none, given by a person.
  public init(cycleEnd: CycleEnd? = nil, leads: Bool? = nil, assumedDate: CivilDate? = nil) {
    reader = LineReader(
      epochs: EpochAssembler(cycleEnd: cycleEnd, leads: leads), assumedDate: assumedDate)
  }

  /// Fixes with a position so far.
  public var fixCount: Int { reader.told.fixCount }
  /// Epochs so far, with and without a position.
  public var epochCount: Int { reader.told.epochCount }
  /// What the stream has held so far.
  public var counts: StreamCounts {
    var counts = lines.counts
    counts.backwardEpochs = reader.backwardEpochs
    return counts
  }
  /// With which sentence this receiver ends an epoch; nil until known.
  public var cycleEnd: CycleEnd? { reader.epochs.cycleEnd }
  /// Whether this receiver's sentences without a time belong to the epoch that follows them.
  var leads: Bool { reader.epochs.leads }
  /// How many of the bytes taken last belong to a sentence or message that is not at its end.
  var unfinishedByteCount: Int { lines.unfinishedByteCount }
  /// The satellites of the last complete tellings.
  public var sky: [Satellite] { reader.hasOwnSentences ? reader.epochs.sky : reader.gpsdSky }
  /// What the receiver has shown that it can hear.
  public var capability: ReceiverCapability {
    reader.hasOwnSentences ? reader.epochs.capability : reader.gpsdCapability
  }

  /// Takes what one read returned; `body` is called for each event, in order.
  public mutating func accept(_ chunk: [UInt8], _ body: (DecodedEvent) -> Void) {
    chunk.withUnsafeBufferPointer { accept($0, body) }
  }

  /// Takes what one read returned; `body` is called for each event, in order.
  public mutating func accept(
    _ chunk: UnsafeBufferPointer<UInt8>, _ body: (DecodedEvent) -> Void
  ) {
    Self.accept(chunk, &lines, &reader, body)
  }

  /// The stream has ended, or broken off: what is unfinished will not be finished.
  public mutating func finish(_ body: (DecodedEvent) -> Void) {
    Self.finish(&lines, &reader, body)
    reader.finish(body)
  }

  // Two parts of one structure, changed at once: handed over apart, neither is copied.
  private static func accept(
    _ chunk: UnsafeBufferPointer<UInt8>, _ lines: inout StreamDecoder, _ reader: inout LineReader,
    _ body: (DecodedEvent) -> Void
  ) {
    lines.accept(chunk) { reader.read($0, body) }
  }

  private static func finish(
    _ lines: inout StreamDecoder, _ reader: inout LineReader, _ body: (DecodedEvent) -> Void
  ) {
    lines.finish { reader.read($0, body) }
  }
}
