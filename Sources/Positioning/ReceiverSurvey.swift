import TimeAndText

/// A survey of a receiver: its bytes are heard for some seconds, to tell if it is fit for
/// inspections.
public struct ReceiverSurvey {
  /// A fact about a receiver that the inspector should know.
  public struct Finding: Hashable, Sendable {
    /// The importance of a finding.
    public enum Weight: String, Hashable, Sendable {
      /// The receiver cannot be used for captures as it is.
      case unusable
      /// The receiver works, but less well than it could.
      case poor
      /// The finding is good to know.
      case note
    }

    /// The importance of the finding.
    public let weight: Weight
    /// A stable word for programs.
    public let code: String
    /// Words for the inspector: the fact, and what to do.
    public let wording: Wording
    /// The words in English.
    public var text: String { wording.description }
  }

  /// The result of a survey.
  public struct Outcome: Sendable {
    /// Number of bytes received.
    public let bytes: Int
    /// Counts of the stream's content.
    public let counts: StreamCounts
    /// Number of sentences of each kind, by their address, in alphabetical order.
    public let sentences: [(address: String, count: Int)]
    /// Epochs a second, by the receiver's own time; nil for fewer than two.
    public let epochsPerSecond: Double?
    /// The last fix with a position; nil without one.
    public let fix: Fix?
    /// The constellations and signals heard.
    public let capability: ReceiverCapability
    /// The findings about the receiver, the gravest first.
    public let findings: [Finding]
    /// True if captures can be taken with the receiver as it is.
    public var willDo: Bool { !findings.contains { $0.weight == .unusable } }

    /// The last fix in words: kind, quality, uncertainty, satellites, corrections; nil without one.
    public var fixWording: Wording? {
      guard let fix else { return nil }
      var words: [Wording] = ["\(word: fix.mode.name)"]
      if let quality = fix.quality { words.append("\(word: quality.name)") }
      if let metres = fix.horizontalUncertaintyMetres95 {
        words.append("± \(decimal: metres, places: 1) m (95 %)")
      }
      if let used = fix.satellitesUsed { words.append("\(used) satellites") }
      if let age = fix.correctionAgeSeconds {
        let seconds = DecimalText.fixed(age, places: 0)
        words.append(
          fix.correctionStation.map { "corrections \(seconds) s old from station \($0)" }
            ?? "corrections \(seconds) s old")
      }
      return words.joined(separator: ", ")
    }

    /// The last fix in English words; nil without one.
    public var fixText: String? { fixWording?.description }

    /// Number of sentences of each kind, in words.
    public var sentencesText: String {
      sentences.map { "\($0.address) \($0.count)" }.joined(separator: ", ")
    }
  }

  /// The outcome for a receiver from which nothing was heard.
  public static var nothing: Outcome {
    var survey = ReceiverSurvey(seconds: 0)
    return survey.finish()
  }

  private let seconds: Double
  private let allowsSimulated: Bool
  private let isOneOfSeveral: Bool
  private var lines = StreamDecoder()
  private var decoder = FixDecoder()
  private var byteCount = 0
  private var kinds: [String: Int] = [:]
  private var gpsdWords: Wording?
  private var epochs: [GNSSTime] = []
  private var positions = 0
  private var lastPosition: Fix?
  private var best: Fix?

  /// The number of sentence kinds that are counted: more than any receiver sends.
  private static let kindLimit = 64
  /// The rate from which a stream is a flood: 25 Hz with all sentences is only about 20 kB a
  /// second.
  private static let floodBytesPerSecond = 200_000.0

  /// Creates a survey.
  /// - Parameters:
  ///   - seconds: the seconds for which the receiver will be heard.
  ///   - allowsSimulated: true if a simulator's positions are let in.
  ///   - isOneOfSeveral: true if one of a gpsd's receivers was named, so that the others do not
  ///     matter.
  public init(seconds: Double, allowsSimulated: Bool = false, isOneOfSeveral: Bool = false) {
    self.seconds = seconds
    self.isOneOfSeveral = isOneOfSeveral
    self.allowsSimulated = allowsSimulated
  }

  /// Takes the bytes of one read.
  public mutating func accept(_ bytes: [UInt8]) {
    byteCount += bytes.count
    var names: [String] = []
    bytes.withUnsafeBufferPointer { buffer in
      lines.accept(buffer) { line in
        if case .sentence(let sentence) = line, sentence.hasAddress {
          names.append(String(decoding: sentence.address, as: UTF8.self))
        }
      }
    }
    for name in names where kinds[name] != nil || kinds.count < Self.kindLimit {
      kinds[name, default: 0] += 1
    }
    var events: [DecodedEvent] = []
    decoder.accept(bytes) { events.append($0) }
    for event in events { take(event) }
  }

  /// Ends the survey and returns its outcome.
  public mutating func finish() -> Outcome {
    var events: [DecodedEvent] = []
    decoder.finish { events.append($0) }
    for event in events { take(event) }
    return Outcome(
      bytes: byteCount, counts: counts,
      sentences: kinds.sorted { $0.key < $1.key }.map { ($0.key, $0.value) },
      epochsPerSecond: epochsPerSecond, fix: lastPosition, capability: decoder.capability,
      findings: findings)
  }

  private mutating func take(_ event: DecodedEvent) {
    switch event {
    case .fix(let fix):
      if epochs.last != fix.time, epochs.count < 100_000 { epochs.append(fix.time) }
      guard fix.coordinate != nil else { return }
      positions += 1
      lastPosition = fix
      if (best?.mode ?? .none) <= fix.mode { best = fix }
    default: gpsdWords = complaint(of: event) ?? gpsdWords
    }
  }

