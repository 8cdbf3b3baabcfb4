import Foundation
import Geodesy
import Positioning
import TestSupport
import Testing
import TimeAndText

@testable import FieldPages
@testable import FieldUnit
@testable import Receivers

/// A receiver whose events come from a test.
private final class ScriptedReceiver: Receiver, Sendable {
  let source: ReceiverSource
  private let stream: AsyncStream<ReceiverEvent>
  private let feed: AsyncStream<ReceiverEvent>.Continuation

  init(_ source: ReceiverSource) {
    self.source = source
    (stream, feed) = AsyncStream.makeStream(of: ReceiverEvent.self)
  }

  func say(_ event: ReceiverEvent) { feed.yield(event) }

  func run(_ deliver: @Sendable (ReceiverEvent) async -> Void) async throws {
    for await event in stream { await deliver(event) }
    try Task.checkCancellation()
  }
}

@Suite("Another receiver", .timeLimit(.minutes(5)))
struct ReceiverChangeTests {
  private func epochs(_ longitude: Double) throws -> [[UInt8]] {
    WalkSimulator(
      origin: try #require(Coordinate(latitudeDegrees: 50, longitudeDegrees: longitude)),
      start: try #require(DeviceTime(rfc3339: "2026-06-01T08:00:00Z")),
      legs: [.stand(seconds: 60)], seed: 5
    ).epochs()
  }

  private func chunk(_ epoch: [UInt8], _ second: Int) -> ReceiverEvent {
    .bytes(RawChunk(arrival: ElapsedTime(milliseconds: Int64(second) * 1000), bytes: epoch))
  }

  @Test("nothing of the one before is carried over, and a capture in progress is told why it ends")
  func change() async throws {
    let first = ScriptedReceiver(.tcp(host: "first", port: 1))
    let second = ScriptedReceiver(.tcp(host: "second", port: 2))
    let clock = ReplayClock(start: DeviceTime(millisecondsSince1970: 0), rate: .infinity)
    var gate = GatePolicy()
    gate.allowsSimulated = true
    let follower = ReceiverFollower(
      receiver: first, clock: clock, gate: gate, sampler: SamplerPolicy())
    let running = Task { try await follower.run() }
    let request = CaptureRequest(
      task: nil, camera: .drawn { [] }, sampling: .chosen(SamplerPolicy(samples: 50)),
      countdownSeconds: 5,
      waitSeconds: 1000, aim: CaptureRequest.Aim())
    let run = CaptureRun(
      follower: follower, clock: clock, request: request,
      terms: CaptureTerms(
        gate: gate, sampler: SamplerPolicy(samples: 50), countdownSeconds: 5), radio: nil
    ) { _ in }
    let capture = Task { try await run.exposure() }
    while await follower.listenerCount == 0 { await Task.yield() }
    first.say(.state(.listening))
    let here = try epochs(14)
    for (index, epoch) in here.prefix(20).enumerated() { first.say(chunk(epoch, index)) }
    while await (follower.lastFix?.samples ?? 0) < 5 { await Task.yield() }
    #expect(await follower.state == .fixing)
    await follower.change(to: second)
    let error = await #expect(throws: FieldUnitError.self) { try await capture.value }
    #expect("\(try #require(error))".contains("the receiver was changed to tcp://second:2"))
    #expect(follower.source == second.source)
    #expect(await follower.lastFix == nil)
    #expect(await follower.state == .connecting)
    // The follower ignores the first receiver from now on.
    first.say(chunk(here[20], 20))
    second.say(.state(.listening))
    for (index, epoch) in try epochs(-70).prefix(12).enumerated() {
      second.say(chunk(epoch, 30 + index))
    }
    while await (follower.lastFix?.samples ?? 0) < 2 { await Task.yield() }
    let fix = try #require(await follower.lastFix)
    #expect((fix.fix.coordinate?.longitudeDegrees ?? 0) < -69)
    #expect(fix.verdict.statistics?.fixes ?? 0 <= 12, "the window began with this receiver")
    let start = try #require(fix.sampling)
    let proof = try #require(await follower.proof(from: start))
    #expect(proof.chunks.allSatisfy { $0.arrival.milliseconds >= 30_000 })
    running.cancel()
    _ = try? await running.value
  }

  @Test("what will not mend itself is said, and cured by choosing another receiver")
  func cured() async throws {
    let several = ScriptedReceiver(.gpsd(host: "several", port: 1, device: nil))
    let clock = MachineClock()
    let follower = ReceiverFollower(
      receiver: several, clock: clock, gate: GatePolicy(), sampler: SamplerPolicy())
    let running = Task { try await follower.runThroughChanges { _ in } }
    several.say(.state(.listening))
    let devices =
      #"{"class":"DEVICES","devices":[{"class":"DEVICE","path":"/dev/a"},"#
      + #"{"class":"DEVICE","path":"/dev/b"}]}"# + "\n"
    several.say(chunk(Array(devices.utf8), 0))
    while !"\(await follower.state)".contains("has several receivers") { await Task.yield() }
    let cure = ScriptedReceiver(.gpsd(host: "several", port: 1, device: "/dev/a"))
    await follower.change(to: cure)
    cure.say(.state(.listening))
    while await follower.state != .listening { await Task.yield() }
    running.cancel()
    _ = try? await running.value
  }

  @Test("the chosen one is remembered, and what is none is refused in words")
  func remembered() throws {
    try withTemporaryDirectory { folder in
      #expect(try ChosenReceiver.source(in: folder) == nil)
      let source = try ReceiverSource("serial:///dev/ttyACM0?baud=38400")
      try ChosenReceiver.choose(source, in: folder.appendingPathComponent("new"))
      #expect(try ChosenReceiver.source(in: folder.appendingPathComponent("new")) == source)
      try Data("nonsense".utf8).write(to: folder.appendingPathComponent("receiver"))
      #expect(throws: ReceiverError.self) { try ChosenReceiver.source(in: folder) }
      try ChosenReceiver.forget(in: folder)
      #expect(try ChosenReceiver.source(in: folder) == nil)
    }
  }
}
