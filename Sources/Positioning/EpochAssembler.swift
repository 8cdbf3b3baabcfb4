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
    guard bytes.count >= 7, bytes[5] == UInt8(ascii: "/"),
      let ordinal = Int(String(decoding: bytes[6...], as: UTF8.self)), (1...99).contains(ordinal),
      let kind = NMEAReport.Kind.allCases.first(where: {
        $0.name.utf8.elementsEqual(bytes[2..<5])
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
  /// The satellites of the last complete telling.
  public private(set) var sky: [Satellite] = []

  private var current: Fix?
  private var isPublished = false
  private var isInvalid = false
  private var hasMode = false
  private var positionRank = 0
  private var qualityRank = 0
  private var geoidSeparation: Double?
  private var sigmas: (major: Double, minor: Double, height: Double?)?
  private var date: CivilDate?
  private var dateTime: Int?
  private var kindCounts = InlineArray<16, UInt8>(repeating: 0)
  private var lastReport: CycleEnd?
  private var candidate: CycleEnd?
  private var candidateCount = 0
  private var used: Set<SatelliteKey> = []
  private var usedNow: Set<SatelliteKey> = []
  private var skyNow: [UInt16: [Satellite]] = [:]

  private struct SatelliteKey: Hashable {
    var constellation: String
    var id: Int
  }

  /// `cycleEnd` is what an earlier part of the same stream had taught.
  public init(cycleEnd: CycleEnd? = nil) {
    self.cycleEnd = cycleEnd
    candidate = cycleEnd
    candidateCount = cycleEnd == nil ? 0 : 2
  }

  /// Takes one report; `body` is called for each epoch that it completes: the one before when the
  /// time has changed, and its own when it ends it.
  mutating func accept(_ report: NMEAReport, _ body: (Fix) -> Void) {
    if let time = report.millisecondsSinceMidnight,
      time != current?.time.millisecondsSinceMidnight
    {
      learnRhythm()
      if !isPublished, let fix = publish() { body(fix) }
      begin(time: time)
    } else if report.kind.isTimed, report.millisecondsSinceMidnight == nil {
      // A timed sentence without its time: the receiver has no fix, and nothing to say.
      return
    }
    guard current != nil else {
      noteSatellites(report)
      return
    }
    merge(report)
    let place = count(report)
    // Where the supposed end comes first for once, the position is still to come.
    let isTold = isInvalid || current?.coordinate != nil
    if place == cycleEnd, isTold, !isPublished, let fix = publish() { body(fix) }
  }

  /// The stream has ended or broken off: the epoch so far is all there is of it, and where it was
  /// torn says nothing about the receiver's rhythm.
  mutating func finish() -> Fix? {
    defer {
      current = nil
      lastReport = nil
    }
    return isPublished ? nil : publish()
  }

  // MARK: the epoch's life

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
    current = GNSSTime(millisecondsSinceMidnight: time, date: nil).map(Fix.init(time:))
    isPublished = false
    isInvalid = false
    hasMode = false
    positionRank = 0
    qualityRank = 0
    geoidSeparation = nil
    sigmas = nil
    usedNow = []
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
    // Satellites in view come only every few epochs with many receivers, and in varying numbers:
    // they never end an epoch, and an epoch does not wait for them.
    if report.kind != .gsv {
      lastReport = place
      if isPublished, place != cycleEnd {
        // Something came after the supposed end: the rhythm was another.
        cycleEnd = nil
      }
    }
    return place
  }

  private mutating func publish() -> Fix? {
    guard var fix = current else { return nil }
    isPublished = true
    fix.time = fix.time.on(date)
    if !usedNow.isEmpty { used = usedNow }
    if isInvalid || fix.coordinate == nil || (hasMode && fix.mode == .none) {
      return Self.withoutPosition(fix)
    }
    if !hasMode {
      // No GSA in this epoch: a height means a three-dimensional solution, as gpsd has it. What an
      // earlier GSA said is not carried on, so that a fix can be recomputed from its own epoch.
      fix.mode = fix.meanSeaLevelHeightMetres != nil ? .threeDimensional : .twoDimensional
    }
    if let height = fix.meanSeaLevelHeightMetres, let geoidSeparation {
      fix.ellipsoidalHeightMetres = height + geoidSeparation
    }
    Self.setUncertainty(&fix, sigmas: sigmas)
    return fix
  }

  private static func withoutPosition(_ fix: Fix) -> Fix {
    var empty = Fix(time: fix.time)
    empty.quality = fix.quality
    empty.satellitesUsed = fix.satellitesUsed
    return empty
  }

  /// 95 % from the receiver's own statistics where it sends them, otherwise from dilution and an
  /// assumed sigma of the ranges.
  ///
  /// The radius that holds 95 % of a two-dimensional normal distribution lies between 1.96 (one
  /// axis vanishes) and 2.448 (both are equal) times the larger sigma; between them it is close to
  /// linear in the ratio's square (error under 1 %).
  private static func setUncertainty(
    _ fix: inout Fix, sigmas: (major: Double, minor: Double, height: Double?)?
  ) {
    if let sigmas {
      let major = max(sigmas.major, sigmas.minor)
      let ratio = min(sigmas.major, sigmas.minor) / major
      fix.horizontalUncertaintyMetres95 = major * (1.96 + (2.448 - 1.96) * ratio * ratio)
      fix.verticalUncertaintyMetres95 = sigmas.height.map { $0 * 1.96 }
      fix.uncertaintySource = .receiver
      return
    }
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
    noteSatellites(report)
    if report.isValid == false { isInvalid = true }
    if isPublished { return }
    // GGA and GNS carry what the solution is; RMC and GLL repeat it, with fewer digits at times.
    let rank = report.kind == .gga ? 4 : report.kind == .gns ? 3 : report.kind == .rmc ? 2 : 1
    if let coordinate = report.coordinate, report.isValid != false {
      if rank >= positionRank {
        current?.coordinate = coordinate
        positionRank = rank
      }
    }
    if let quality = report.quality, current?.quality != .simulated {
      if rank >= qualityRank || quality == .simulated {
        current?.quality = quality
        qualityRank = rank
      }
    }
    if let mode = report.mode {
      // One GSA a constellation: the one that takes no part in the solution may say "none".
      let known = hasMode ? current?.mode : nil
      current?.mode = max(mode, known ?? mode)
      hasMode = true
    }
    set(\.satellitesUsed, report.satellitesUsed)
    set(\.horizontalDilution, report.horizontalDilution)
    set(\.verticalDilution, report.verticalDilution)
    set(\.positionDilution, report.positionDilution)
    set(\.meanSeaLevelHeightMetres, report.meanSeaLevelHeightMetres)
    set(\.speedMetresPerSecond, report.speedMetresPerSecond)
    set(\.courseDegreesTrue, report.courseDegreesTrue)
    set(\.correctionAgeSeconds, report.correctionAgeSeconds)
    if let separation = report.geoidSeparationMetres { geoidSeparation = separation }
    if let station = report.correctionStation {
      current?.correctionStation = padded(station, 4)
    }
    if let major = report.semiMajorSigmaMetres, let minor = report.semiMinorSigmaMetres {
      sigmas = (major, minor, report.heightSigmaMetres)
    }
  }

  private mutating func set<Value>(_ path: WritableKeyPath<Fix, Value?>, _ value: Value?) {
    if let value { current?[keyPath: path] = value }
  }

  private mutating func noteSatellites(_ report: NMEAReport) {
    if report.kind == .gsa {
      for satellite in report.satellites {
        usedNow.insert(SatelliteKey(constellation: satellite.constellation, id: satellite.id))
      }
    } else if report.kind == .gsv {
      if report.part == 1 { skyNow[report.talker] = [] }
      guard var group = skyNow[report.talker], group.count + report.satellites.count <= 64 else {
        return
      }
      group += report.satellites
      skyNow[report.talker] = group
      guard report.part == report.parts else { return }
      let now = usedNow.isEmpty ? used : usedNow
      sky = skyNow.keys.sorted().flatMap { skyNow[$0] ?? [] }.map {
        var satellite = $0
        satellite.isUsed = now.contains(SatelliteKey(constellation: $0.constellation, id: $0.id))
        return satellite
      }
    }
  }
}
