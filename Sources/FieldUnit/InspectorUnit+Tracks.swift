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

  /// The same tracks without their points, for lists.
  public func trackHeads(_ selection: Selection = .all) throws -> [Track] {
    try store.read(as: person) { try $0.trackHeads(selection) }
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

  /// The track holds positions of a simulator.
  func markSimulated(track: Identifier) throws {
    try store.write(as: person) { try $0.markSimulated(track: track) }
  }

  /// Deletes the last point of a track that is being recorded; the one before it is returned.
  public func deleteLastPoint(of track: Identifier) throws -> TrackPoint? {
    try store.write(as: person) { try $0.deleteLastPoint(of: track) }
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

  /// Records a track until the receiver's log ends, its time is over, somebody says so, or the task
  /// is cancelled. What is there is kept.
  /// - Parameters:
  ///   - seconds: how much of the receiver's time is recorded; nil is until somebody says so.
  ///   - controls: what the inspector does meanwhile.
  ///   - progress: what became of it.
  /// - Throws: `FieldUnitError.recordingElsewhere` while another track is recorded on this device.
  public func recordTrack(
    name: String?, task: Identifier?, with follower: ReceiverFollower, seconds: Double?,
    controls: AsyncStream<TrackControl>? = nil,
    progress: @escaping @Sendable (TrackProgress) -> Void = { _ in }
  ) async throws -> Track? {
    let hold = try holdRecording()
    defer { hold.release() }
    let source = "\(follower.source)"
    let intervalSeconds = try settings().trackIntervalSeconds
    let sampler = try cornerSampler(for: task)
    let track = try beginTrack(
      name: name, task: task, source: source, isSimulated: follower.source.isReplay)
    let run = TrackRun(
      unit: self, track: track.id, follower: follower, seconds: seconds,
      intervalSeconds: intervalSeconds, sampler: sampler, progress: progress)
    let hands = Task {
      guard let controls else { return }
      for await control in controls { await run.take(control) }
    }
    defer { hands.cancel() }
    return try await record(track, by: run, from: source, with: follower)
  }

  /// Lets a run follow the receiver to its end, and seals what there is then.
  package func record(
    _ track: Track, by run: TrackRun, from source: String, with follower: ReceiverFollower
  ) async throws -> Track? {
    let listener = await follower.listen { event in await run.take(event) }
    // Changed between the two: what comes now is another receiver's.
    if "\(follower.source)" != source { await run.take(.changed(to: follower.source)) }
    let outcome = await run.finished()
    await follower.stopListening(listener)
    if let error = outcome { throw error }
    return try finishTrack(track.id, source: source)
  }

  /// The right to record on this device, which one has at a time: a page or a terminal, whoever works with
  /// it. It ends with the program, however that ends.
  /// - Throws: `FieldUnitError.recordingElsewhere` while another has it.
  package func holdRecording() throws -> FileLock {
    // Whoever looks whether it is free has it for a moment.
    for _ in 0..<5 {
      if let hold = try FileLock(folder.recordingLock) { return hold }
      usleep(2000)
    }
    throw FieldUnitError.recordingElsewhere
  }

  /// Whether a track is recorded on this device just now, by whichever program.
  package func isRecording() throws -> Bool {
    guard let hold = try FileLock(folder.recordingLock) else { return true }
    hold.release()
    return false
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
        try session.insert(try session.entry(for: track, queued: time))
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
