import TimeAndText

/// A recorder that decides which fixes become points of a track: one a second by the epochs' time,
/// with a reason for each gap between them. The recorder keeps no points; the caller stores each
/// point durably when it comes.
public struct TrackRecorder: Sendable {
  /// Seconds between two points.
  public let intervalSeconds: Double
  /// True if the inspector has paused the recording.
  public private(set) var isPaused = false
  private var lastTime: GNSSTime?
  private var lastEpoch: GNSSTime?
  private var pendingGap: TrackPoint.Gap?

  /// Creates a recorder without points. `lastTime` is the time of the last point if recording
  /// continues after the program was stopped; nil for a new track.
  public init(intervalSeconds: Double = 1, continuingAfter lastTime: GNSSTime? = nil) {
    self.intervalSeconds = intervalSeconds
    self.lastTime = lastTime
    pendingGap = lastTime == nil ? nil : .interrupted
  }

  /// Returns the point that the next fix gives; nil if it gives none.
  public mutating func accept(_ fix: Fix) -> TrackPoint? {
    // A point may be early by jitter, but not by an epoch of a fast receiver.
    let period = lastEpoch.map { fix.time.seconds(since: $0) } ?? intervalSeconds
    let slack = period > 0 ? min(0.05, period / 2) : 0.05
    lastEpoch = fix.time
    guard !isPaused else { return nil }
    guard let coordinate = fix.coordinate, fix.mode >= .twoDimensional else {
      note(.noFix)
      return nil
    }
    var gap: TrackPoint.Gap?
    if let lastTime {
      let step = fix.time.seconds(since: lastTime)
      // Time that runs a little backwards is no new second; a jump back by a minute or more is
      // another day or receiver.
      if step < intervalSeconds - slack, step > -60 { return nil }
      if step > 1.5 * max(1, intervalSeconds) || step <= -60 { gap = pendingGap ?? .silence }
      // A pause of the inspector or of the program is named even if it was short.
      if pendingGap == .paused || pendingGap == .interrupted { gap = pendingGap }
    }
    pendingGap = nil
    lastTime = fix.time
    return TrackPoint(
      kind: .recorded, time: fix.time, coordinate: coordinate,
      ellipsoidalHeightMetres: fix.ellipsoidalHeightMetres,
      meanSeaLevelHeightMetres: fix.meanSeaLevelHeightMetres,
      horizontalUncertaintyMetres95: fix.horizontalUncertaintyMetres95, gapBefore: gap,
      satellitesUsed: fix.satellitesUsed, horizontalDilution: fix.horizontalDilution)
  }

  /// Pauses: no points are recorded until `resume`.
  public mutating func pause() {
    isPaused = true
    note(.paused)
  }

  /// Resumes recording; the next point names the gap.
  public mutating func resume() {
    isPaused = false
  }

  /// Returns a corner set by hand at the receiver's position; nil without a position. Corners can
  /// also be set while the recording is paused, for inspectors who want corners alone.
  public mutating func vertex(at fix: Fix) -> TrackPoint? {
    guard let coordinate = fix.coordinate, fix.mode >= .twoDimensional else { return nil }
    return TrackPoint(
      kind: .vertex, time: fix.time, coordinate: coordinate,
      ellipsoidalHeightMetres: fix.ellipsoidalHeightMetres,
      meanSeaLevelHeightMetres: fix.meanSeaLevelHeightMetres,
      horizontalUncertaintyMetres95: fix.horizontalUncertaintyMetres95,
      gapBefore: gapBefore(vertexAt: fix.time), satellitesUsed: fix.satellitesUsed,
      horizontalDilution: fix.horizontalDilution)
  }

  /// Returns a corner set by hand at `time`, from samples taken while standing still.
  public mutating func vertex(at standpoint: Standpoint, time: GNSSTime) -> TrackPoint {
    TrackPoint(
      kind: .centroidVertex, time: time, coordinate: standpoint.coordinate,
      ellipsoidalHeightMetres: standpoint.ellipsoidalHeightMetres,
      meanSeaLevelHeightMetres: standpoint.meanSeaLevelHeightMetres,
      horizontalUncertaintyMetres95: standpoint.uncertaintyMetres95,
      gapBefore: gapBefore(vertexAt: time))
  }

  private mutating func gapBefore(vertexAt time: GNSSTime) -> TrackPoint.Gap? {
    let isHole = lastTime.map { time.seconds(since: $0) > 1.5 * max(1, intervalSeconds) } ?? false
    let gap = isHole ? pendingGap ?? .silence : nil
    pendingGap = isPaused ? .paused : nil
    lastTime = time
    return gap
  }

  /// Takes note that the last point was deleted; `last` is the point before it, nil if none is
  /// left.
  public mutating func forgetLast(now last: TrackPoint?) {
    lastTime = last?.time
    pendingGap = last == nil ? nil : isPaused ? .paused : .deleted
  }

  private mutating func note(_ gap: TrackPoint.Gap) {
    if lastTime != nil, pendingGap == nil || gap == .paused { pendingGap = gap }
  }
}
