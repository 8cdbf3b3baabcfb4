import TimeAndText

/// A reader that makes events of the sentences and messages of a stream, one after the other.
struct LineReader {
  private(set) var epochs: EpochAssembler
  private(set) var told: ToldFixes
  private var gpsd: GpsdDecoder?
  /// True if the stream has held a sentence of the receiver's own.
  private(set) var hasOwnSentences = false
  private(set) var gpsdSky: [Satellite] = []
  private(set) var gpsdSkyCount = 0
  private(set) var gpsdCapability = ReceiverCapability(constellations: [], signals: [])
  private(set) var backwardEpochs = 0
  private var pending: Fix?
  /// Number of TPVs since the receiver's last own sentence.
  private var positionsWithoutSentence = 0
  /// The number of TPVs without a sentence after which gpsd's positions count: gpsd may switch a
  /// receiver to its binary protocol.
  private static let positionsUntilBelieved = 20

  init(epochs: EpochAssembler, assumedDate: CivilDate?) {
    self.epochs = epochs
    told = ToldFixes(assumedDate: assumedDate)
  }

  mutating func read(_ line: StreamDecoder.Line, _ body: (DecodedEvent) -> Void) {
    switch line {
    case .sentence(let sentence):
      guard let address = NMEAReport.Address(sentence) else { return }
      hasOwnSentences = true
      positionsWithoutSentence = 0
      pending = nil
      guard address.kind != .gsv else {
        epochs.noteInView(sentence, talker: address.talker)
        return
      }
      if address.kind == .gsa { epochs.noteUsed(sentence) }
      let report = NMEAReport(sentence, address)
      if Self.accept(report, &epochs, &told, body) { backwardEpochs += 1 }
    case .json(let bytes):
      read(message: bytes, body)
    }
  }

  mutating func finish(_ body: (DecodedEvent) -> Void) {
    Self.finish(&epochs, &told, body)
    if let fix = pending { told.tell(fix, body) }
    pending = nil
  }

  // Static, so that the two parts of the structure, which change at once, are passed separately:
  // neither is copied.
  private static func accept(
    _ report: NMEAReport, _ epochs: inout EpochAssembler, _ told: inout ToldFixes,
    _ body: (DecodedEvent) -> Void
  ) -> Bool {
    epochs.accept(report) { told.tell($0, body) }
  }

  private static func finish(
    _ epochs: inout EpochAssembler, _ told: inout ToldFixes, _ body: (DecodedEvent) -> Void
  ) {
    epochs.finish { told.tell($0, body) }
  }

  // MARK: gpsd

  private mutating func read(
    message bytes: UnsafeBufferPointer<UInt8>, _ body: (DecodedEvent) -> Void
  ) {
    let decoder = gpsd ?? GpsdDecoder()
    gpsd = decoder
    switch decoder.decode(bytes) {
    case .version(let release, let major):
      body(.gpsdVersion(release: release, protocolMajor: major))
    case .devices(let paths): body(.gpsdDevices(paths))
    case .refusal(let words): body(.gpsdRefusal(words))
    case .sky(let satellites):
      gpsdSky = satellites
      gpsdSkyCount &+= 1
      gpsdCapability.add(satellites)
    case .position(let fix): accept(gpsdFix: fix, body)
    case .other: break
    }
  }

  /// Takes one TPV. gpsd reports an instant several times while it learns more; the last report
  /// counts.
  private mutating func accept(gpsdFix fix: Fix, _ body: (DecodedEvent) -> Void) {
    positionsWithoutSentence += 1
    if positionsWithoutSentence >= Self.positionsUntilBelieved { hasOwnSentences = false }
    guard !hasOwnSentences else { return }
    if let earlier = pending, earlier.time != fix.time { told.tell(earlier, body) }
    if let earlier = pending, earlier.time == fix.time, fix.mode < earlier.mode { return }
    pending = fix
  }
}

/// A counter of the epochs that are passed on, which adds dates to them if a person gave the first
/// day.
struct ToldFixes {
  /// Number of fixes with a position so far.
  private(set) var fixCount = 0
  /// Number of epochs so far, with and without a position.
  private(set) var epochCount = 0
  private let assumedDate: CivilDate?
  private var dayOfLast: CivilDate?
  private var lastTime: GNSSTime?

  init(assumedDate: CivilDate?) {
    self.assumedDate = assumedDate
    dayOfLast = assumedDate
  }

  mutating func tell(_ fix: Fix, _ body: (DecodedEvent) -> Void) {
    epochCount += 1
    if fix.coordinate != nil { fixCount += 1 }
    guard assumedDate != nil, fix.time.date == nil else {
      lastTime = fix.time
      body(.fix(fix))
      return
    }
    var fix = fix
    if let lastTime,
      fix.time.millisecondsSinceMidnight - lastTime.millisecondsSinceMidnight < -43_200_000,
      let day = dayOfLast
    {
      dayOfLast = CivilDate(daysSince1970: day.daysSince1970 + 1)
    }
    fix.time = fix.time.on(dayOfLast)
    lastTime = fix.time
    body(.fix(fix))
  }
}
