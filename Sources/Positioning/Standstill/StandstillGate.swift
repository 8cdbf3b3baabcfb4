import Foundation
import Geodesy
import TimeAndText

// The question: does the receiver stand still? Existing tools ask if the positions of the last
// seconds lie within some 20 m of each other, which is true even of a brisk walk. The opposite
// mistake is to ask that they do not move at all: positions of a receiver at rest wander, jump when
// satellites come and go, and are quantised (four decimals of a minute are 0.18 m). So a straight
// line is fitted through east and north against time. Its speed is judged together with its
// standard error, which is doubled because consecutive fixes are correlated, and never taken as
// smaller than the receiver's resolution allows. A second fit over the last seconds alone, and the
// receiver's own Doppler speed, notice setting off before the long window does.
//
// A verdict is a function of the fixes in the window and of nothing else, so that it can be
// computed again from the raw window years later. Cost: linear in the window, no allocation once
// warm.

/// The gate: judges from fixes alone if the receiver stands still, and gives a reason if not.
public struct StandstillGate: Sendable {
  /// The limits in force.
  public let policy: GatePolicy
  private var window: [Entry] = []
  private var dopplers: [Double] = []

  private struct Entry {
    var time: GNSSTime
    var coordinate: Coordinate
    var dopplerMetresPerSecond: Double?
  }

  /// The smallest error of positions from one fix to the next, metres: a step of a sentence with
  /// four decimals of a minute (0.18 m) divided by √12.
  private static let resolutionSigmaMetres = 0.06
  /// The factor by which the standard error of independent errors is too small, because consecutive
  /// errors are correlated.
  private static let correlationFactor = 2.0
  /// The one-sided 95 % limit of the normal distribution, in standard deviations.
  private static let oneSided95 = 1.645
  /// The tolerance of comparisons of time, seconds: times come in milliseconds, and comparing their
  /// differences must not depend on rounding.
  private static let timeTolerance = 0.0005
  /// The shortest interval between fixes in the window, seconds; faster receivers are thinned out
  /// to it.
  private static let shortestIntervalSeconds = 0.02

  /// Creates a closed gate.
  public init(policy: GatePolicy = GatePolicy()) {
    self.policy = policy
    // Limits may come with raw windows from elsewhere, so space is reserved for ordinary ones only.
    let seconds = policy.windowSeconds > 0 ? min(policy.windowSeconds, 60) : 0
    window.reserveCapacity(Int(seconds / Self.shortestIntervalSeconds) + 8)
    dopplers.reserveCapacity(window.capacity)
  }

  /// Judges the next fix.
  public mutating func accept(_ fix: Fix) -> GateVerdict {
    if let reason = refusal(of: fix) {
      window.removeAll(keepingCapacity: true)
      return GateVerdict(state: .refused, reason: reason, statistics: nil)
    }
    guard let coordinate = fix.coordinate else {
      return GateVerdict(state: .refused, reason: .noFix, statistics: nil)
    }
    if let last = window.last {
      let step = fix.time.seconds(since: last.time)
      if step < 0 || step > policy.maximumGapSeconds {
        // After time that runs backwards, or a hole, no earlier fix can be relied on.
        window.removeAll(keepingCapacity: true)
      } else if step == 0 || isThinnedOut(last.time) {
        // The epoch was told twice, or more epochs come than can tell anything new: the newest
        // counts, so that no fix is called still that has not been judged.
        window.removeLast()
      }
    }
    window.append(
      Entry(
        time: fix.time, coordinate: coordinate, dopplerMetresPerSecond: fix.speedMetresPerSecond))
    // The window covers its whole length even if its first second is missing: a fix is dropped only
    // when the next one is old enough to begin the window.
    while window.count > 1,
      fix.time.seconds(since: window[1].time) >= policy.windowSeconds - Self.timeTolerance
    {
      window.removeFirst()
    }
    return judge()
  }

  /// Closes the gate if the last fix is `ageSeconds` old by elapsed time and that is too long; nil
  /// if it is not.
  public mutating func expire(ageSeconds: Double) -> GateVerdict? {
    guard ageSeconds > policy.maximumAgeSeconds else { return nil }
    window.removeAll(keepingCapacity: true)
    return GateVerdict(
      state: .refused, reason: .stale(ageSeconds: ageSeconds), statistics: nil)
  }

  /// Returns true if the window's last fix lies too near the one before it to be kept.
  private func isThinnedOut(_ last: GNSSTime) -> Bool {
    guard window.count > 1 else { return false }
    return last.seconds(since: window[window.count - 2].time) < Self.shortestIntervalSeconds
  }

  private func refusal(of fix: Fix) -> GateReason? {
    guard fix.coordinate != nil, fix.mode >= .twoDimensional, fix.quality != .invalid else {
      return .noFix
    }
    // A position that was typed in, or carried on without satellites, stands perfectly still, but
    // was not measured.
    if let quality = fix.quality, quality == .manual || quality == .estimated {
      return .notMeasured(quality)
    }
    if fix.isSimulated, !policy.allowsSimulated { return .simulated }
    if policy.requiresThreeDimensions, fix.mode < .threeDimensional { return .twoDimensional }
    // The receiver's dilution is judged rather than gpsd's estimates, which differ from the
    // receiver's own, so that a receiver is judged alike through any source. If gpsd knows no
    // dilution, its estimate is the only number.
    if let dilution = fix.horizontalDilution, dilution > policy.maximumDilution {
      return .dilution(dilution, limit: policy.maximumDilution)
    }
    if fix.uncertaintySource != .gpsd || fix.horizontalDilution == nil,
      let metres = fix.horizontalUncertaintyMetres95,
      metres > policy.maximumUncertaintyMetres95
    {
      return .uncertain(metres95: metres, limitMetres: policy.maximumUncertaintyMetres95)
    }
    return nil
  }

