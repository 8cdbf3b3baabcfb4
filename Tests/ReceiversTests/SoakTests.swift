import Foundation
import Geodesy
import NIOConcurrencyHelpers
import Positioning
import TestSupport
import Testing
import TimeAndText

@testable import Receivers

/// Receivers that go away and come back, again and again: ten times in each test run, 1,000 and 100
/// times with `make soak`.
@Suite("Drop and return", .serialized, .timeLimit(.minutes(20)))
struct SoakTests {
  private static func epochs(_ count: Int) throws -> [[UInt8]] {
    let origin = try #require(Coordinate(latitudeDegrees: 50, longitudeDegrees: -14))
    let start = try #require(DeviceTime(rfc3339: "2026-06-01T08:00:00Z"))
    return WalkSimulator(
      origin: origin, start: start, legs: [.stand(seconds: count)], seed: 3
    ).epochs()
  }

  private static func until(_ condition: () -> Bool) async {
    // A time limit ends the wait by cancelling its task.
    while !condition(), !Task.isCancelled { await Task.yield() }
  }

  @Test("a TCP receiver that drops is followed again each time, and leaves nothing behind")
  func tcp() async throws {
    let rounds = isAlone ? 1000 : 10
    let peer = try TCPPeer()
    let account = Account(try peer.receiver(silenceSeconds: 60))
    let epochs = try Self.epochs(rounds + 1)
    var delays: [Double] = []
    var before = (descriptors: 0, residentBytes: 0)
    for (round, epoch) in epochs.enumerated() {
      if round > 0 {
        try peer.comeBack()
        let back = ContinuousClock.now
        await Self.until { account.connections > round }
        delays.append((ContinuousClock.now - back) / .seconds(1))
      }
      await Self.until { peer.hasListener }
      // The first rounds fill buffers and caches.
      if round == min(100, rounds / 2) { before = usage() }
      peer.say(epoch)
      await Self.until { account.bytes >= epoch.count }
      let losses = account.losses
      peer.vanish()
      await Self.until { account.losses > losses }
      account.beginRound()
    }
    let after = usage()
    await account.stop()
    #expect(account.fixes == rounds + 1, "each fix that arrived was told")
    report("TCP", delays, before, after)
  }

  @Test(
    "a gpsd that is killed and started again is followed again each time",
    .enabled(if: Program.tool("gpsd") != nil, "gpsd is not installed"))
  func gpsd() async throws {
    let rounds = isAlone ? 100 : 10
    let feed = try TCPPeer()
    var gpsd = try await GpsdProcess.start(feedPort: feed.number)
    let port = gpsd.port
    let source = ReceiverSource.gpsd(host: "127.0.0.1", port: port, device: nil)
    let account = Account(try source.receiver(clock: MachineClock()))
    let epochs = try Self.epochs(6 * (rounds + 1))
    var delays: [Double] = []
    var before = (descriptors: 0, residentBytes: 0)
    for round in 0...rounds {
      if round > 0 {
        gpsd = try await GpsdProcess.start(feedPort: feed.number, port: port)
        let back = ContinuousClock.now
        await Self.until { account.connections > round }
        delays.append((ContinuousClock.now - back) / .seconds(1))
      }
      // Without an end the wait would take a core for twenty minutes, and say nothing.
      let begun = ContinuousClock.now
      await Self.until { feed.hasListener || ContinuousClock.now - begun > .seconds(60) }
      try #require(feed.hasListener, "in round \(round) gpsd does not read from its feed")
      if round == rounds / 2 { before = usage() }
      let own = account.fixes
      // gpsd listens to some sentences before it knows what speaks there.
      for epoch in epochs[(6 * round)..<(6 * round + 6)] { feed.say(epoch) }
      await Self.until { account.fixes >= own + 3 }
      let losses = account.losses
      await gpsd.stopped()
      await Self.until { account.losses > losses }
      feed.hangUp()
      account.beginRound()
    }
    let after = usage()
    await account.stop()
    report("gpsd", delays, before, after)
  }

  private func report(
    _ name: String, _ delays: [Double], _ before: (descriptors: Int, residentBytes: Int),
    _ after: (descriptors: Int, residentBytes: Int)
  ) {
    let median = delays.sorted()[delays.count / 2]
    let growth = Double(after.residentBytes - before.residentBytes) / 1e6
    // In a common run other tests run beside it; alone, its time and its descriptors are its own.
    #expect(median < (isAlone ? 2 : 10))
    #expect(!isAlone || after.descriptors <= before.descriptors + 1)
    #expect(!isAlone || growth < 5, "grown by \(growth) MB")
    print(
      "\(name): \(delays.count) times back after \(DecimalText.fixed(median, places: 2)) s (median),"
        + " \(DecimalText.fixed(delays.max() ?? 0, places: 2)) s at the most; descriptors"
        + " \(before.descriptors) and \(after.descriptors), memory grown by"
        + " \(DecimalText.fixed(growth, places: 1)) MB")
  }

  private func usage() -> (descriptors: Int, residentBytes: Int) {
    let pages =
      (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8))?
      .split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
    return (openDescriptors(), pages * Int(sysconf(Int32(_SC_PAGESIZE))))
  }
}

/// A counter of all that comes, which keeps nothing of it.
private final class Account: Sendable {
  private struct Counts {
    var connections = 0
    var losses = 0
    var bytes = 0
    var fixes = 0
  }

  private let counts: NIOLockedValueBox<Counts>
  private let run: Task<Void, any Error>

  init(_ receiver: any Receiver) {
    let counts = NIOLockedValueBox(Counts())
    self.counts = counts
    let decoder = NIOLockedValueBox(Decoder())
    run = Task {
      try await receiver.run { event in
        switch event {
        case .state(.listening): counts.withLockedValue { $0.connections += 1 }
        case .state(.lost):
          let fixes = decoder.withLockedValue { $0.finish() }
          counts.withLockedValue {
            $0.losses += 1
            $0.fixes += fixes
          }
        case .state: break
        case .bytes(let chunk):
          let fixes = decoder.withLockedValue { $0.accept(chunk.bytes) }
          counts.withLockedValue {
            $0.bytes += chunk.bytes.count
            $0.fixes += fixes
          }
        }
      }
    }
  }

  /// A decoder behind a lock: gpsd's messages go through a class that only the lock makes safe to
  /// share.
  private struct Decoder: @unchecked Sendable {
    private var decoder = FixDecoder()

    mutating func accept(_ bytes: [UInt8]) -> Int {
      var count = 0
      decoder.accept(bytes) { if case .fix = $0 { count += 1 } }
      return count
    }

    mutating func finish() -> Int {
      var count = 0
      decoder.finish { if case .fix = $0 { count += 1 } }
      return count
    }
  }

  var connections: Int { counts.withLockedValue { $0.connections } }
  var losses: Int { counts.withLockedValue { $0.losses } }
  var bytes: Int { counts.withLockedValue { $0.bytes } }
  var fixes: Int { counts.withLockedValue { $0.fixes } }

  func beginRound() { counts.withLockedValue { $0.bytes = 0 } }

  func stop() async {
    run.cancel()
    _ = try? await run.value
  }
}
