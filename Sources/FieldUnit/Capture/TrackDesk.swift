import Foundation
import Inspection
import Positioning
import Receivers
import Store
import Synchronization
import TimeAndText

/// Records the track that was begun on a page. The recording belongs to the program and not to the
/// page: it goes on if the page is closed or the browser is killed. One track is recorded at a time
/// on the device.
package final class TrackDesk: Sendable {
  /// The present state of the track that is being recorded.
  package struct Recording: Sendable {
    /// The track as it was begun, without its points.
    package var track: Track
    /// The person who records the track.
    package var person: Person
    /// All points so far.
    package var points: [TrackPoint] = []
    /// The number of points that were deleted: when it changes, a page that follows the points
    /// reads all of them again.
    package var deletions = 0
    /// True if the recording is paused, so that no points are added by themselves.
    package var isPaused = false
    /// The reason why the last action was refused; nil if it was done.
    package var refusal: Wording?

    /// Length, area and the other measures of the points so far.
    package var measures: TrackMeasures { TrackMeasures(points) }
  }

  /// The result of the last recording.
  package struct Ending: Sendable {
    package var person: Person
    /// The sealed track; nil if there is none.
    package var track: Track?
    /// The reason why the recording ended without being finished by the inspector, or why there is
    /// no track; nil if there is nothing to say.
    package var words: Wording?
  }

  private struct State {
    var recording: Recording?
    var run: TrackRun?
    var work: Task<Ending, Never>?
    var ending: Ending?
    var measured: (points: Int, deletions: Int, measures: TrackMeasures)?
    var listeners: [Int: @Sendable () -> Void] = [:]
    var nextListener = 0
  }

  private let state = Mutex(State())

  /// Returns the track that a person is recording on the pages; nil if there is none.
  package func recording(of person: Person) -> Recording? {
    state.withLock { $0.recording.flatMap { $0.person == person ? $0 : nil } }
  }

  /// Returns the result of a person's last recording; nil before the first and while the next one
  /// runs.
  package func ending(of person: Person) -> Ending? {
    state.withLock { $0.ending.flatMap { $0.person == person ? $0 : nil } }
  }

  /// Returns length and area of a recording, measured once for each point, however many pages ask.
  package func measures(of recording: Recording) -> TrackMeasures {
    let known = state.withLock { $0.measured }
    let mark = (recording.points.count, recording.deletions)
    if let known, (known.points, known.deletions) == mark { return known.measures }
    let measures = recording.measures
    state.withLock { $0.measured = (mark.0, mark.1, measures) }
    return measures
  }

  /// Begins a track, which is recorded until the inspector finishes it or the receiver is changed.
  /// - Parameters:
  ///   - name: the track's name; nil names it after the time of its start.
  /// - Throws: `FieldUnitError.recordingElsewhere`; `InspectionError.taskLocked`; errors of the
  ///   disk.
  package func begin(
    name: String?, task: Identifier?, of unit: InspectorUnit,
    with follower: ReceiverFollower
  ) throws -> Track {
    let hold = try unit.holdRecording()
    let source = "\(follower.source)"
    let track: Track
    let intervalSeconds: Double
    let sampler: SamplerPolicy
    do {
      intervalSeconds = try unit.settings().trackIntervalSeconds
      sampler = try unit.cornerSampler(for: task)
      track = try unit.beginTrack(
        name: name, task: task, source: source, isSimulated: follower.source.isReplay)
    } catch {
      hold.release()
      throw error
    }
    let run = TrackRun(
      unit: unit, track: track.id, follower: follower, seconds: nil,
      intervalSeconds: intervalSeconds, sampler: sampler
    ) { self.note($0, of: track.id) }
    // Recording and run are set in one step, so that a caller who finds the recording can wait for
    // its end.
    state.withLock { state in
      state.recording = Recording(track: track, person: unit.person)
      state.run = run
      state.ending = nil
      state.measured = nil
      state.work = Task {
        var ending = Ending(person: unit.person)
        do {
          ending.track = try await unit.record(track, by: run, from: source, with: follower)
        } catch {
          ending.words = (error as? any Worded)?.wording ?? Wording(verbatim: "\(error)")
        }
        // The right is released before the end is announced, because a page may begin the next
        // track at once.
        hold.release()
        return self.end(ending, of: track.id)
      }
    }
    tell()
    return track
  }

  /// Does an action, and returns when it is done or refused.
  /// - Throws: `FieldUnitError.notRecording`.
  package func take(_ control: TrackControl, of person: Person) async throws {
    let run = state.withLock { state -> TrackRun? in
      guard state.recording?.person == person else { return nil }
      state.recording?.refusal = nil
      return state.run
    }
    guard let run else { throw FieldUnitError.notRecording }
    await run.take(control)
    tell()
  }

  /// Ends the recording, and returns the result once it is sealed. A track without points is not
  /// kept.
  /// - Throws: `FieldUnitError.notRecording`.
  package func finish(of person: Person) async throws -> Ending {
    let (run, work) = state.withLock { state -> (TrackRun?, Task<Ending, Never>?) in
      guard state.recording?.person == person else { return (nil, nil) }
      state.recording?.refusal = nil
      return (state.run, state.work)
    }
    guard let run, let work else { throw FieldUnitError.notRecording }
    await run.take(.finish)
    return await work.value
  }

  /// Ends a person's recording before sign-out: its points are sealed under that person's name. A
  /// track that cannot be sealed is offered again at the next sign-in.
  package func finishBeforeSignOut(of person: Person) async {
    _ = try? await finish(of: person)
  }

  /// Adds a listener that is told of every change.
  /// - Returns: the number with which the listener is removed again.
  package func listen(_ listener: @escaping @Sendable () -> Void) -> Int {
    state.withLock { state in
      state.nextListener += 1
      state.listeners[state.nextListener] = listener
      return state.nextListener
    }
  }

  /// Removes a listener.
  package func stopListening(_ number: Int) {
    state.withLock { $0.listeners[number] = nil }
  }

  private func note(_ progress: TrackProgress, of track: Identifier) {
    state.withLock { state in
      guard state.recording?.track.id == track else { return }
      switch progress {
      case .point(let point, _): state.recording?.points.append(point)
      case .deleted:
        _ = state.recording?.points.popLast()
        state.recording?.deletions += 1
      case .paused(let isPaused): state.recording?.isPaused = isPaused
      case .refused(let words): state.recording?.refusal = words
      }
    }
    tell()
  }

  /// Notes that a recording has ended. If another one has been begun since, that one goes on.
  /// - Returns: the same ending, with the reason added.
  @discardableResult
  package func end(_ ending: Ending, of track: Identifier) -> Ending {
    let told = state.withLock { state in
      var ending = ending
      let isShown = state.recording?.track.id == track
      // The last words of the run are the reason why it ended, for example that the receiver was
      // changed.
      if ending.words == nil, isShown { ending.words = state.recording?.refusal }
      if ending.words == nil, ending.track == nil {
        ending.words = "there was no point: a track without points is not kept"
      }
      guard isShown else { return ending }
      state.ending = ending
      state.recording = nil
      state.run = nil
      state.work = nil
      return ending
    }
    tell()
    return told
  }

  private func tell() {
    for listener in state.withLock({ Array($0.listeners.values) }) { listener() }
  }
}
