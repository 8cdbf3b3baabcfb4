import Geodesy
import Positioning
import TimeAndText

/// What must hold of everything that comes out of a decoder, whatever went in.
public struct DecoderChecks {
  /// All that one way of cutting the bytes gave.
  public struct Outcome: Hashable {
    var fixes: [Fix] = []
    var counts: StreamCounts?
    var cycleEnd: CycleEnd?
    var capability: ReceiverCapability?
    var sky: [Satellite] = []
  }

  /// Decodes `bytes` in reads of `size` and checks each fix.
  public static func decode(_ bytes: UnsafeBufferPointer<UInt8>, size: Int) -> Outcome {
    var decoder = FixDecoder()
    var outcome = Outcome()
    func take(_ event: DecodedEvent) {
      guard case .fix(let fix) = event else { return }
      check(fix)
      outcome.fixes.append(fix)
    }
    var start = 0
    while start < bytes.count {
      let end = min(bytes.count, start + size)
      decoder.accept(UnsafeBufferPointer(rebasing: bytes[start..<end]), take)
      start = end
    }
    decoder.finish(take)
    outcome.counts = decoder.counts
    outcome.cycleEnd = decoder.cycleEnd
    outcome.capability = decoder.capability
    outcome.sky = decoder.sky
    check(outcome.sky)
    precondition(decoder.epochCount == outcome.fixes.count)
    precondition(decoder.fixCount <= decoder.epochCount)
    if let end = outcome.cycleEnd { precondition(CycleEnd(text: end.text) == end) }
    return outcome
  }

  /// The same bytes, in one read and in many, say the same.
  public static func compare(_ bytes: UnsafeBufferPointer<UInt8>, size: Int) {
    let whole = decode(bytes, size: .max)
    let cut = decode(bytes, size: size)
    precondition(whole == cut, "reads of \(size) give something else")
    judge(whole.fixes)
  }

  static func check(_ fix: Fix) {
    precondition((fix.coordinate == nil) == (fix.mode == .none))
    precondition((0..<86_401_000).contains(fix.time.millisecondsSinceMidnight))
    precondition(fix.time.timeOfDay.utf8.count == 12)
    if let place = fix.coordinate {
      precondition(abs(place.latitudeDegrees) <= 90 && abs(place.longitudeDegrees) <= 180)
    } else {
      precondition(fix.speedMetresPerSecond == nil && fix.horizontalUncertaintyMetres95 == nil)
    }
    for value in [
      fix.ellipsoidalHeightMetres, fix.meanSeaLevelHeightMetres, fix.climbMetresPerSecond,
      fix.correctionAgeSeconds,
    ] { precondition(value?.isFinite ?? true) }
    for value in [
      fix.speedMetresPerSecond, fix.horizontalDilution, fix.verticalDilution, fix.positionDilution,
      fix.horizontalUncertaintyMetres95, fix.verticalUncertaintyMetres95,
    ] { if let value { precondition(value.isFinite && value >= 0) } }
    for value in [fix.courseDegreesTrue, fix.headingDegreesTrue, fix.headingDegreesMagnetic] {
      if let value { precondition((0..<360).contains(value)) }
    }
    precondition(
      (fix.uncertaintySource == nil)
        == (fix.horizontalUncertaintyMetres95 == nil && fix.verticalUncertaintyMetres95 == nil))
  }

  static func check(_ sky: [Satellite]) {
    for satellite in sky {
      precondition((1...9999).contains(satellite.id))
      if let value = satellite.elevationDegrees { precondition(abs(value) <= 90) }
      if let value = satellite.azimuthDegrees { precondition((0..<360).contains(value)) }
      if let value = satellite.carrierToNoiseDecibelHertz { precondition(value > 0 && value < 100) }
      precondition(Set(satellite.signals).count == satellite.signals.count)
    }
  }

  /// Gate and sampler, on whatever fixes there are.
  static func judge(_ fixes: [Fix]) {
    var gate = StandstillGate()
    var sampler = CentroidSampler()
    for fix in fixes {
      let verdict = gate.accept(fix)
      precondition((verdict.state == .still) == (verdict.reason == nil))
      sampler.accept(fix, verdict: verdict)
    }
    guard let standpoint = sampler.standpoint() else { return }
    precondition(standpoint.spreadMetres.isFinite && standpoint.effectiveSamples >= 1)
  }
}
