import Evidence
import Inspection
import Positioning
import Receivers
import TimeAndText

/// An action of the inspector while a track is recorded.
public enum TrackControl: Hashable, Sendable {
  /// Pauses the recording, or resumes it; the gap is recorded with its reason.
  case pauseOrResume
  /// Adds a corner at the receiver's position.
  case vertex
  /// Adds a corner from samples taken while standing still.
  case centroidVertex
  /// Deletes the last point.
  case deleteLast
  /// Finishes the track.
  case finish
}

/// The news of a recording.
public enum TrackProgress: Hashable, Sendable {
  /// A point is durable; the count includes it.
  case point(TrackPoint, count: Int)
  /// The last point is deleted; the count is that of the points left.
  case deleted(count: Int)
  /// The recording is paused (true) or goes on (false).
  case paused(Bool)
  /// An action was refused, in words for the inspector.
  case refused(Wording)
}

/// Records the points of one track until its end.
package actor TrackRun {
  private let unit: InspectorUnit
  private let track: Identifier
  private let follower: ReceiverFollower
  private let seconds: Double?
  private let sampler: SamplerPolicy
  private let allowsSimulated: Bool
  private var hasToldOfSimulation = false
  private let progress: @Sendable (TrackProgress) -> Void
  private var recorder: TrackRecorder
  private var count = 0
  private var first: GNSSTime?
  private var last: JudgedFix?
  private var outcome: (any Error)??
  private var waiter: CheckedContinuation<(any Error)?, Never>?

  /// Creates a run.
  /// - Parameter sampler: the rules for taking the samples of a corner.
  init(
    unit: InspectorUnit, track: Identifier, follower: ReceiverFollower, seconds: Double?,
    intervalSeconds: Double, sampler: SamplerPolicy,
    progress: @escaping @Sendable (TrackProgress) -> Void
  ) {
    self.unit = unit
    self.track = track
    self.follower = follower
    self.seconds = seconds
    self.sampler = sampler
    recorder = TrackRecorder(intervalSeconds: intervalSeconds)
    self.progress = progress
    allowsSimulated = unit.configuration.gate.allowsSimulated
  }

  package func take(_ event: FollowerEvent) {
    guard outcome == nil else { return }
    switch event {
    case .state(.ended): end(nil)
    case .changed(let source):
      // A track belongs to one receiver: the points so far are kept.
      progress(.refused("the receiver was changed to \(source): the track is finished"))
      end(nil)
    case .positioning(.silence): last = nil
    case .positioning(.fix(let judged)):
      guard isAdmitted(judged.fix) else {
        last = nil
        return
      }
      last = judged
      if first == nil { first = judged.fix.time }
      if let first, let seconds, judged.fix.time.seconds(since: first) > seconds {
        end(nil)
        return
      }
      if let point = recorder.accept(judged.fix) { keep(point) }
    default: break
    }
  }

  /// Returns true if a fix may become a point. A simulator's position may only if the gate allows
  /// simulators, and then it marks the whole track as simulated.
  private func isAdmitted(_ fix: Fix) -> Bool {
    guard fix.isSimulated, !hasToldOfSimulation else { return !fix.isSimulated || allowsSimulated }
    hasToldOfSimulation = true
    guard allowsSimulated else {
      progress(.refused(GateReason.simulated.wording))
      return false
    }
    do {
      try unit.markSimulated(track: track)
    } catch {
      end(error)
    }
    return true
  }

  package func take(_ control: TrackControl) async {
    guard outcome == nil else { return }
    switch control {
    case .finish: end(nil)
    case .pauseOrResume:
      if recorder.isPaused { recorder.resume() } else { recorder.pause() }
      progress(.paused(recorder.isPaused))
    case .vertex:
      guard let last, let point = recorder.vertex(at: last.fix) else {
        progress(.refused("no corner: the receiver has no position"))
        return
      }
      keep(point)
    case .centroidVertex: await keepCentroid()
    case .deleteLast: deleteLast()
    }
  }

  private func keepCentroid() async {
    // One receiver serves every page, and the camera's page may have asked for other samples
    // meanwhile.
    let isOurs = last?.samplerPolicy == sampler
    if last != nil, !isOurs { await follower.beginSamples(sampler) }
    guard isOurs, let last, last.verdict.state == .still, let standpoint = last.standpoint else {
      let why: Wording =
        last?.verdict.reason?.wording
        ?? "\(isOurs ? last?.samples ?? 0 : 0) samples so far: stand still"
      progress(.refused("no corner yet: \(why)"))
      return
    }
    keep(recorder.vertex(at: standpoint, time: last.fix.time))
    // The next corner takes samples of its own.
    self.last?.standpoint = nil
    self.last?.samples = 0
    await follower.beginSamples(sampler)
  }

  private func deleteLast() {
    guard count > 0 else {
      progress(.refused("there is no point to delete"))
      return
    }
    do {
      recorder.forgetLast(now: try unit.deleteLastPoint(of: track))
      count -= 1
      progress(.deleted(count: count))
    } catch {
      end(error)
    }
  }

  private func keep(_ point: TrackPoint) {
    do {
      try unit.append(point, to: track)
      count += 1
      progress(.point(point, count: count))
    } catch {
      end(error)
    }
  }

  /// Waits for the end of the run; if the waiting is cancelled, the points so far are kept.
  /// - Returns: the error that ended the run; nil if it ended without one.
  package func finished() async -> (any Error)? {
    await withTaskCancellationHandler {
      await withCheckedContinuation { waiter in
        if let outcome { waiter.resume(returning: outcome) } else { self.waiter = waiter }
      }
    } onCancel: {
      Task { await self.end(nil) }
    }
  }

  private func end(_ error: (any Error)?) {
    guard outcome == nil else { return }
    outcome = .some(error)
    waiter?.resume(returning: error)
    waiter = nil
  }
}
