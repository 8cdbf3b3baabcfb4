import Geodesy

// A receiver tells one instant in several sentences, in an order of its own, and repeats the time
// in some of them only. The obvious way is to publish a fix at each position sentence: then speed,
// mode and uncertainty belong to the second before. Waiting for the time to change is right but a
// second late, which is a long time in front of a shutter. So the reports of one instant are
// collected until the time changes, or until the sentence arrives with which this receiver has
// ended its last epochs. Cost: constant for each sentence, no allocation but for satellites.

/// The sentence with which a receiver ends each epoch: kind, talker, and how often the kind has
/// come in the epoch by then.
public struct CycleEnd: Hashable, Sendable {
  var kind: NMEAReport.Kind
  var talker: UInt16
  var ordinal: Int

  /// `GNRMC/1`: the form in which a raw window names what had been learned before it began.
  public var text: String {
    let first = Character(Unicode.Scalar(UInt8(talker >> 8)))
    let second = Character(Unicode.Scalar(UInt8(talker & 0xFF)))
    return "\(first)\(second)\(kind.name)/\(ordinal)"
  }

  /// Reads what `text` wrote; nil for anything else.
  public init?(text: String) {
    let bytes = Array(text.utf8)
    guard let slash = bytes.firstIndex(of: UInt8(ascii: "/")), slash >= 4,
      let ordinal = Int(String(decoding: bytes[(slash + 1)...], as: UTF8.self)),
      (1...99).contains(ordinal),
      let kind = NMEAReport.Kind.allCases.first(where: {
        $0.name.utf8.elementsEqual(bytes[2..<slash])
      })
    else { return nil }
    self.init(kind: kind, talker: UInt16(bytes[0]) << 8 | UInt16(bytes[1]), ordinal: ordinal)
    guard self.text == text else { return nil }
  }

  init(kind: NMEAReport.Kind, talker: UInt16, ordinal: Int) {
    self.kind = kind
    self.talker = talker
    self.ordinal = ordinal
  }
}

/// The reports of one epoch become one `Fix`.
public struct EpochAssembler: Sendable {
  /// With which sentence this receiver ends an epoch; nil until its rhythm is known.
  public private(set) var cycleEnd: CycleEnd?

  private var fix = Fix(time: .midnight)
  private var hasEpoch = false
  private var isPublished = false
  private var isInvalid = false
  /// Whether a sentence of this epoch is about the position: ZDA, GST and GBS may have a time of
  /// their own, and an epoch of them alone is no loss of the position.
  private var isAboutPosition = false
  private var hasMode = false
  private var positionRank = 0
  private var qualityRank = 0
  private var heightRank = 0
  private var geoidSeparation: Double?
  private var correctionStation: Int?
  private var errors: Errors?
  private var date: CivilDate?
  private var dateTime: Int?
  private var kindCounts = InlineArray<16, UInt8>(repeating: 0)
  private var lastReport: CycleEnd?
  private var candidate: CycleEnd?
  private var candidateCount = 0
  private var book = SkyBook()

  /// `cycleEnd` is what an earlier part of the same stream had taught.
  public init(cycleEnd: CycleEnd? = nil) {
    self.cycleEnd = cycleEnd
    candidate = cycleEnd
    candidateCount = cycleEnd == nil ? 0 : 2
  }

  /// The satellites of the last complete tellings.
  public var sky: [Satellite] {
    book.satellites(at: hasEpoch ? fix.time.millisecondsSinceMidnight : nil)
  }
  /// What the receiver has shown that it can hear.
  public var capability: ReceiverCapability { book.capability }

  /// Takes one GSV. Satellites in view come only every few epochs with many receivers, and in varying
  /// numbers: they never end an epoch, and an epoch does not wait for them.
  mutating func noteInView(_ sentence: NMEASentence, talker: UInt16) {
    book.noteInView(
      sentence, talker: talker, at: hasEpoch ? fix.time.millisecondsSinceMidnight : nil)
  }

  /// Takes the satellites of one GSA; what it says of the solution comes as a report.
  mutating func noteUsed(_ sentence: NMEASentence, talker: UInt16) {
    book.noteUsed(sentence, talker: talker)
  }

  /// Takes one report; `body` is called for each epoch that it completes: the one before when the
  /// time has changed, and its own when it ends it. True when the time has gone backwards.
  mutating func accept(_ report: NMEAReport, _ body: (Fix) -> Void) -> Bool {
    var isBackwards = false
    if let time = report.millisecondsSinceMidnight,
      !hasEpoch || time != fix.time.millisecondsSinceMidnight
    {
      learnRhythm()
      publish(body)
      isBackwards = hasEpoch && isBefore(time)
      begin(time: time)
    } else if report.kind.isTimed, report.millisecondsSinceMidnight == nil {
      // A timed sentence without its time: the receiver has no fix, and nothing to say.
      return false
    }
    guard hasEpoch else {
      return false
    }
    merge(report)
    let place = count(report)
    // Where the supposed end comes first for once, the position is still to come.
    if place == cycleEnd, isInvalid || fix.coordinate != nil { publish(body) }
    return isBackwards
  }

