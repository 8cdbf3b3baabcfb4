import Foundation
import Geodesy
import NIOConcurrencyHelpers
import NIOCore
import NIOPosix
import Positioning
import Receivers
import TestSupport
import Testing
import TimeAndText

/// The duties of every source, tested on each of them.
@Suite("Receivers", .serialized, .timeLimit(.minutes(5)))
struct FollowingTests {
  /// Returns the log of a receiver that stands for 40 s.
  private func walk() throws -> LogTimeline {
    let origin = try #require(Coordinate(latitudeDegrees: -33.5, longitudeDegrees: -70.6))
    let start = try #require(DeviceTime(rfc3339: "2026-06-01T23:59:40Z"))
    let simulator = WalkSimulator(
      origin: origin, start: start, legs: [.stand(seconds: 40)], seed: 7)
    return LogTimeline(simulator.epochs().flatMap(\.self))
  }

  @Test(
    "a file, a TCP port and a real gpsd give the same fixes of the same log",
    .timeLimit(.minutes(3)))
  func contract() async throws {
    let timeline = try walk()
    let expected = fixes(of: timeline.pieces.flatMap(\.bytes))
    #expect(expected.count == 40)
    try await withTemporaryDirectory { folder in
      let path = folder.appendingPathComponent("walk.nmea").path
      try Data(timeline.pieces.flatMap(\.bytes)).write(to: URL(fileURLWithPath: path))
      let clock = ReplayClock(start: DeviceTime(millisecondsSince1970: 0), rate: .infinity)
      let receiver = try ReceiverSource.file(path: path, rate: .infinity).receiver(clock: clock)
      let heard = try await collect(receiver, enough: { _ in false })
      #expect(heard.states == [.listening, .ended])
      #expect(fixes(of: heard.bytes) == expected)
    }
    try await throughTCP(timeline, expected: expected)
    guard Program.tool("gpsd") != nil else { return }
    try await throughGpsd(timeline, expected: expected)
  }

  /// Recordings of other people's receivers: Garmin, RTK, two heads, several constellations.
  @Test(
    "a recorded receiver gives the same fixes through a real gpsd as directly",
    .enabled(
      if: Repository.shared("data/gnss/gpsd") != nil && Program.tool("gpsd") != nil,
      "the recordings lie beside the repository, or gpsd is not installed"),
    arguments: ["ublox-zed-f9p-nmea", "garmin48", "nmea-rtk", "quectel-L70", "bt451"])
  func recorded(name: String) async throws {
    let file = try #require(Repository.shared("data/gnss/gpsd/\(name).log"))
    let timeline = LogTimeline(Array(try Data(contentsOf: file)))
    let expected = Self.comparable(fixes(of: timeline.pieces.flatMap(\.bytes)))
    let last = try #require(expected.last)
    let clock = ReplayClock(start: DeviceTime(millisecondsSince1970: 0), rate: 40)
    let feeder = try await LogFeeder.make(timeline: timeline, clock: clock)
    let gpsd = try await GpsdProcess.start(feedPort: feeder.port)
    defer { gpsd.stop() }
    let source = ReceiverSource.gpsd(host: "127.0.0.1", port: gpsd.port, device: nil)
    let isOver = NIOLockedValueBox(false)
    let playing = Task {
      while feeder.listenerCount == 0 { await Task.yield() }
      while try await feeder.playNext() != nil {}
      isOver.withLockedValue { $0 = true }
    }
    let heard = try await collect(try source.receiver(clock: MachineClock())) { bytes in
      guard isOver.withLockedValue(\.self) else { return false }
      return Self.comparable(fixes(of: bytes)).last == last
    }
    let ours = Self.comparable(fixes(of: heard.bytes))
    #expect(ours.count == expected.count)
    for (one, other) in zip(ours, expected) where one != other {
      Issue.record("\(one)\nand directly\n\(other)")
      break
    }
    try await playing.value
    await feeder.close()
  }

