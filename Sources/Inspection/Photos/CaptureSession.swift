import Positioning
import TimeAndText

/// The decisions of one capture, from opening the camera to the shutter. The session is pure: it
/// takes judged fixes and returns steps. All times are those of the epochs, so that a replay at any
/// rate takes the same photo.
public struct CaptureSession: Sendable {
  /// The step that follows from the fixes so far.
  public enum Step: Hashable, Sendable {
    /// The capture waits: the gate's reasons, and the number of samples so far.
    case waiting(reasons: [GateReason], samples: Int)
    /// The countdown runs, with the seconds that are left.
    case countdown(secondsLeft: Double)
    /// The shutter falls: this fix is the photo's.
    case shutter(JudgedFix)
    /// The camera is making the frame; the gate still holds.
    case exposing
    /// The frame is in, and the gate has held until then: the photo can be sealed.
    case held
    /// The gate closed after the countdown had begun; the capture starts over.
    case rejected([GateReason])
    /// The gate did not open, or the samples were not complete, in time.
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

  /// Creates a session that has seen no fix.
  /// - Parameters:
  ///   - gate: the limits by which every fix has to be judged.
  ///   - sampler: the rules for taking the samples; nil for the position of a single fix.
  ///   - countdownSeconds: the time from the last sample to the shutter, seconds.
  ///   - waitSeconds: the time to wait for the gate and the samples, seconds.
  public init(
    gate: GatePolicy, sampler: SamplerPolicy?, countdownSeconds: Double, waitSeconds: Double
  ) {
    (self.gate, self.sampler) = (gate, sampler)
    self.countdownSeconds = countdownSeconds
    self.waitSeconds = waitSeconds
  }

  /// The reasons why there is no photo yet.
  public var reasons: [GateReason] { lastReasons }

  /// Returns true if a fix was judged by the rules that hold for this photo. One receiver serves
  /// every page, and another page may have asked for other limits or samples meanwhile.
  public func isJudgedByItsRules(_ judged: JudgedFix) -> Bool {
    judged.gatePolicy == gate && (sampler == nil || judged.samplerPolicy == sampler)
  }

  /// Notes that the camera has given its frame. The gate has to hold until then, and the last fix
  /// came before: so the next fix decides.
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
        // The samples were begun again because the first of them had grown old: the inspector has
        // not moved, and the photo is not of a single fix either.
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

  /// Takes the gate's verdict that the receiver has fallen silent.
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
  /// Returns words for the inspector.
  /// - Parameter wanted: the number of samples that are asked for.
  public func words(wanted: Int) -> Wording {
    switch self {
    case .waiting(let reasons, let samples):
      reasons.isEmpty
        ? "samples \(samples)/\(wanted)" : reasons.map(\.wording).joined(separator: "; ")
    case .countdown(let left): "hold still: \(DecimalText.fixed(left, places: 0))"
    case .shutter, .exposing: "hold still: the camera is working"
    case .held: "the picture is being sent: you may move"
    case .rejected(let reasons), .gaveUp(let reasons):
      reasons.map(\.wording).joined(separator: "; ")
    }
  }
}