  /// The stream has ended or broken off: the epoch so far is all there is of it, and where it was
  /// torn says nothing about the receiver's rhythm.
  mutating func finish(_ body: (Fix) -> Void) {
    publish(body)
    hasEpoch = false
    lastReport = nil
  }

  // MARK: the epoch's life

  /// Midnight is no step back.
  private func isBefore(_ time: Int) -> Bool {
    let step = time - fix.time.millisecondsSinceMidnight
    return step < 0 && step > -43_200_000
  }

  private mutating func begin(time: Int) {
    if let dateTime, let day = date {
      // The date was said for another instant: it holds until the time of day runs past midnight,
      // and is not believed across a jump that is no midnight.
      let forward = time - dateTime
      if forward < -43_200_000 {
        date = CivilDate(daysSince1970: day.daysSince1970 + 1)
      } else if forward < 0 {
        date = nil
      }
      self.dateTime = time
    }
    guard let start = GNSSTime(millisecondsSinceMidnight: time, date: nil) else {
      hasEpoch = false
      return
    }
    fix = Fix(time: start)
    hasEpoch = true
    isPublished = false
    isInvalid = false
    isAboutPosition = false
    hasMode = false
    positionRank = 0
    qualityRank = 0
    heightRank = 0
    geoidSeparation = nil
    correctionStation = nil
    errors = nil
    book.beginEpoch()
    kindCounts = InlineArray(repeating: 0)
    lastReport = nil
  }

  /// Two epochs in a row with the same end teach it, and one with another end unteaches it. So the
  /// rhythm is a function of the last two epochs: whoever begins two epochs earlier knows the same.
  private mutating func learnRhythm() {
    guard let lastReport else { return }
    if lastReport == candidate {
      candidateCount += 1
    } else {
      candidate = lastReport
      candidateCount = 1
    }
    cycleEnd = candidateCount >= 2 ? candidate : nil
  }

  private mutating func count(_ report: NMEAReport) -> CycleEnd {
    let kind = Int(report.kind.rawValue)
    kindCounts[kind] &+= 1
    let place = CycleEnd(
      kind: report.kind, talker: report.talker, ordinal: Int(kindCounts[kind]))
    lastReport = place
    if isPublished, place != cycleEnd {
      // Something came after the supposed end: the rhythm was another.
      cycleEnd = nil
    }
    return place
  }

  private mutating func publish(_ body: (Fix) -> Void) {
    guard hasEpoch, !isPublished else { return }
    isPublished = true
    book.endEpoch()
    guard isAboutPosition else { return }
    var fix = fix
    fix.time = fix.time.on(date)
    if isInvalid || fix.coordinate == nil || (hasMode && fix.mode == .none) {
      body(Self.withoutPosition(fix))
      return
    }
    if !hasMode {
      // No GSA in this epoch: a height means a three-dimensional solution, as gpsd has it. What an
      // earlier GSA said is not carried on, so that a fix can be recomputed from its own epoch.
      let hasHeight = fix.meanSeaLevelHeightMetres != nil || fix.ellipsoidalHeightMetres != nil
      fix.mode = hasHeight ? .threeDimensional : .twoDimensional
    }
    if let geoidSeparation {
      if let height = fix.meanSeaLevelHeightMetres {
        fix.ellipsoidalHeightMetres = height + geoidSeparation
      } else if let height = fix.ellipsoidalHeightMetres {
        fix.meanSeaLevelHeightMetres = height - geoidSeparation
      }
    }
    if let correctionStation { fix.correctionStation = padded(correctionStation, 4) }
    if let errors {
      errors.set(&fix)
    } else {
      Self.setUncertaintyByDilution(&fix)
    }
    body(fix)
  }

  private static func withoutPosition(_ fix: Fix) -> Fix {
    var empty = Fix(time: fix.time)
    empty.quality = fix.quality
    empty.satellitesUsed = fix.satellitesUsed
    empty.headingDegreesTrue = fix.headingDegreesTrue
    empty.headingDegreesMagnetic = fix.headingDegreesMagnetic
    return empty
  }

  // MARK: uncertainty

  /// What the receiver says of its own errors.
  private struct Errors {
    var source: NMEAReport.ErrorSource
    var major: Double
    var minor: Double
    var height: Double?

