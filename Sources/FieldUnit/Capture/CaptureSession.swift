import Positioning

/// The decisions of one capture, from opening the camera to the shutter. Pure: judged fixes in, steps
/// out; all times are the epochs' own, so that a replay at any rate takes the same photo.
public struct CaptureSession: Sendable {
  /// What the fixes so far lead to.
  public enum Step: Hashable, Sendable {
    /// Not yet: the gate's reasons, and samples so far.
    case waiting(reasons: [GateReason], samples: Int)
    /// The countdown runs.
    case countdown(secondsLeft: Double)
    /// Now: this fix is the photo's.
    case shutter(JudgedFix)
    /// The camera has the frame in work; the gate still holds.
    case exposing
    /// The frame is in, and the gate has held until then: the photo can be sealed.
    case held
    /// The gate broke after the countdown had begun; it starts over.
    case rejected([GateReason])
    /// The gate did not open in time.
    case gaveUp([GateReason])
  }

  private enum Phase: Sendable {
    case waiting
    case counting(since: GNSSTime)
    case exposing(isFrameIn: Bool)
    case over
  }

  private let gate: GatePolicy
  private let sampler: SamplerPolicy?
  private let countdownSeconds: Double
  private let waitSeconds: Double
  private var samplesWanted: Int { sampler?.samples ?? 0 }
  private var phase = Phase.waiting
  private var began: GNSSTime?
  private var lastReasons: [GateReason] = [.noFix]

  /// - Parameters:
  ///   - gate: the limits that every fix has to be judged by.
  ///   - sampler: the rules that the samples have to be taken by; nil for the position of a single fix.
  ///   - waitSeconds: how long to wait for the gate and the samples.
  public init(
    gate: GatePolicy, sampler: SamplerPolicy?, countdownSeconds: Double, waitSeconds: Double
  ) {
    (self.gate, self.sampler) = (gate, sampler)
    self.countdownSeconds = countdownSeconds
    self.waitSeconds = waitSeconds
  }

  /// Why there is no photo yet.
  public var reasons: [GateReason] { lastReasons }

  /// Whether a fix was judged by what holds for this photo. One receiver serves every page: another one
  /// may have asked for other limits or samples meanwhile.
  public func isJudgedByItsRules(_ judged: JudgedFix) -> Bool {
    judged.gatePolicy == gate && (sampler == nil || judged.samplerPolicy == sampler)
  }

  /// The camera has given its frame. The gate has to hold until then, and what it said last was before:
  /// the next fix decides.
  public mutating func frameIsIn() {
    if case .exposing = phase { phase = .exposing(isFrameIn: true) }
  }

  /// Takes the next judged fix.
  public mutating func accept(_ judged: JudgedFix) -> Step {
    let now = judged.fix.time
    let isOurs = isJudgedByItsRules(judged)
    let isStill = isOurs && judged.verdict.state == .still
    if !isStill { lastReasons = isOurs ? judged.verdict.reasons : [] }
    if began == nil { began = now }
    switch phase {
    case .waiting:
      guard isStill, judged.samples >= samplesWanted else {
        if let began, now.seconds(since: began) >= waitSeconds {
          phase = .over
          return .gaveUp(isStill ? [] : lastReasons)
        }
        return .waiting(
          reasons: judged.verdict.reasons, samples: isOurs ? judged.samples : 0)
      }
      phase = .counting(since: now)
      return count(judged, since: now)
    case .counting(let since):
      guard isStill else { return reject() }
      guard judged.samples >= samplesWanted else {
        // They were begun anew because the first of them had grown old: nobody has moved, and the photo is
        // not of a single fix either.
        phase = .waiting
        return .waiting(reasons: [], samples: judged.samples)
      }
      return count(judged, since: since)
    case .exposing(let isFrameIn):
      guard isStill else { return reject() }
      if isFrameIn { phase = .over }
      return isFrameIn ? .held : .exposing
    case .over: return .gaveUp(lastReasons)
    }
  }

  /// The receiver has fallen silent.
  public mutating func accept(silence verdict: GateVerdict) -> Step {
    lastReasons = verdict.reasons
    switch phase {
    case .waiting: return .waiting(reasons: verdict.reasons, samples: 0)
    case .counting, .exposing: return reject()
    case .over: return .gaveUp(lastReasons)
    }
  }

  private mutating func count(_ judged: JudgedFix, since: GNSSTime) -> Step {
    let left = countdownSeconds - judged.fix.time.seconds(since: since)
    guard left <= 0.0005 else { return .countdown(secondsLeft: left) }
    phase = .exposing(isFrameIn: false)
    return .shutter(judged)
  }

  private mutating func reject() -> Step {
    phase = .waiting
    began = nil
    return .rejected(lastReasons)
  }
}

extension CaptureSession.Step {
  /// Words for the inspector.
  /// - Parameter wanted: how many samples are asked for.
  public func words(wanted: Int) -> Wording {
    switch self {
    case .waiting(let reasons, let samples):
      reasons.isEmpty
        ? "samples \(samples)/\(wanted)" : reasons.map(\.wording).joined(separator: "; ")
    case .countdown(let left): "hold still: \(DecimalText.fixed(left, places: 0))"
    case .shutter, .exposing, .held: "hold still: the camera is at work"
    case .rejected(let reasons), .gaveUp(let reasons):
      reasons.map(\.wording).joined(separator: "; ")
    }
  }
}
