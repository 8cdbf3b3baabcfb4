import FieldUnit
import Foundation
import Geodesy
import Positioning
import Receivers
import TimeAndText

/// Plays the log into gpsd, epoch by epoch, and waits until the field unit has processed each
/// epoch: one seed always gives one story, however long a step takes.
package actor DemoStage {
  private let feeder: LogFeeder
  private let follower: ReceiverFollower
  private let pieces: [LogTimeline.Piece]
  private let complain: @Sendable (String) -> Void
  private var next = 0
  private var expectedSentences = 0

  /// The longest wait for a sentence, since gpsd may swallow one. The wait is 60 s as long as
  /// nothing was swallowed, since on a busy machine a sentence may only be late, and going on
  /// without it would change the story; after the first loss it is 1.5 s.
  private var patience: Duration { hasSwallowed ? .milliseconds(1500) : .seconds(60) }
  private var hasSwallowed = false

  /// Creates the stage, on which nothing was played yet.
  /// - Parameter complain: shows a line to whoever watches the demonstration.
  package init(
    feeder: LogFeeder, follower: ReceiverFollower, timeline: LogTimeline,
    complain: @escaping @Sendable (String) -> Void
  ) {
    self.feeder = feeder
    self.follower = follower
    self.complain = complain
    pieces = timeline.pieces
  }

  var isOver: Bool { next >= pieces.count }

  /// The seconds of the log that were played.
  var seconds: Double { next == 0 ? 0 : pieces[next - 1].seconds }

  /// Waits until gpsd listens to the log.
  package static func untilHeard(_ feeder: LogFeeder) async throws {
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

  /// Plays as long as `work` needs the log. At `limit`, in seconds of the log, the work has heard
  /// all that it asked for: whatever it does afterwards takes no epoch away from the next step,
  /// however long it takes.
  func play<Result: Sendable>(
    limit: Double = .infinity, while work: @escaping @Sendable () async throws -> Result
  ) async throws -> Result {
    let listenersBefore = await follower.listenersSoFar
    let done = Flag()
    let task = Task {
      defer { done.set() }
      return try await work()
    }
    // The work begins to listen before the story goes on, or ends at once. The number of present
    // listeners would say nothing: the step before may still be removing its own.
    while await follower.listenersSoFar == listenersBefore, !done.isSet {
      try await Task.sleep(for: .milliseconds(1))
    }
    while !done.isSet, next < pieces.count, pieces[next].seconds <= limit { try await playOne() }
    // A busy machine may take long over work that needs no more of the log: up to 60 s.
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
    // While a step took long, gpsd may have dropped the log, or the field unit may have lost gpsd;
    // both come back by themselves.
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
          complain(
            "gpsd lost a part of the log while this machine was busy: numbers differ from other runs"
          )
        }
        hasSwallowed = true
        expectedSentences = await follower.heardSentences
        break
      }
      try await Task.sleep(for: .milliseconds(1))
    }
    // A listener may take any time over a fix.
    while await follower.settledSentences < expectedSentences {
      try await Task.sleep(for: .milliseconds(1))
    }
  }
}

/// A flag that one task sets and another reads.
private final class Flag: @unchecked Sendable {
  // Guarded by the lock.
  private let lock = NSLock()
  private var value = false

  var isSet: Bool { lock.withLock { value } }
  func set() { lock.withLock { value = true } }
}
