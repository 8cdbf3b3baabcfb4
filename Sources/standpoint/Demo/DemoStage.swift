import FieldUnit
import Foundation
import Geodesy
import Positioning
import Receivers

/// Plays the log into gpsd, epoch by epoch, and waits until the field unit has done with each: the
/// same seed gives the same story, however long a step takes.
actor DemoStage {
  private let feeder: LogFeeder
  private let follower: ReceiverFollower
  private let pieces: [LogTimeline.Piece]
  private var next = 0
  private var expectedSentences = 0

  /// gpsd may swallow a sentence: then the story goes on after this long. A machine that is busy with
  /// other work gets more time, as long as nothing was swallowed: going on without what was only late
  /// would change the story.
  private var patience: Duration { hasSwallowed ? .milliseconds(1500) : .seconds(60) }
  private var hasSwallowed = false

  init(feeder: LogFeeder, follower: ReceiverFollower, timeline: LogTimeline) {
    self.feeder = feeder
    self.follower = follower
    pieces = timeline.pieces
  }

  var isOver: Bool { next >= pieces.count }

  /// Seconds of the log that were played.
  var seconds: Double { next == 0 ? 0 : pieces[next - 1].seconds }

  /// Waits until gpsd listens to the log.
  static func untilHeard(_ feeder: LogFeeder) async throws {
    for _ in 0..<1000 where feeder.listenerCount == 0 {
      try await Task.sleep(for: .milliseconds(10))
    }
    guard feeder.listenerCount > 0 else {
      throw ReceiverError.unreachable(source: "gpsd", reason: "it does not read the log")
    }
  }

  /// Plays until the log has come to `seconds`.
  func play(until seconds: Double) async throws {
    while next < pieces.count, pieces[next].seconds <= seconds { try await playOne() }
  }

  /// Plays as long as `work` needs it. At `limit` it has heard all that it asked for: what it does
  /// afterwards takes no epoch away from the next step, however long it takes.
  func play<Result: Sendable>(
    limit: Double = .infinity, while work: @escaping @Sendable () async throws -> Result
  ) async throws -> Result {
    let listenersBefore = await follower.listenersSoFar
    let done = Flag()
    let task = Task {
      defer { done.set() }
      return try await work()
    }
    // The work begins to listen before the story goes on, or ends at once. How many listen says nothing:
    // the step before may still be taking its own listener away.
    while await follower.listenersSoFar == listenersBefore, !done.isSet {
      try await Task.sleep(for: .milliseconds(1))
    }
    while !done.isSet, next < pieces.count, pieces[next].seconds <= limit { try await playOne() }
    // A machine that is busy may take long over what needs no more of the log.
    for _ in 0..<12_000 where !done.isSet && next < pieces.count {
      try await Task.sleep(for: .milliseconds(5))
    }
    while !done.isSet, next < pieces.count { try await playOne() }
    if !done.isSet, next >= pieces.count { await follower.replayEnded() }
    return try await task.value
  }

  private func playOne() async throws {
    var decoder = FixDecoder()
    decoder.accept(pieces[next].bytes) { _ in }
    decoder.finish { _ in }
    // gpsd may have let go of the log while a step took long, or the field unit of gpsd; they come back
    // by themselves.
    try await Self.untilHeard(feeder)
    for _ in 0..<1000 {
      if await follower.state.isConnected { break }
      try await Task.sleep(for: .milliseconds(10))
    }
    guard try await feeder.playNext() != nil else { return }
    next += 1
    guard decoder.counts.sentences > 0 else { return }
    expectedSentences += decoder.counts.sentences
    let start = ContinuousClock.now
    while await follower.heardSentences < expectedSentences {
      if ContinuousClock.now - start > patience {
        if !hasSwallowed {
          Terminal.complain(
            "gpsd lost a part of the log while this machine was busy: numbers differ from other runs"
          )
        }
        hasSwallowed = true
        expectedSentences = await follower.heardSentences
        break
      }
      try await Task.sleep(for: .milliseconds(1))
    }
    // What a listener does with a fix may take as long as it takes.
    while await follower.settledSentences < expectedSentences {
      try await Task.sleep(for: .milliseconds(1))
    }
  }
}

/// A yes that somebody else says.
private final class Flag: @unchecked Sendable {
  // Guarded by the lock.
  private let lock = NSLock()
  private var value = false

  var isSet: Bool { lock.withLock { value } }
  func set() { lock.withLock { value = true } }
}