  private mutating func judge() -> GateVerdict {
    guard let first = window.first, let last = window.last else {
      return GateVerdict(state: .refused, reason: .noFix, statistics: nil)
    }
    let span = last.time.seconds(since: first.time)
    func filling(_ speed: Double?) -> GateReason {
      .windowFilling(
        seconds: span, ofSeconds: policy.windowSeconds,
        metresPerSecond: speed.flatMap { $0 > policy.speedLimitMetresPerSecond ? $0 : nil })
    }
    guard window.count >= 3, let whole = fit(from: 0) else {
      return GateVerdict(
        state: .settling, reason: filling(last.dopplerMetresPerSecond), statistics: nil)
    }
    let shortStart =
      window.firstIndex {
        last.time.seconds(since: $0.time) <= policy.shortWindowSeconds + Self.timeTolerance
      } ?? 0
    let doppler = medianDoppler(from: shortStart)
    let statistics = GateStatistics(
      speedMetresPerSecond: whole.speed, speedUpperMetresPerSecond95: whole.upper,
      dopplerMetresPerSecond: doppler, windowSeconds: span, fixes: window.count,
      firstTime: first.time)
    let limit = policy.speedLimitMetresPerSecond
    var lowest = whole.lower
    var fitted = whole.speed
    if window.count - shortStart >= 3, let short = fit(from: shortStart), short.lower > lowest {
      lowest = short.lower
      fitted = short.speed
    }
    if lowest > limit {
      return verdict(
        .moving, .moving(metresPerSecond: fitted, limitMetresPerSecond: limit), statistics)
    }
    if let doppler, doppler > policy.dopplerLimitMetresPerSecond {
      let reason = GateReason.moving(
        metresPerSecond: doppler, limitMetresPerSecond: policy.dopplerLimitMetresPerSecond)
      return verdict(.moving, reason, statistics)
    }
    guard span >= policy.windowSeconds - Self.timeTolerance else {
      return verdict(.settling, filling(whole.speed), statistics)
    }
    guard whole.upper <= limit else {
      let reason = GateReason.notYetCertain(
        upperMetresPerSecond95: whole.upper, limitMetresPerSecond: limit)
      return verdict(.settling, reason, statistics)
    }
    return GateVerdict(state: .still, reason: nil, statistics: statistics)
  }

  private func verdict(
    _ state: GateVerdict.State, _ reason: GateReason, _ statistics: GateStatistics
  ) -> GateVerdict {
    GateVerdict(state: state, reason: reason, statistics: statistics)
  }

  /// Fits a straight line through the window from `start` on and returns its speed and the speed's
  /// ends at 95 %, metres a second; nil if the fixes have no span of time.
  private func fit(from start: Int) -> (speed: Double, lower: Double, upper: Double)? {
    let plane = LocalPlane(origin: window[start].coordinate)
    let origin = window[start].time
    let count = Double(window.count - start)
    var sums = (time: 0.0, east: 0.0, north: 0.0)
    for index in start..<window.count {
      let point = plane.project(window[index].coordinate)
      sums.time += window[index].time.seconds(since: origin)
      sums.east += point.eastMetres
      sums.north += point.northMetres
    }
    let mean = (time: sums.time / count, east: sums.east / count, north: sums.north / count)
    var squares = (time: 0.0, east: 0.0, north: 0.0)
    var products = (east: 0.0, north: 0.0)
    for index in start..<window.count {
      let point = plane.project(window[index].coordinate)
      let time = window[index].time.seconds(since: origin) - mean.time
      let east = point.eastMetres - mean.east
      let north = point.northMetres - mean.north
      squares.time += time * time
      squares.east += east * east
      squares.north += north * north
      products.east += time * east
      products.north += time * north
    }
    guard squares.time > 0 else { return nil }
    let velocity = (east: products.east / squares.time, north: products.north / squares.time)
    let residuals =
      squares.east - velocity.east * products.east + squares.north
      - velocity.north * products.north
    let sigma = max(
      (max(0, residuals) / max(1, 2 * (count - 2))).squareRoot(), Self.resolutionSigmaMetres)
    // Ten fixes a second do not hold ten times as much information: at most one error counts for
    // each second.
    let span = window[window.count - 1].time.seconds(since: origin)
    let perSecond = max(1, (count - 1) / max(span, 1))
    let error = Self.correlationFactor * sigma / (squares.time / perSecond).squareRoot()
    let speed = (velocity.east * velocity.east + velocity.north * velocity.north).squareRoot()
    return (speed, max(0, speed - Self.oneSided95 * error), speed + Self.oneSided95 * error)
  }

  private mutating func medianDoppler(from start: Int) -> Double? {
    dopplers.removeAll(keepingCapacity: true)
    for index in start..<window.count {
      if let speed = window[index].dopplerMetresPerSecond { dopplers.append(speed) }
    }
    guard !dopplers.isEmpty else { return nil }
    dopplers.sort()
    return dopplers[dopplers.count / 2]
  }
}
