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

  /// What gpsd has swallowed, because it let go of the log just then, is played again after this long,
  /// seconds. One that is only late, because the machine is busy, is heard twice then, which says nothing
  /// new.
  private static let patienceSeconds = [5.0, 10.0, 20.0]
  /// What was played twice may come twice: its second coming is waited for so long.
  private static let quiet = Duration.milliseconds(500)

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
    let listenersBefore = await follower.listenerCount
    let done = Flag()
    let task = Task {
      defer { done.set() }
      return try await work()
    }
    // The work begins to listen before the story goes on, or ends at once.
    while await follower.listenerCount == listenersBefore, !done.isSet {
      try await Task.sleep(for: .milliseconds(1))
    }
    while !done.isSet, next < pieces.count, pieces[next].seconds <= limit { try await playOne() }
    for _ in 0..<2000 where !done.isSet && next < pieces.count {
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
    // gpsd may have let go of the log while a step took long; it comes back by itself.
    try await Self.untilHeard(feeder)
    guard try await feeder.playNext() != nil else { return }
    next += 1
    guard decoder.counts.sentences > 0 else { return }
    let bytes = pieces[next - 1].bytes
    expectedSentences += decoder.counts.sentences
    var wasRepeated = false
    for seconds in Self.patienceSeconds {
      if try await isHeard(within: seconds) { break }
      try await Self.untilHeard(feeder)
      await feeder.play(bytes)
      wasRepeated = true
    }
    if wasRepeated {
      if try await !isHeard(within: Self.patienceSeconds[0]) {
        Terminal.complain(
          "gpsd lost a part of the log while this machine was busy: numbers differ from other runs")
      }
      var heard = -1
      while await follower.heardSentences != heard {
        heard = await follower.heardSentences
        try await Task.sleep(for: Self.quiet)
      }
      expectedSentences = heard
    }
    // What a listener does with a fix may take as long as it takes.
    while await follower.settledSentences < expectedSentences {
      try await Task.sleep(for: .milliseconds(1))
    }
  }

  /// Whether the field unit hears all that was played, in the time given.
  private func isHeard(within seconds: Double) async throws -> Bool {
    let start = ContinuousClock.now
    while await follower.heardSentences < expectedSentences {
      if ContinuousClock.now - start > .seconds(seconds) { return false }
      try await Task.sleep(for: .milliseconds(1))
    }
    return true
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
