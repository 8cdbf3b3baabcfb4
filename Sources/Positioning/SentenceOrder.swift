// VTG and GSA carry no time. Most receivers send them after the timed sentences of their epoch, and
// some (those of many phones) before; the order alone is the same endless sequence. Their values
// decide: RMC repeats VTG's speed and course, GGA repeats GSA's dilution. If the untimed sentences
// between two epochs agree with the later epoch and not with the earlier one, several times, this
// receiver leads with them. As long as they agree with both, it makes no difference.

/// The rule that decides if a receiver begins its epochs with the sentences that carry no time.
struct SentenceOrder: Sendable {
  /// Values that two kinds of sentences have in common.
  private struct Said {
    var speedMetresPerSecond: Double?
    var courseDegreesTrue: Double?
    var horizontalDilution: Double?
    var hasSolution: Bool?
  }

  /// True if untimed sentences belong to the epoch that follows.
  private(set) var leads: Bool
  /// Votes for leading minus votes against, -`certainty` ... `certainty`; each end decides.
  private var balance: Int
  private static let certainty = 3
  /// Values of the timed sentences of the epoch before, and of this one.
  private var before = Said()
  private var now = Said()
  /// Values of the untimed sentences between these two epochs, and of those after the last timed
  /// sentence so far.
  private var between = Said()
  private var tail = Said()

  /// Creates a rule.
  /// - Parameter leads: the order learned from an earlier part of the stream; nil if not known. A
  ///   learned order is held as firmly as possible: a part of the stream in which it was not
  ///   unlearned then does not unlearn it when that part is read again alone.
  init(leads: Bool?) {
    self.leads = leads ?? false
    balance = leads.map { $0 ? Self.certainty : -Self.certainty } ?? 0
  }

  mutating func note(_ report: NMEAReport) {
    switch report.kind {
    case .rmc:
      now.speedMetresPerSecond = report.speedMetresPerSecond
      now.courseDegreesTrue = report.courseDegreesTrue
      noteSolution(report)
    case .gga:
      now.horizontalDilution = report.horizontalDilution
      noteSolution(report)
    case .vtg:
      tail.speedMetresPerSecond = report.speedMetresPerSecond
      tail.courseDegreesTrue = report.courseDegreesTrue
    case .gsa:
      tail.horizontalDilution = report.horizontalDilution
      if let mode = report.mode { tail.hasSolution = tail.hasSolution == true || mode != .none }
    default: break
    }
    if report.kind.isTimed { tail = Said() }
  }

  private mutating func noteSolution(_ report: NMEAReport) {
    guard let isValid = report.isValid else { return }
    now.hasSolution = isValid && now.hasSolution != false
  }

  /// Ends the epoch, because the time has changed. Returns true if the assumed order has changed
  /// with it.
  mutating func endEpoch() -> Bool {
    let vote = vote()
    balance = min(Self.certainty, max(-Self.certainty, balance + vote))
    before = now
    between = tail
    now = Said()
    tail = Said()
    let led = leads
    if balance == Self.certainty { leads = true }
    if balance == -Self.certainty { leads = false }
    return leads != led
  }

  /// Forgets all values, because the stream has broken off and the next sentence follows none.
  mutating func finish() {
    before = Said()
    now = Said()
    between = Said()
    tail = Said()
  }

  /// Returns 1 if the untimed sentences agree only with the epoch after them, -1 if only with the
  /// epoch before, otherwise 0.
  private func vote() -> Int {
    var sum = 0
    // The steps are larger than the differences that come from different digits of one value.
    sum += Self.nearer(
      between.speedMetresPerSecond, before.speedMetresPerSecond, now.speedMetresPerSecond,
      step: 0.1)
    sum += Self.nearer(
      between.courseDegreesTrue, before.courseDegreesTrue, now.courseDegreesTrue, step: 0.5,
      isCourse: true)
    sum += Self.nearer(
      between.horizontalDilution, before.horizontalDilution, now.horizontalDilution, step: 0.09)
    if let said = between.hasSolution, let earlier = before.hasSolution,
      let later = now.hasSolution, earlier != later
    {
      sum += said == later ? 1 : -1
    }
    return sum.signum()
  }

  /// Returns 1 if `value` is clearly nearer to `later`, -1 if clearly nearer to `earlier`,
  /// otherwise 0. The two must differ by at least `step`.
  private static func nearer(
    _ value: Double?, _ earlier: Double?, _ later: Double?, step: Double, isCourse: Bool = false
  ) -> Int {
    func distance(_ one: Double, _ other: Double) -> Double {
      abs(isCourse ? (one - other).remainder(dividingBy: 360) : one - other)
    }
    guard let value, let earlier, let later, distance(later, earlier) >= step else { return 0 }
    let toEarlier = distance(value, earlier)
    let toLater = distance(value, later)
    // Clearly nearer means three times as near: sentences round to different digits.
    if toLater * 3 < toEarlier { return 1 }
    return toEarlier * 3 < toLater ? -1 : 0
  }
}