  /// Returns fixes without their uncertainties, which the contract does not compare.
  private static func comparable(_ fixes: [Fix]) -> [Fix] {
    fixes.map {
      var fix = $0
      fix.horizontalUncertaintyMetres95 = nil
      fix.verticalUncertaintyMetres95 = nil
      fix.uncertaintySource = nil
      return fix
    }
  }

  private func throughTCP(_ timeline: LogTimeline, expected: [Fix]) async throws {
    let clock = ReplayClock(start: DeviceTime(millisecondsSince1970: 0), rate: 1000)
    let feeder = try await LogFeeder.make(timeline: timeline, clock: clock)
    let source = ReceiverSource.tcp(host: "127.0.0.1", port: feeder.port)
    let receiver = try source.receiver(clock: MachineClock())
    let playing = Task {
      while feeder.listenerCount == 0 { await Task.yield() }
      while try await feeder.playNext() != nil {}
    }
    let size = timeline.pieces.reduce(0) { $0 + $1.bytes.count }
    let heard = try await collect(receiver) { $0.count >= size }
    #expect(fixes(of: heard.bytes) == expected)
    try await playing.value
    await feeder.close()
  }

  private func throughGpsd(_ timeline: LogTimeline, expected: [Fix]) async throws {
    let clock = ReplayClock(start: DeviceTime(millisecondsSince1970: 0), rate: 40)
    let feeder = try await LogFeeder.make(timeline: timeline, clock: clock)
    let gpsd = try await GpsdProcess.start(feedPort: feeder.port)
    defer { gpsd.stop() }
    let source = ReceiverSource.gpsd(host: "127.0.0.1", port: gpsd.port, device: nil)
    let receiver = try source.receiver(clock: MachineClock())
    let playing = Task {
      while feeder.listenerCount == 0 { await Task.yield() }
      while try await feeder.playNext() != nil {}
    }
    let lastTime = try #require(expected.last).time.timeOfDay.filter { $0 != ":" }
    // The wait ends when the last epoch's last sentence has come through.
    let heard = try await collect(receiver) { bytes in
      let text = String(decoding: bytes.suffix(4000), as: UTF8.self)
      return text.contains("GNGST,\(lastTime.dropLast())")
    }
    let text = String(decoding: heard.bytes.prefix(200), as: UTF8.self)
    #expect(text.contains("\"class\":\"VERSION\""), "gpsd's own JSON is watched, too")
    #expect(fixes(of: heard.bytes) == expected)
    try await playing.value
    await feeder.close()
  }

  @Test("a peer that goes away is reached again, and the loss is said with its reason")
  func reconnects() async throws {
    let servers = Mailbox()
    let first = try await server(servers, words: "$GPGGA,first*00\r\n", port: 0)
    let port = try #require(first.localAddress?.port)
    let receiver = try ReceiverSource.tcp(host: "127.0.0.1", port: port).receiver(
      clock: MachineClock())
    let heard = try await collect(receiver) { bytes in
      String(decoding: bytes, as: UTF8.self).components(separatedBy: "first").count > 3
    }
    #expect(heard.states.filter { $0 == .listening }.count >= 3)
    let losses = heard.states.filter { if case .lost = $0 { true } else { false } }
    #expect(losses.count >= 2)
    #expect("\(losses[0])".contains("the connection was closed"))
    try await first.close().get()
  }

  @Test("nobody there is a state with a reason, and tried again")
  func unreachable() async throws {
    let free = try await server(Mailbox(), words: "", port: 0)
    let port = try #require(free.localAddress?.port)
    try await free.close().get()
    let receiver = try ReceiverSource.tcp(host: "127.0.0.1", port: port).receiver(
      clock: MachineClock())
    let states = Mailbox()
    let run = Task {
      try await receiver.run { event in
        if case .state(let state) = event { states.add(state) }
      }
    }
    while states.count < 4 { await Task.yield() }
    run.cancel()
    _ = try? await run.value
    let all = states.all
    #expect(all[0] == .connecting)
    guard case .lost(let reason, let next) = all[1] else {
      Issue.record("\(all[1]) is no loss")
      return
    }
    #expect(reason == "nothing is listening there")
    #expect(next < 1)
    #expect(all[2] == .connecting)
  }

