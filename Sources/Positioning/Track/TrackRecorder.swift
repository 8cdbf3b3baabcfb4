/// Decides which fixes become points of a track: one a second by the epochs' time, with the holes
/// between them named. It keeps no points; the one who asks makes each durable when it comes.
public struct TrackRecorder: Sendable {
  /// Seconds between two points.
  public let intervalSeconds: Double
  /// Whether the inspector has paused the recording.
  public private(set) var isPaused = false
  private var lastTime: GNSSTime?
  private var lastEpoch: GNSSTime?
  private var pendingGap: TrackPoint.Gap?

  /// A recorder that has not begun; `lastTime` is that of the last point where recording goes on
  /// after the program was stopped.
  public init(intervalSeconds: Double = 1, continuingAfter lastTime: GNSSTime? = nil) {
    self.intervalSeconds = intervalSeconds
    self.lastTime = lastTime
    pendingGap = lastTime == nil ? nil : .interrupted
  }

  /// The point that the next fix gives; nil when it gives none.
  public mutating func accept(_ fix: Fix) -> TrackPoint? {
    // A point may come early by jitter, but not by an epoch of a fast receiver.
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
      // Time that runs backwards is no new second; a jump of hours back is another day or receiver.
      if step < intervalSeconds - slack, step > -60 { return nil }
      if step > 1.5 * max(1, intervalSeconds) || step <= -60 { gap = pendingGap ?? .silence }
      // The inspector's pause and the program's are named, however short they were.
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

  /// No points until `resume`.
  public mutating func pause() {
    isPaused = true
    note(.paused)
  }

  /// Points again; the hole is named.
  public mutating func resume() {
    isPaused = false
  }

  /// A corner set by hand where the receiver is; also while the recording is paused, for those who
  /// want corners alone. Nil without a position.
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

  /// A corner set by hand at `time`, from samples taken while standing still.
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

  /// The last point was deleted; `last` is the one before, nil where there is none left.
  public mutating func forgetLast(now last: TrackPoint?) {
    lastTime = last?.time
    pendingGap = last == nil ? nil : isPaused ? .paused : .deleted
  }

  private mutating func note(_ gap: TrackPoint.Gap) {
    if lastTime != nil, pendingGap == nil || gap == .paused { pendingGap = gap }
  }
}
