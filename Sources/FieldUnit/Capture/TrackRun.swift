import Evidence
import Inspection
import Positioning
import Receivers

/// What the inspector does while a track is recorded.
public enum TrackControl: Hashable, Sendable {
  /// No points until the recording is resumed; the hole is named.
  case pauseOrResume
  /// A corner where the receiver is.
  case vertex
  /// A corner from samples taken while standing still.
  case centroidVertex
  /// The last point goes.
  case deleteLast
  /// The track is finished.
  case finish
}

/// What became of it.
public enum TrackProgress: Hashable, Sendable {
  /// A point is durable; so many there are.
  case point(TrackPoint, count: Int)
  /// The last point is gone; so many are left.
  case deleted(count: Int)
  /// Whether the recording is paused now.
  case paused(Bool)
  /// It could not be done, in words for the inspector.
  case refused(Wording)
}

/// Records points until it is over.
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

  /// - Parameter sampler: the rules that the samples of a corner have to be taken by.
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
      // A track is of one receiver: what there is is kept.
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

  /// A simulator's position makes no point unless it was asked for, and then marks the whole track.
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
    // One receiver serves every page: the camera's may have asked for other samples meanwhile.
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

  /// Waits for the end; what is there is kept when the waiting is cancelled.
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
