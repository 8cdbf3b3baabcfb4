import Foundation
import Geodesy

// The question: does the receiver stand still? Existing tools ask whether the positions of the last
// seconds lie within some 20 m of each other, which a brisk walk passes. The opposite mistake is to
// ask that they do not move at all: positions of a receiver at rest wander, jump when satellites
// come and go, and are quantised (four decimals of a minute are 0.18 m). So a straight line is
// fitted through east and north against time, and the speed is judged together with its standard
// error, which is doubled because consecutive fixes are correlated and cut short to what the
// receiver's resolution allows. A second fit over the last seconds alone, and the receiver's own
// Doppler speed, notice setting off before the long window does.
//
// A verdict is a function of the fixes in the window and of nothing else, so that it can be
// recomputed from the raw window years later. Cost: linear in the window, no allocation once warm.

/// Keeps a fix as proof of standing still, or refuses it with a reason.
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

  /// Positions are not known better than this from one fix to the next, metres: a step of a
  /// sentence with four decimals of a minute (0.18 m) divided by √12.
  private static let resolutionSigmaMetres = 0.06
  /// Consecutive errors are correlated: the standard error of independent ones is too small by this.
  private static let correlationFactor = 2.0
  /// One-sided 95 % of the normal distribution.
  private static let oneSided95 = 1.645
  /// Times come in milliseconds; comparing their differences must not turn on rounding.
  private static let timeTolerance = 0.0005
  /// Faster receivers are thinned out to this interval, seconds.
  private static let shortestIntervalSeconds = 0.02

  /// A closed gate.
  public init(policy: GatePolicy = GatePolicy()) {
    self.policy = policy
    // Limits come with raw windows from elsewhere: room is made for ordinary ones only.
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
        // Time that runs backwards, or a hole: nothing before it can be relied on.
        window.removeAll(keepingCapacity: true)
      } else if step == 0 || isThinnedOut(last.time) {
        // The same epoch told twice, or more epochs than can tell anything new: the newest counts,
        // so that no fix is called still that has not been judged.
        window.removeLast()
      }
    }
    window.append(
      Entry(
        time: fix.time, coordinate: coordinate, dopplerMetresPerSecond: fix.speedMetresPerSecond))
    // The window reaches over its whole length also where its first second happens to be missing:
    // a fix is let go when the next one is old enough to begin it.
    while window.count > 1,
      fix.time.seconds(since: window[1].time) >= policy.windowSeconds - Self.timeTolerance
    {
      window.removeFirst()
    }
    return judge()
  }

  /// There has been no fix for `ageSeconds` of elapsed time: closes when that is too long.
  public mutating func expire(ageSeconds: Double) -> GateVerdict? {
    guard ageSeconds > policy.maximumAgeSeconds else { return nil }
    window.removeAll(keepingCapacity: true)
    return GateVerdict(
      state: .refused, reason: .stale(ageSeconds: ageSeconds), statistics: nil)
  }

  /// Whether the window's last fix lies too near the one before it to be kept for good.
  private func isThinnedOut(_ last: GNSSTime) -> Bool {
    guard window.count > 1 else { return false }
    return last.seconds(since: window[window.count - 2].time) < Self.shortestIntervalSeconds
  }

  private func refusal(of fix: Fix) -> GateReason? {
    guard fix.coordinate != nil, fix.mode >= .twoDimensional, fix.quality != .invalid else {
      return .noFix
    }
    // Typed in by a person, or carried on without satellites: the perfect standstill, and nothing
    // that was measured.
    if let quality = fix.quality, quality == .manual || quality == .estimated {
      return .notMeasured(quality)
    }
    if fix.isSimulated, !policy.allowsSimulated { return .simulated }
    if policy.requiresThreeDimensions, fix.mode < .threeDimensional { return .twoDimensional }
    // The receiver's dilution is judged rather than gpsd's estimates, which differ from the
    // receiver's own: the same receiver is judged alike through any source. Where gpsd knows no
    // dilution its estimate is all there is.
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

  /// A straight line through the window from `start` on: speed, and its ends at 95 %.
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
    // Ten fixes a second do not know ten times as much: errors are taken as one for each second.
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