  /// Returns the words for a fault of gpsd itself; nil if the event is no fault.
  private func complaint(of event: DecodedEvent) -> Wording? {
    switch event {
    case .gpsdVersion(let release, let major) where major != 3:
      "gpsd \(release) speaks protocol \(major); protocol 3 is needed"
    case .gpsdDevices(let paths) where paths.count > 1 && !isOneOfSeveral:
      "this gpsd has several receivers: name one of them after its port:"
        + " \(paths.joined(separator: ", "))"
    case .gpsdRefusal(let words): "gpsd refuses: \(words)"
    default: nil
    }
  }

  // MARK: results

  private var counts: StreamCounts { decoder.counts }

  private var epochsPerSecond: Double? {
    guard let first = epochs.first, let last = epochs.last, epochs.count > 1 else { return nil }
    let span = last.seconds(since: first)
    return span > 0 ? Double(epochs.count - 1) / span : nil
  }

  /// The findings about the receiver, the gravest first.
  private var findings: [Finding] {
    if let gpsdWords { return [Finding(weight: .unusable, code: "gpsd", wording: gpsdWords)] }
    let found = streamFindings
    guard !found.contains(where: { $0.weight == .unusable }) else { return found }
    return (found + fixFindings).sorted { $0.weight.order < $1.weight.order }
  }

  private var streamFindings: [Finding] {
    var found: [Finding] = []
    func add(_ weight: Finding.Weight, _ code: String, _ wording: Wording) {
      found.append(Finding(weight: weight, code: code, wording: wording))
    }
    let counts = counts
    let damaged = counts.badChecksums + counts.missingChecksums
    let share: Wording =
      damaged == 1
      ? "1 of \(counts.sentences + damaged) sentences is damaged"
      : "\(damaged) of \(counts.sentences + damaged) sentences are damaged"
    if byteCount == 0 {
      add(.unusable, "nothing", "nothing came: is it switched on, and is this the right device?")
    } else if counts.sentences == 0, counts.gpsdMessages == 0 {
      let hint: Wording =
        damaged > 0
        ? "sentences came, but none with a correct checksum: is the baud rate right?"
        : "bytes came, but no NMEA sentence: it is not a GNSS receiver, or the baud rate is wrong"
      add(.unusable, "no-sentences", hint)
    } else if damaged * 5 > counts.sentences + damaged {
      add(
        .unusable, "damaged",
        "\(share): the connection is bad, or its baud rate is too low")
    } else if damaged > 0 {
      add(.note, "damaged", share)
    }
    if seconds > 0, Double(byteCount) / seconds > Self.floodBytesPerSecond {
      add(.poor, "flood", "it sends \(byteCount / Int(max(1, seconds)) / 1000) kB a second")
    }
    return found
  }

  private var fixFindings: [Finding] {
    var found: [Finding] = []
    func add(_ weight: Finding.Weight, _ code: String, _ wording: Wording) {
      found.append(Finding(weight: weight, code: code, wording: wording))
    }
    let told = Set(kinds.keys.map { String($0.suffix(3)) })
    let isNMEA = !kinds.isEmpty
    if epochs.isEmpty {
      let hasPosition = isNMEA && !told.isDisjoint(with: ["GGA", "RMC", "GNS", "GLL"])
      add(
        .unusable, hasPosition ? "no-time" : "no-position-sentences",
        hasPosition || !isNMEA
          ? "it has neither position nor time: take it under open sky for a few minutes"
          : "it sends no GGA, RMC, GNS or GLL: turn them on in its settings")
      return found
    }
    guard let fix = best, positions > 0 else {
      add(.unusable, "no-fix", "it has no position: take it under open sky for a few minutes")
      return found
    }
    if fix.mode < .threeDimensional {
      add(.unusable, "two-dimensional", "its positions are without a height")
    }
    if fix.quality == .manual || fix.quality == .estimated {
      add(.unusable, "not-measured", "its positions are typed in or estimated, not measured")
    }
    if fix.isSimulated {
      add(
        allowsSimulated ? .note : .unusable, "simulated",
        "a simulator makes its positions, and says so")
    }
    if let rate = epochsPerSecond, rate < 0.4 {
      add(
        .unusable, "slow",
        "a position comes every \(decimal: 1 / rate, places: 1) s: the gate needs one each second")
    } else if let rate = epochsPerSecond, rate < 0.9 {
      add(.poor, "slow", "fewer than one position a second: captures take longer")
    }
    if positions < epochs.count {
      add(.poor, "gaps", "only \(positions) of \(epochs.count) epochs have a position")
    }
    if fix.horizontalUncertaintyMetres95 == nil {
      add(.poor, "no-uncertainty", "it sends neither its error (GST) nor its dilution (GGA, GSA)")
    } else if fix.uncertaintySource == .dilution {
      add(.note, "no-statistics", "no GST: uncertainty is estimated from the dilution")
    }
    if fix.time.date == nil {
      add(
        .note, "no-date",
        "no RMC or ZDA: the date comes from this machine, the time of day from the receiver")
    }
    if fix.speedMetresPerSecond == nil {
      add(.note, "no-speed", "no RMC or VTG: the start of a movement is noticed a little later")
    }
    if isNMEA, !told.contains("GSV") { add(.note, "no-sky", "no GSV: its sky cannot be shown") }
    return found
  }
}

extension ReceiverSurvey.Finding.Weight {
  fileprivate var order: Int {
    switch self {
    case .unusable: 0
    case .poor: 1
    case .note: 2
    }
  }
}
