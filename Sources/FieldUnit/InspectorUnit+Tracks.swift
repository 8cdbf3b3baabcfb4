import Evidence
import Foundation
import Inspection
import Positioning
import Receivers
import Store
import Sync

extension InspectorUnit {
  /// The person's tracks, the oldest first.
  public func tracks(_ selection: Selection = .all) throws -> [Track] {
    try store.read(as: person) { try $0.tracks(selection) }
  }

  /// One track.
  public func track(_ id: Identifier) throws -> Track {
    try store.read(as: person) { try $0.track(id) }
  }

  /// Begins a track. Without a name it is called after its start.
  public func beginTrack(
    name: String?, task: Identifier?, source: String, isSimulated: Bool
  ) throws -> Track {
    let now = clock.deviceTime
    let track = Track(
      id: Identifier(at: now), agency: person.agency, inspector: person.login, task: task,
      name: name ?? Self.defaultName(now), started: now,
      isSimulated: isSimulated || configuration.isDemonstration)
    try store.write(as: person) { session in
      if let task {
        let order = try session.task(task)
        guard order.state.isEditable else { throw InspectionError.taskLocked(order.state) }
      }
      try session.insert(track)
    }
    return track
  }

  /// Makes a point durable.
  public func append(_ point: TrackPoint, to track: Identifier) throws {
    try store.write(as: person) { try $0.append(point, to: track) }
  }

  /// Ends and seals a track. One without points is not kept: nil.
  public func finishTrack(_ id: Identifier, source: String?) throws -> Track? {
    let now = clock.deviceTime
    let begun = try track(id)
    guard begun.ended == nil else { return begun }
    guard !begun.points.isEmpty else {
      try store.write(as: person) { try $0.removeEmpty(track: id) }
      return nil
    }
    return try sealer.seal(as: person, with: key) { session in
      var track = try session.track(id)
      track.ended = now
      let file = Record.trackFile(track)
      let context = context(source: source, isSimulated: track.isSimulated)
      let sealing = Sealer.Sealing(
        shelf: .tracks, kind: .track, id: id, record: Record.track(track, in: context), file: file)
      return (sealing, track)
    } after: { session, track in
      try session.finish(track: id, at: now, bytes: Record.trackFile(track).count)
    }
  }

  /// Records a track until `isOver` says so, the receiver's log ends, or the task is cancelled.
  public func recordTrack(
    name: String?, task: Identifier?, with follower: ReceiverFollower, seconds: Double?,
    progress: @escaping @Sendable (TrackPoint) -> Void = { _ in }
  ) async throws -> Track? {
    let track = try beginTrack(
      name: name, task: task, source: "\(follower.source)",
      isSimulated: follower.source.isReplay)
    let run = TrackRun(unit: self, track: track.id, seconds: seconds, progress: progress)
    let listener = await follower.listen { event in await run.take(event) }
    let outcome = await run.finished()
    await follower.stopListening(listener)
    if let error = outcome { throw error }
    return try finishTrack(track.id, source: "\(follower.source)")
  }

  /// Puts standalone tracks into the outbox. Tracks of a task go with their task.
  public func sendTracks(_ ids: [Identifier]) throws {
    let time = clock.deviceTime
    try store.write(as: person) { session in
      for id in ids {
        let track = try session.track(id)
        if track.sent != nil { continue }
        guard track.ended != nil else {
          throw FieldUnitError.trackNotFinished(id.description)
        }
        guard track.task == nil else { throw SendError.belongsToTask(what: "track", id: id) }
        try session.markSent(track: id, at: time)
        try session.insert(
          OutboxEntry(
            id: id, kind: .track, task: nil, bytes: try session.fileBytes(ofTrack: id),
            queued: time))
      }
    }
  }

  /// Deletes a track that was not sent. One that was never finished was never sealed, and goes
  /// without a trace.
  public func deleteTrack(_ id: Identifier, reason: String) throws {
    let track = try track(id)
    try track.requireDeletable()
    guard track.ended != nil else {
      try store.write(as: person) {
        try $0.markDeleted(track: id, at: clock.deviceTime, reason: reason)
      }
      return
    }
    try delete(id, reason: reason) { session in
      try session.track(id).requireDeletable()
    } mark: { session, time in
      try session.markDeleted(track: id, at: time, reason: reason)
    }
    try DurableFile.remove(folder.file(.tracks, id))
  }

  private static func defaultName(_ time: DeviceTime) -> String {
    String(time.rfc3339.prefix(19)).replacing("T", with: " ")
  }
}

/// Records points until it is over.
private actor TrackRun {
  private let unit: InspectorUnit
  private let track: Identifier
  private let seconds: Double?
  private let progress: @Sendable (TrackPoint) -> Void
  private var recorder = TrackRecorder()
  private var first: GNSSTime?
  private var outcome: (any Error)??
  private var waiter: CheckedContinuation<(any Error)?, Never>?

  init(
    unit: InspectorUnit, track: Identifier, seconds: Double?,
    progress: @escaping @Sendable (TrackPoint) -> Void
  ) {
    self.unit = unit
    self.track = track
    self.seconds = seconds
    self.progress = progress
  }

  func take(_ event: FollowerEvent) {
    guard outcome == nil else { return }
    switch event {
    case .state(.ended): end(nil)
    case .positioning(.fix(let judged)):
      if first == nil { first = judged.fix.time }
      if let first, let seconds, judged.fix.time.seconds(since: first) > seconds {
        end(nil)
        return
      }
      guard let point = recorder.accept(judged.fix) else { return }
      do {
        try unit.append(point, to: track)
        progress(point)
      } catch {
        end(error)
      }
    default: break
    }
  }

  /// Waits for the end; what is there is kept when the waiting is cancelled.
  func finished() async -> (any Error)? {
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
