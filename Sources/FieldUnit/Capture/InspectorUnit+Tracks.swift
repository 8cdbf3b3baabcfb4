import Evidence
import Foundation
import Inspection
import Positioning
import Receivers
import Store
import Sync
import TimeAndText

extension InspectorUnit {
  /// Returns the person's tracks, the oldest first.
  public func tracks(_ selection: Selection = .all) throws -> [Track] {
    try store.read(as: person) { try $0.tracks.list(selection) }
  }

  /// Returns the person's tracks without their points, for lists.
  public func trackHeads(_ selection: Selection = .all) throws -> [Track] {
    try store.read(as: person) { try $0.tracks.heads(selection) }
  }

  /// Returns one track.
  /// - Throws: `StoreError` if there is no such track.
  public func track(_ id: Identifier) throws -> Track {
    try store.read(as: person) { try $0.tracks.track(id) }
  }

  /// Begins a track. A track without a name is named after the time of its start.
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
        let order = try session.tasks.task(task)
        guard order.state.isEditable else { throw InspectionError.taskLocked(order.state) }
      }
      try session.tracks.insert(track)
    }
    return track
  }

  /// Stores a point durably.
  public func append(_ point: TrackPoint, to track: Identifier) throws {
    try store.write(as: person) { try $0.tracks.append(point, to: track) }
  }

  /// Notes that the track holds positions of a simulator.
  func markSimulated(track: Identifier) throws {
    try store.write(as: person) { try $0.tracks.markSimulated(track) }
  }

  /// Deletes the last point of a track that is being recorded.
  /// - Returns: the point before it; nil if none is left.
  public func deleteLastPoint(of track: Identifier) throws -> TrackPoint? {
    try store.write(as: person) { try $0.tracks.deleteLastPoint(of: track) }
  }

  /// Ends and seals a track.
  /// - Returns: the track; nil if it has no points, because such a track is not kept.
  public func finishTrack(_ id: Identifier, source: String?) throws -> Track? {
    let now = clock.deviceTime
    let begun = try track(id)
    guard begun.ended == nil else { return begun }
    guard !begun.points.isEmpty else {
      try store.write(as: person) { try $0.tracks.removeEmpty(id) }
      return nil
    }
    return try sealer.seal(as: person, with: key) { session in
      var track = try session.tracks.track(id)
      track.ended = now
      let file = Record.trackFile(track)
      let context = context(source: source, isSimulated: track.isSimulated)
      let sealing = Sealer.Sealing(
        shelf: .tracks, kind: .track, id: id, record: Record.track(track, in: context), file: file)
      return (sealing, track)
    } after: { session, track in
      try session.tracks.finish(id, at: now, bytes: Record.trackFile(track).count)
    }
  }

  /// Records a track until the receiver's log ends, the time is over, the inspector finishes it, or
  /// the surrounding task is cancelled. The points so far are kept.
  /// - Parameters:
  ///   - seconds: the length of the recording by the receiver's time; nil records until the
  ///     inspector finishes it.
  ///   - controls: the inspector's actions meanwhile.
  ///   - progress: called with the result of each action and with each point.
  /// - Returns: the sealed track; nil if it has no points.
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

  /// Lets a run follow the receiver to its end, and seals the points that it has recorded.
  package func record(
    _ track: Track, by run: TrackRun, from source: String, with follower: ReceiverFollower
  ) async throws -> Track? {
    let listener = await follower.listen { event in await run.take(event) }
    // The receiver was changed before the listener was added: the bytes from now on are of another
    // receiver.
    if "\(follower.source)" != source { await run.take(.changed(to: follower.source)) }
    let outcome = await run.finished()
    await follower.stopListening(listener)
    if let error = outcome { throw error }
    return try finishTrack(track.id, source: source)
  }

  /// Takes the right to record on this device, which only one page or terminal has at a time, even
  /// for different persons. The right ends with the program, however that ends.
  /// - Throws: `FieldUnitError.recordingElsewhere` while another program or page has it.
  package func holdRecording() throws -> FileLock {
    // A program that only checks holds the lock for a moment.
    for _ in 0..<5 {
      if let hold = try FileLock(folder.recordingLock) { return hold }
      usleep(2000)
    }
    throw FieldUnitError.recordingElsewhere
  }

  /// Returns true if a track is being recorded on this device, by any program.
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
        let track = try session.tracks.track(id)
        if track.sent != nil { continue }
        guard track.ended != nil else {
          throw FieldUnitError.trackNotFinished(id.description)
        }
        guard track.task == nil else { throw SendError.belongsToTask(what: "track", id: id) }
        try session.tracks.markSent(id, at: time)
        try session.outbox.insert(try session.entry(for: track, queued: time))
      }
    }
  }

  /// Deletes a track that was not sent. A track that was never finished was never sealed, and
  /// leaves no sealed deletion.
  public func deleteTrack(_ id: Identifier, reason: String) throws {
    let track = try track(id)
    try track.requireDeletable()
    guard track.ended != nil else {
      try store.write(as: person) {
        try $0.tracks.markDeleted(id, at: clock.deviceTime, reason: reason)
      }
      return
    }
    try delete(id, reason: reason) { session in
      try session.tracks.track(id).requireDeletable()
    } mark: { session, time in
      try session.tracks.markDeleted(id, at: time, reason: reason)
    }
    try DurableFile.remove(folder.file(.tracks, id))
  }

  private static func defaultName(_ time: DeviceTime) -> String {
    String(time.rfc3339.prefix(19)).replacing("T", with: " ")
  }
}