    /// 95 % from the receiver's own statistics.
    ///
    /// The radius that holds 95 % of a two-dimensional normal distribution lies between 1.96 (one
    /// axis vanishes) and 2.448 (both are equal) times the larger sigma; between them it is close to
    /// linear in the ratio's square (error under 1 %). The radius that holds half is 1.1774 times
    /// the sigma of each axis, the interval that holds half of the heights 0.6745 times theirs.
    func set(_ fix: inout Fix) {
      fix.uncertaintySource = .receiver
      if source == .halfOfPositions {
        fix.horizontalUncertaintyMetres95 = max(major, minor) * (2.448 / 1.1774)
        fix.verticalUncertaintyMetres95 = height.map { $0 * (1.96 / 0.6745) }
        return
      }
      let larger = max(major, minor)
      let ratio = min(major, minor) / larger
      fix.horizontalUncertaintyMetres95 = larger * (1.96 + (2.448 - 1.96) * ratio * ratio)
      fix.verticalUncertaintyMetres95 = height.map { $0 * 1.96 }
    }
  }

  /// 95 % from dilution and an assumed sigma of the ranges.
  private static func setUncertaintyByDilution(_ fix: inout Fix) {
    let sigma = (fix.quality ?? .autonomous).assumedRangeSigmaMetres
    if let dilution = fix.horizontalDilution {
      // HDOP times sigma is the root of the sum of both axes' variances: 2.448 / √2 of it.
      fix.horizontalUncertaintyMetres95 = dilution * sigma * 1.731
      fix.uncertaintySource = .dilution
    }
    if let dilution = fix.verticalDilution {
      fix.verticalUncertaintyMetres95 = dilution * sigma * 1.96
      fix.uncertaintySource = .dilution
    }
  }

  // MARK: merging

  private mutating func merge(_ report: NMEAReport) {
    if let date = report.date {
      self.date = date
      dateTime = report.millisecondsSinceMidnight
    }
    if report.isValid == false { isInvalid = true }
    switch report.kind {
    case .gga, .rmc, .gns, .gll, .bx: isAboutPosition = true
    default: break
    }
    if isPublished { return }
    mergePosition(report)
    if let mode = report.mode {
      // One GSA a constellation: the one that takes no part in the solution may say "none".
      fix.mode = hasMode ? max(mode, fix.mode) : mode
      hasMode = true
    }
    if let value = report.satellitesUsed { fix.satellitesUsed = value }
    if let value = report.horizontalDilution { fix.horizontalDilution = value }
    if let value = report.verticalDilution { fix.verticalDilution = value }
    if let value = report.positionDilution { fix.positionDilution = value }
    if let value = report.speedMetresPerSecond { fix.speedMetresPerSecond = value }
    if let value = report.courseDegreesTrue { fix.courseDegreesTrue = value }
    if let value = report.climbMetresPerSecond { fix.climbMetresPerSecond = value }
    if let value = report.headingDegreesTrue { fix.headingDegreesTrue = value }
    if let value = report.headingDegreesMagnetic { fix.headingDegreesMagnetic = value }
    if let value = report.correctionAgeSeconds { fix.correctionAgeSeconds = value }
    if let value = report.geoidSeparationMetres { geoidSeparation = value }
    if let value = report.correctionStation { correctionStation = value }
    if let source = report.errorSource, let major = report.semiMajorErrorMetres,
      let minor = report.semiMinorErrorMetres, source.rawValue >= (errors?.source.rawValue ?? 0)
    {
      errors = Errors(
        source: source, major: major, minor: minor, height: report.heightErrorMetres)
    }
  }

  /// GGA, GNS and PUBX carry what the solution is; RMC and GLL repeat it, with fewer digits at
  /// times, and PGRMZ rounds the height to feet.
  private mutating func mergePosition(_ report: NMEAReport) {
    let rank =
      switch report.kind {
      case .gga: 5
      case .gns: 4
      case .bx: 3
      case .rmc: 2
      default: 1
      }
    if let coordinate = report.coordinate, report.isValid != false, rank >= positionRank {
      fix.coordinate = coordinate
      positionRank = rank
    }
    if let quality = report.quality, fix.quality != .simulated,
      rank >= qualityRank || quality == .simulated
    {
      fix.quality = quality
      qualityRank = rank
    }
    if rank >= heightRank {
      if let height = report.meanSeaLevelHeightMetres {
        fix.meanSeaLevelHeightMetres = height
        heightRank = rank
      }
      if let height = report.ellipsoidalHeightMetres { fix.ellipsoidalHeightMetres = height }
    }
  }
}
