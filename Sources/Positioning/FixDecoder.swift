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
  private var epochs: EpochAssembler
  private var gpsd: GpsdDecoder?
  private var hasOwnSentences = false
  private var gpsdSky: [Satellite] = []
  private var pending: Fix?
  /// Fixes with a position so far.
  public private(set) var fixCount = 0
  /// Epochs so far, with and without a position.
  public private(set) var epochCount = 0
  private let assumedDate: CivilDate?

  /// - Parameters:
  ///   - cycleEnd: what an earlier part of the same stream taught about the receiver's rhythm.
  ///   - assumedDate: the date of the first epoch for streams that carry none, given by a person.
  public init(cycleEnd: CycleEnd? = nil, assumedDate: CivilDate? = nil) {
    epochs = EpochAssembler(cycleEnd: cycleEnd)
    self.assumedDate = assumedDate
    dayOfLast = assumedDate
  }

  /// What the stream has held so far.
  public var counts: StreamCounts { lines.counts }
  /// With which sentence this receiver ends an epoch; nil until known.
  public var cycleEnd: CycleEnd? { epochs.cycleEnd }
  /// The satellites of the last complete telling.
  public var sky: [Satellite] { hasOwnSentences ? epochs.sky : gpsdSky }

  /// Takes what one read returned; `body` is called for each event, in order.
  public mutating func accept(_ chunk: [UInt8], _ body: (DecodedEvent) -> Void) {
    chunk.withUnsafeBufferPointer { accept($0, body) }
  }

  /// Takes what one read returned; `body` is called for each event, in order.
  public mutating func accept(
    _ chunk: UnsafeBufferPointer<UInt8>, _ body: (DecodedEvent) -> Void
  ) {
    var decoder = lines
    decoder.accept(chunk) { read($0, body) }
    lines = decoder
  }

  /// The stream has ended, or broken off: what is unfinished will not be finished.
  public mutating func finish(_ body: (DecodedEvent) -> Void) {
    var decoder = lines
    decoder.finish { read($0, body) }
    lines = decoder
    if let fix = epochs.finish() { deliver(fix, body) }
    if let fix = pending { deliver(fix, body) }
    pending = nil
  }

  private mutating func read(_ line: StreamDecoder.Line, _ body: (DecodedEvent) -> Void) {
    switch line {
    case .sentence(let sentence):
      guard let report = NMEAReport(sentence) else { return }
      hasOwnSentences = true
      pending = nil
      var assembler = epochs
      assembler.accept(report) { deliver($0, body) }
      epochs = assembler
    case .json(let bytes):
      let decoder = gpsd ?? GpsdDecoder()
      gpsd = decoder
      switch decoder.decode(bytes) {
      case .version(let release, let major):
        body(.gpsdVersion(release: release, protocolMajor: major))
      case .devices(let paths): body(.gpsdDevices(paths))
      case .refusal(let words): body(.gpsdRefusal(words))
      case .sky(let satellites, _, _, _): gpsdSky = satellites
      case .position(let fix): accept(gpsdFix: fix, body)
      case .other: break
      }
    }
  }

  /// gpsd tells an instant several times while its knowledge of it grows; the last telling counts.
  private mutating func accept(gpsdFix fix: Fix, _ body: (DecodedEvent) -> Void) {
    guard !hasOwnSentences else { return }
    if let earlier = pending, earlier.time != fix.time { deliver(earlier, body) }
    if let earlier = pending, earlier.time == fix.time, fix.mode < earlier.mode { return }
    pending = fix
  }

  private var dayOfLast: CivilDate?
  private var lastTime: GNSSTime?

  private mutating func deliver(_ fix: Fix, _ body: (DecodedEvent) -> Void) {
    var fix = fix
    epochCount += 1
    if fix.coordinate != nil { fixCount += 1 }
    if assumedDate != nil, fix.time.date == nil {
      if let lastTime,
        fix.time.millisecondsSinceMidnight - lastTime.millisecondsSinceMidnight < -43_200_000,
        let day = dayOfLast
      {
        dayOfLast = CivilDate(daysSince1970: day.daysSince1970 + 1)
      }
      fix.time = fix.time.on(dayOfLast)
    }
    lastTime = fix.time
    body(.fix(fix))
  }
}
