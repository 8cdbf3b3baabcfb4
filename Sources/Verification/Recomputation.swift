import Evidence
import Positioning
import TimeAndText

/// A capture's position computed again from its raw window alone, by the same decoder, gate and sampler.
struct Recomputation {
  /// The standpoint as it was at the shutter; nil if the raw window does not give one.
  var standpoint: Standpoint?
  /// The judged fix at the shutter; nil if the raw window holds no fix of that time.
  var shutter: JudgedFix?
  /// True if the gate stayed open from the first sample to the shutter.
  var heldOpen = true
  /// True if a fix in the window says that a simulator made it.
  var saysSimulated = false
  /// The receiver's fixes with a place, from the first sample to the shutter.
  var fixes: [Fix] = []
  /// Those before the first sample, too: of the gate's window.
  private(set) var allFixes: [Fix] = []
  /// The skies that the receiver reported in the window.
  private(set) var sky = SkyHistory()
  /// The sky that was known when the window's last bytes had arrived, which is the one that a record tells.
  private(set) var lastSky: [Satellite] = []

  init(_ window: RawWindow) {
    // The receiver's rhythm is learned again from the epochs that introduce the window, and not
    // taken from the window's first line: that rhythm was known at the shutter, but perhaps not yet
    // at the first sample. Only `leads` is taken, which is true if sentences without a time begin an
    // epoch. Learning that takes longer and restarts the judging, so it was known before the window.
    var pipeline = PositioningPipeline(
      gate: window.gate, sampler: window.sampler ?? SamplerPolicy(),
      leads: window.cycleEnd?.leads ?? false, from: window.from, samplesFrom: window.firstSample)
    var isOver = false
    var shutterFix: JudgedFix?
    var held = true
    var simulated = false
    var (fixes, earlier): ([Fix], [Fix]) = ([], [])
    var (epoch, told): (GNSSTime?, Int) = (nil, 0)
    func read(_ event: PositioningEvent) {
      guard !isOver else { return }
      switch event {
      case .gpsd: break
      case .silence: if shutterFix == nil { held = false }
      case .fix(let judged):
        epoch = judged.fix.time
        if judged.fix.isSimulated { simulated = true }
        let sinceFirst = judged.fix.time.seconds(since: window.firstSample)
        if sinceFirst >= 0, judged.verdict.state != .still { held = false }
        let sinceShutter = judged.fix.time.seconds(since: window.shutter)
        if sinceShutter < 0.0005, judged.fix.coordinate != nil {
          earlier.append(judged.fix)
          if sinceFirst >= 0 { fixes.append(judged.fix) }
        }
        if sinceShutter >= 0 {
          if sinceShutter < 0.0005 { shutterFix = judged }
          isOver = true
        }
      }
    }
    for chunk in window.chunks {
      pipeline.accept(chunk.bytes, at: chunk.arrival, read)
      // Once the shutter's epoch is over, the rest counts for the sky alone.
      // A sky that was not told again is no new one.
      if let time = epoch, pipeline.skyCount != told, sky.wants(time) {
        sky.add(pipeline.sky, at: time)
        told = pipeline.skyCount
      }
      epoch = nil
    }
    lastSky = pipeline.sky
    if !isOver {
      // At the capture, the epoch at the shutter was complete before the next one began, so the
      // window may end with it.
      pipeline.finish(at: window.chunks.last?.arrival ?? ElapsedTime(milliseconds: 0), read)
    }
    shutter = shutterFix
    heldOpen = held
    saysSimulated = simulated
    self.fixes = fixes
    allFixes = earlier
    // The samples are those at the shutter, not those that the pipeline holds by now: later bytes
    // of the same read may have closed the gate already.
    standpoint = window.sampler == nil ? nil : shutterFix?.standpoint
  }

  /// Returns the epochs that a capture rests on; nil if the window does not give the shutter's epoch.
  func use(by key: String) -> WindowUse? { shutter == nil ? nil : WindowUse(fixes, key: key) }
}
