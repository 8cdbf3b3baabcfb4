import Foundation
import Inspection
import Positioning
import Receivers
import Store
import Synchronization

/// Records the track that was begun on a page. It belongs to the program and not to the page: a page that
/// is closed, and a browser that is killed, end nothing. One track at a time, as everywhere on the device.
package final class TrackDesk: Sendable {
  /// The track that is recorded just now, as it stands.
  package struct Recording: Sendable {
    /// The track as it was begun, without its points.
    package var track: Track
    /// Whose it is.
    package var person: Person
    /// Every point so far.
    package var points: [TrackPoint] = []
    /// Counts what was taken away: whoever follows the points reads them anew when it changes.
    package var deletions = 0
    /// No points come by themselves.
    package var isPaused = false
    /// Why the last thing that was asked for was not done; nil when it was.
    package var refusal: Wording?

    /// Length, area and the rest of the points so far.
    package var measures: TrackMeasures { TrackMeasures(points) }
  }

  /// What came of the recording before.
  package struct Ending: Sendable {
    package var person: Person
    /// The sealed track; nil where none came of it.
    package var track: Track?
    /// Why it ended before somebody said so; nil where somebody did.
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

  /// The track that this person records on the pages just now.
  package func recording(of person: Person) -> Recording? {
    state.withLock { $0.recording.flatMap { $0.person == person ? $0 : nil } }
  }

  /// What came of this person's recording before; nil once another has begun.
  package func ending(of person: Person) -> Ending? {
    state.withLock { $0.ending.flatMap { $0.person == person ? $0 : nil } }
  }

  /// Length and area of a recording, measured once for each point, however many pages look.
  package func measures(of recording: Recording) -> TrackMeasures {
    let known = state.withLock { $0.measured }
    let mark = (recording.points.count, recording.deletions)
    if let known, (known.points, known.deletions) == mark { return known.measures }
    let measures = recording.measures
    state.withLock { $0.measured = (mark.0, mark.1, measures) }
    return measures
  }

  /// Begins a track, which is recorded until somebody says so or the receiver is changed.
  /// - Parameters:
  ///   - name: nil is called after its start.
  /// - Throws: `FieldUnitError.recordingElsewhere`; `InspectionError.taskLocked`; what the disk says.
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
    // In one step: whoever finds the recording can wait for its end.
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
        // Free before it is said: whoever is told so may begin the next one at once.
        hold.release()
        return self.end(ending, of: track.id)
      }
    }
    tell()
    return track
  }

  /// Does what was asked for, and returns when it is done or refused.
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

  /// Ends the recording, and returns what came of it once that is sealed. A track without points is not
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

  /// Whoever signs out leaves no recording behind: what is there is sealed under their name. What cannot be
  /// is offered again when they come back.
  package func finishBeforeSignOut(of person: Person) async {
    _ = try? await finish(of: person)
  }

  /// Whoever looks is told of every change; the number takes them away again.
  package func listen(_ listener: @escaping @Sendable () -> Void) -> Int {
    state.withLock { state in
      state.nextListener += 1
      state.listeners[state.nextListener] = listener
      return state.nextListener
    }
  }

  /// Takes a listener away.
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

  /// A recording has ended. Another one may have been begun since its device was free: that one goes on.
  /// - Returns: the same, with why it ended.
  @discardableResult
  package func end(_ ending: Ending, of track: Identifier) -> Ending {
    let told = state.withLock { state in
      var ending = ending
      let isShown = state.recording?.track.id == track
      // What the run said last, such as that the receiver was changed, is why it ended.
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
