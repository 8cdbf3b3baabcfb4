// VTG and GSA carry no time. Most receivers send them after the sentences of their epoch that do, and
// some (those of many phones) before; the order alone is the same endless row. What they say decides:
// RMC repeats VTG's speed and course, GGA repeats GSA's dilution. Where those that stand between two
// epochs agree with the later one and not with the earlier, several times, this receiver leads with
// them. As long as both agree it makes no difference.

/// Whether a receiver begins its epochs with the sentences that carry no time.
struct SentenceOrder: Sendable {
  /// What two kinds of sentences say alike.
  private struct Said {
    var speedMetresPerSecond: Double?
    var courseDegreesTrue: Double?
    var horizontalDilution: Double?
    var hasSolution: Bool?
  }

  /// Whether untimed sentences belong to the epoch that follows.
  private(set) var leads: Bool
  /// Votes for leading less votes against; both ends are limits.
  private var balance: Int
  private static let certainty = 3
  /// What the timed sentences of the epoch before, and of this one, said.
  private var before = Said()
  private var now = Said()
  /// What the untimed sentences between these two said, and those after the last timed one so far.
  private var between = Said()
  private var tail = Said()

  /// - Parameter leads: what an earlier part of the stream had taught; nil where nothing is known. What
  ///   was taught is held as firmly as can be: a part of the stream in which nothing was unlearned then
  ///   unlearns nothing when it is read again alone.
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

  /// The time has changed. True when what had been believed of the order has changed with it.
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

  /// The stream has broken off: what comes next follows upon nothing.
  mutating func finish() {
    before = Said()
    now = Said()
    between = Said()
    tail = Said()
  }

  /// 1 when what stood between agrees with what followed alone, -1 with what came before alone.
  private func vote() -> Int {
    var sum = 0
    // The steps are larger than what different digits of the same value make.
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

  /// 1 when `value` is clearly nearer to `later`, -1 when to `earlier`; they must differ by `step`.
  private static func nearer(
    _ value: Double?, _ earlier: Double?, _ later: Double?, step: Double, isCourse: Bool = false
  ) -> Int {
    func distance(_ one: Double, _ other: Double) -> Double {
      abs(isCourse ? (one - other).remainder(dividingBy: 360) : one - other)
    }
    guard let value, let earlier, let later, distance(later, earlier) >= step else { return 0 }
    let toEarlier = distance(value, earlier)
    let toLater = distance(value, later)
    // Three times as near: sentences round to different digits.
    if toLater * 3 < toEarlier { return 1 }
    return toEarlier * 3 < toLater ? -1 : 0
  }
}