  @Test("a log that cannot be read is one clear line")
  func unreadable() throws {
    let clock = MachineClock()
    for path in ["/nonexistent/walk.nmea", "/tmp"] {
      let error = #expect(throws: ReceiverError.self) {
        try ReceiverSource.file(path: path, rate: 1).receiver(clock: clock)
      }
      #expect(error?.description.contains(path) == true)
    }
  }

  @Test("the ring keeps the last bytes, and says when the first ones are gone")
  func ring() {
    var ring = RawRing(limitBytes: 1000)
    for number in 0..<5000 {
      ring.append(
        RawChunk(
          arrival: ElapsedTime(milliseconds: Int64(number)),
          bytes: [UInt8](repeating: UInt8(number % 251), count: 10)))
    }
    #expect(ring.chunks(from: 0) == nil)
    #expect(ring.chunks(from: 4950)?.count == 50)
    #expect(ring.chunks(from: 4950)?.first?.arrival.milliseconds == 4950)
    #expect(ring.chunks(from: 5000)?.isEmpty == true)
    #expect(ring.chunks(from: 5001) == nil)
  }

  @Test("a replay's clock never runs past the next epoch, and never backwards")
  func replayClock() async throws {
    let clock = ReplayClock(start: DeviceTime(millisecondsSince1970: 1000), rate: 1_000_000)
    #expect(clock.elapsed.milliseconds == 0)
    clock.advance(
      to: ElapsedTime(milliseconds: 500), limit: ElapsedTime(milliseconds: 1500))
    try await clock.sleep(until: ElapsedTime(milliseconds: 1500))
    #expect(clock.elapsed.milliseconds == 1500)
    #expect(clock.deviceTime.millisecondsSince1970 == 2500)
    clock.advance(to: ElapsedTime(milliseconds: 100), limit: ElapsedTime(milliseconds: 200))
    #expect(clock.elapsed.milliseconds == 1500)
  }

  // MARK: helpers

  private func fixes(of bytes: [UInt8]) -> [Fix] {
    var decoder = FixDecoder()
    var fixes: [Fix] = []
    func take(_ event: DecodedEvent) { if case .fix(let fix) = event { fixes.append(fix) } }
    decoder.accept(bytes, take)
    decoder.finish(take)
    return fixes
  }

  private func collect(
    _ receiver: any Receiver, enough: @escaping @Sendable ([UInt8]) -> Bool
  ) async throws -> (states: [ReceiverState], bytes: [UInt8]) {
    let states = Mailbox()
    let bytes = ByteBox()
    let run = Task {
      try await receiver.run { event in
        switch event {
        case .state(let state): states.add(state)
        case .bytes(let chunk): bytes.add(chunk.bytes)
        }
      }
    }
    let watch = Task {
      while !enough(bytes.all), !Task.isCancelled { await Task.yield() }
      run.cancel()
    }
    // A test that has waited too long is cancelled, and must not wait for ever.
    _ = await withTaskCancellationHandler {
      try? await run.value
    } onCancel: {
      run.cancel()
    }
    watch.cancel()
    return (states.all, bytes.all)
  }

  /// Starts a server that says its words to everyone and hangs up.
  private func server(
    _ mailbox: Mailbox, words: String, port: Int
  ) async throws -> any Channel {
    try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
      .childChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          channel.eventLoop.execute {
            channel.writeAndFlush(ByteBuffer(string: words)).whenComplete { _ in
              channel.close(promise: nil)
            }
          }
        }
      }
      .bind(host: "127.0.0.1", port: port).get()
  }
}

private final class Mailbox: @unchecked Sendable {
  private let lock = NSLock()
  private var states: [ReceiverState] = []
  var all: [ReceiverState] { lock.withLock { states } }
  var count: Int { all.count }
  func add(_ state: ReceiverState) { lock.withLock { states.append(state) } }
}

private final class ByteBox: @unchecked Sendable {
  private let lock = NSLock()
  private var bytes: [UInt8] = []
  var all: [UInt8] { lock.withLock { bytes } }
  func add(_ more: [UInt8]) { lock.withLock { bytes += more } }
}
