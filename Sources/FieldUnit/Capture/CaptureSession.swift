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
    /// The gate broke after the countdown had begun; it starts over.
    case rejected([GateReason])
    /// The gate did not open in time.
    case gaveUp([GateReason])
  }

  private enum Phase: Sendable {
    case waiting
    case counting(since: GNSSTime)
    case exposing
    case over
  }

  private let countdownSeconds: Double
  private let waitSeconds: Double
  private let samplesWanted: Int
  private var phase = Phase.waiting
  private var began: GNSSTime?
  private var lastReasons: [GateReason] = [.noFix]

  /// - Parameters:
  ///   - samplesWanted: 0 for the position of a single fix.
  ///   - waitSeconds: how long to wait for the gate and the samples.
  public init(samplesWanted: Int, countdownSeconds: Double, waitSeconds: Double) {
    self.samplesWanted = samplesWanted
    self.countdownSeconds = countdownSeconds
    self.waitSeconds = waitSeconds
  }

  /// Why there is no photo yet.
  public var reasons: [GateReason] { lastReasons }

  /// Takes the next judged fix.
  public mutating func accept(_ judged: JudgedFix) -> Step {
    let now = judged.fix.time
    let isStill = judged.verdict.state == .still
    if !isStill { lastReasons = judged.verdict.reasons }
    if began == nil { began = now }
    switch phase {
    case .waiting:
      guard isStill, judged.samples >= samplesWanted else {
        if let began, now.seconds(since: began) >= waitSeconds {
          phase = .over
          return .gaveUp(isStill ? [] : lastReasons)
        }
        return .waiting(reasons: judged.verdict.reasons, samples: judged.samples)
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
    case .exposing:
      return isStill ? .exposing : reject()
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
    phase = .exposing
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
    case .shutter, .exposing: "hold still: the camera is at work"
    case .rejected(let reasons), .gaveUp(let reasons):
      reasons.map(\.wording).joined(separator: "; ")
    }
  }
}
