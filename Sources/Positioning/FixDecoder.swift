import TimeAndText

/// An event found in a stream of bytes.
public enum DecodedEvent: Sendable {
  /// An epoch is complete.
  case fix(Fix)
  /// gpsd's greeting, with the major version of its protocol.
  case gpsdVersion(release: String, protocolMajor: Int)
  /// The receivers that gpsd knows.
  case gpsdDevices([String])
  /// gpsd refused something, in its own words.
  case gpsdRefusal(String)
}

/// A decoder that turns a receiver's bytes, NMEA 0183 or gpsd's JSON or both, into fixes.
///
/// Through gpsd an NMEA receiver is heard twice, in its own lines and in gpsd's reading of them.
/// The receiver's own lines count: gpsd of Debian 12 gives no time for receivers that send GGA
/// alone, and makes up uncertainties that differ from the receiver's. gpsd's TPV counts only as
/// long as the stream has held no sentence of the receiver's own.
public struct FixDecoder {
  private var lines = StreamDecoder()
  private var reader: LineReader

  /// Creates a decoder at the beginning of a stream, or of a later part of it.
  /// - Parameters:
  ///   - cycleEnd: the receiver's rhythm, learned from an earlier part of the same stream; nil if
  ///     not known.
  ///   - leads: true if sentences without a time belong to the epoch after them, learned from an
  ///     earlier part of the same stream; nil if not known.
  ///   - assumedDate: the date of the first epoch for streams that carry none, given by a person.
  public init(cycleEnd: CycleEnd? = nil, leads: Bool? = nil, assumedDate: CivilDate? = nil) {
    reader = LineReader(
      epochs: EpochAssembler(cycleEnd: cycleEnd, leads: leads), assumedDate: assumedDate)
  }

  /// Number of fixes with a position so far.
  public var fixCount: Int { reader.told.fixCount }
  /// Number of epochs so far, with and without a position.
  public var epochCount: Int { reader.told.epochCount }
  /// Counts of the stream's content so far.
  public var counts: StreamCounts {
    var counts = lines.counts
    counts.backwardEpochs = reader.backwardEpochs
    return counts
  }
  /// The sentence with which this receiver ends an epoch; nil until known.
  public var cycleEnd: CycleEnd? { reader.epochs.cycleEnd }
  /// True if this receiver's sentences without a time belong to the epoch that follows them.
  var leads: Bool { reader.epochs.leads }
  /// The number of bytes at the end of the stream so far that belong to an unfinished sentence or
  /// message.
  var unfinishedByteCount: Int { lines.unfinishedByteCount }
  /// The satellites of the last complete series of sentences, or of gpsd's last SKY.
  public var sky: [Satellite] { reader.hasOwnSentences ? reader.epochs.sky : reader.gpsdSky }
  /// A number that grows each time the receiver tells satellites anew.
  public var skyCount: Int { reader.epochs.skyCount &+ reader.gpsdSkyCount }
  /// The constellations and signals heard from the receiver so far.
  public var capability: ReceiverCapability {
    reader.hasOwnSentences ? reader.epochs.capability : reader.gpsdCapability
  }

  /// Takes the bytes of one read and calls `body` for each event, in order.
  public mutating func accept(_ chunk: [UInt8], _ body: (DecodedEvent) -> Void) {
    chunk.withUnsafeBufferPointer { accept($0, body) }
  }

  /// Takes the bytes of one read and calls `body` for each event, in order.
  public mutating func accept(
    _ chunk: UnsafeBufferPointer<UInt8>, _ body: (DecodedEvent) -> Void
  ) {
    Self.accept(chunk, &lines, &reader, body)
  }

  /// Finishes, because the stream has ended or broken off: an unfinished sentence will not be
  /// completed.
  public mutating func finish(_ body: (DecodedEvent) -> Void) {
    Self.finish(&lines, &reader, body)
    reader.finish(body)
  }

  // Static, so that the two parts of the structure, which change at once, are passed separately:
  // neither is copied.
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
