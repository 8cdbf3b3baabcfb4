import Positioning

/// A capture's position computed again from its raw window alone: same decoder, same gate, same
/// sampler.
struct Recomputation {
  /// The standpoint as it was at the shutter; nil where the raw window does not give one.
  var standpoint: Standpoint?
  /// The judged fix at the shutter; nil where the raw window holds none of that time.
  var shutter: JudgedFix?
  /// Whether the gate stayed open from the first sample to the shutter.
  var heldOpen = true
  /// Whether a fix in the window says that a simulator made it.
  var saysSimulated = false

  init(_ window: RawWindow) {
    // The receiver's rhythm is learned again from the epochs that introduce the window, and not taken
    // from its first line: that one was known at the shutter, perhaps not yet at the first sample. Only
    // whether it leads with what carries no time is taken: learning that takes longer, and begins the
    // judging anew, so that it was known before the window.
    var pipeline = PositioningPipeline(
      gate: window.gate, sampler: window.sampler ?? SamplerPolicy(),
      leads: window.cycleEnd?.leads ?? false, from: window.from, samplesFrom: window.firstSample)
    var isOver = false
    var shutterFix: JudgedFix?
    var held = true
    var simulated = false
    func read(_ event: PositioningEvent) {
      guard !isOver else { return }
      switch event {
      case .gpsd: break
      case .silence: if shutterFix == nil { held = false }
      case .fix(let judged):
        if judged.fix.isSimulated { simulated = true }
        let sinceFirst = judged.fix.time.seconds(since: window.firstSample)
        if sinceFirst >= 0, judged.verdict.state != .still { held = false }
        if judged.fix.time.seconds(since: window.shutter) >= 0 {
          if abs(judged.fix.time.seconds(since: window.shutter)) < 0.0005 { shutterFix = judged }
          isOver = true
        }
      }
    }
    for chunk in window.chunks {
      pipeline.accept(chunk.bytes, at: chunk.arrival, read)
      if isOver { break }
    }
    if !isOver {
      // The epoch at the shutter was told as complete before the next one began.
      pipeline.finish(at: window.chunks.last?.arrival ?? ElapsedTime(milliseconds: 0), read)
    }
    shutter = shutterFix
    heldOpen = held
    saysSimulated = simulated
    // The samples as they were at the shutter, not those that the pipeline holds by now: what came
    // after it in the same read may have closed the gate already.
    standpoint = window.sampler == nil ? nil : shutterFix?.standpoint
  }
}
