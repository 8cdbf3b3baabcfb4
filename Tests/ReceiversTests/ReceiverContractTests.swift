import Foundation
import Geodesy
import NIOConcurrencyHelpers
import Positioning
import TestSupport
import Testing
import TimeAndText

@testable import Receivers

/// The duties of every way to a live receiver.
@Suite("Live receivers", .serialized, .timeLimit(.minutes(5)))
struct ReceiverContractTests {
  enum Kind: String, CaseIterable {
    case tcp, serial, bluetooth
  }

  private func withPeer(_ kind: Kind, _ body: (any ReceiverPeer) async throws -> Void) async throws
  {
    try await withTemporaryDirectory { folder in
      switch kind {
      case .tcp: try await body(TCPPeer())
      case .serial: try await body(SerialPeer(folder: folder))
      case .bluetooth:
        let address = try #require(BluetoothAddress("00:AA:01:00:00:00"))
        try await body(BluetoothPeer(address: address))
      }
    }
  }

  private func log(_ seconds: Int, seed: UInt64 = 7) throws -> [[UInt8]] {
    let origin = try #require(Coordinate(latitudeDegrees: -33.5, longitudeDegrees: -70.6))
    let start = try #require(DeviceTime(rfc3339: "2026-06-01T23:59:40Z"))
    return WalkSimulator(
      origin: origin, start: start, legs: [.stand(seconds: seconds)], seed: seed
    ).epochs()
  }

  private func until(_ condition: () -> Bool) async {
    // A time limit ends the wait by cancelling its task.
    while !condition(), !Task.isCancelled { await Task.yield() }
  }

  @Test("the bytes come as they were said, and the states in their order", arguments: Kind.allCases)
  func bytes(kind: Kind) async throws {
    try await withPeer(kind) { peer in
      let ear = Ear(try peer.receiver(silenceSeconds: 60))
      await until { peer.hasListener }
      let log = try log(30)
      for epoch in log { try peer.say(epoch) }
      let said = log.flatMap(\.self)
      await until { ear.bytes.count >= said.count }
      #expect(ear.bytes == said)
      #expect(ear.states == [.connecting, .listening])
      await ear.stop()
    }
  }

  @Test(
    "ten times it vanishes within a line and comes back: nothing that arrived is lost",
    arguments: Kind.allCases)
  func returns(kind: Kind) async throws {
    try await withPeer(kind) { peer in
      let descriptors = openDescriptors()
      let ear = Ear(try peer.receiver(silenceSeconds: 60))
      let epochs = try log(24)
      var said: [UInt8] = []
      var delays: [Double] = []
      for round in 0...10 {
        let before = ear.states.filter { $0 == .listening }.count
        let back = ContinuousClock.now
        if round > 0 { try peer.comeBack() }
        await until { ear.states.filter { $0 == .listening }.count > before || round == 0 }
        await until { peer.hasListener }
        if round > 0 { delays.append((ContinuousClock.now - back) / .seconds(1)) }
        // The second epoch is cut within a sentence, in each round a byte later.
        let words = epochs[2 * round] + epochs[2 * round + 1].prefix(40 + round)
        try peer.say(words)
        said += words
        await until { ear.bytes.count >= said.count }
        let losses = ear.losses.count
        try peer.vanish()
        await until { ear.losses.count > losses }
      }
      #expect(ear.bytes == said)
      let fixes = ear.fixes
      #expect(fixes.map(\.time.timeOfDay) == (0...10).map { fixesOfDay(epochs[2 * $0]) })
      #expect(delays.sorted()[5] < 2, "\(delays)")
      await ear.stop()
      #expect(!isAlone || openDescriptors() <= descriptors, "what was opened is closed")
    }
  }

  private func fixesOfDay(_ epoch: [UInt8]) -> String? {
    var decoder = FixDecoder()
    var time: String?
    decoder.accept(epoch) { if case .fix(let fix) = $0 { time = fix.time.timeOfDay } }
    decoder.finish { if case .fix(let fix) = $0 { time = fix.time.timeOfDay } }
    return time
  }

  @Test("nobody there is a loss with its reason, and tried again", arguments: Kind.allCases)
  func absent(kind: Kind) async throws {
    try await withPeer(kind) { peer in
      try peer.vanish()
      let ear = Ear(try peer.receiver(silenceSeconds: 60))
      await until { ear.losses.count >= 2 }
      #expect(ear.losses.prefix(2) == [peer.absence, peer.absence])
      try peer.comeBack()
      await until { ear.states.last == .listening }
      await ear.stop()
    }
  }

  @Test("a connection on which nothing comes is given up and made anew", arguments: Kind.allCases)
  func silence(kind: Kind) async throws {
    try await withPeer(kind) { peer in
      let ear = Ear(try peer.receiver(silenceSeconds: 0.2))
      await until { ear.losses.count >= 2 }
      #expect(ear.losses.prefix(2) == ["nothing came for 0.2 s", "nothing came for 0.2 s"])
      await ear.stop()
    }
  }

  @Test(
    "who waits for it can stop at any time, and it leaves nothing open", arguments: Kind.allCases)
  func stops(kind: Kind) async throws {
    try await withPeer(kind) { peer in
      let descriptors = openDescriptors()
      for round in 0..<20 {
        let ear = Ear(try peer.receiver(silenceSeconds: 60))
        // The test stops before the receiver begins, while it connects, or while it listens.
        if round % 3 == 1 { await until { !ear.states.isEmpty } }
        if round % 3 == 2 { await until { ear.states.last == .listening } }
        await ear.stop()
      }
      // The test closes the peer's ends, too, also those of connections that were accepted late.
      if let socket = peer as? SocketPeer { socket.hangUp() }
      #expect(!isAlone || openDescriptors() <= descriptors + 1)
    }
  }

  @Test("Bluetooth: the channel of the serial port record, then channel 1; each failure in words")
  func channels() async throws {
    let address = try #require(BluetoothAddress("00:AA:01:00:00:00"))
    for (offered, tried) in [(3, [3]), (nil, [1]), (1, [1])] as [(UInt8?, [UInt8])] {
      let peer = BluetoothPeer(address: address)
      peer.offered = offered
      let ear = Ear(try peer.receiver(silenceSeconds: 60))
      await until { peer.hasListener }
      #expect(peer.tried == tried)
      await ear.stop()
    }
    for (code, words) in [
      (EHOSTDOWN, "switched off"), (EHOSTUNREACH, "Bluetooth is off"), (EACCES, "gnss pair 00:AA"),
      (ECONNREFUSED, "closed, or another device"), (ECONNABORTED, "unplugged"),
      (ECONNRESET, "out of range"), (EAFNOSUPPORT, "has no Bluetooth"), (EBUSY, "busy"),
    ] {
      let peer = BluetoothPeer(address: address)
      peer.absentErrno = code
      peer.vanish()
      let ear = Ear(try peer.receiver(silenceSeconds: 60))
      await until { !ear.losses.isEmpty }
      #expect(ear.losses.first?.contains(words) == true, "\(ear.losses)")
      await ear.stop()
    }
  }

  @Test("a file that is no tty, and one without rights, are said in words")
  func noTTY() async throws {
    try await withTemporaryDirectory { folder in
      let file = folder.appendingPathComponent("file")
      try Data("no tty".utf8).write(to: file)
      let receiver = try ReceiverSource("serial://\(file.path)").receiver(clock: MachineClock())
      let ear = Ear(receiver)
      await until { !ear.losses.isEmpty }
      #expect(ear.losses.first == "it is not a serial port")
      await ear.stop()
    }
  }
}

/// True if no other test runs beside, as in `make soak`.
let isAlone = ProcessInfo.processInfo.environment["SOAK"] == "1"

/// Counts the open descriptors of this process: sockets, ttys and pipes.
func openDescriptors() -> Int {
  let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
  return names.filter { name in
    let target =
      (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(name)")) ?? ""
    return target.hasPrefix("socket") || target.hasPrefix("/dev/pt") || target.hasPrefix("pipe")
  }.count
}

/// A follower of a receiver, which keeps all that it said.
private final class Ear: Sendable {
  private struct Heard {
    var states: [ReceiverState] = []
    /// The bytes of each connection.
    var connections: [[UInt8]] = []
  }

  private let heard: NIOLockedValueBox<Heard>
  private let run: Task<Void, any Error>

  init(_ receiver: any Receiver) {
    let heard = NIOLockedValueBox(Heard())
    self.heard = heard
    run = Task {
      try await receiver.run { event in
        heard.withLockedValue { heard in
          switch event {
          case .state(let state):
            if state == .listening { heard.connections.append([]) }
            heard.states.append(state)
          case .bytes(let chunk): heard.connections[heard.connections.count - 1] += chunk.bytes
          }
        }
      }
    }
  }

  var states: [ReceiverState] { heard.withLockedValue { $0.states } }
  var bytes: [UInt8] { heard.withLockedValue { $0.connections.flatMap(\.self) } }
  /// The fixes of all connections: one connection does not finish what another one began.
  var fixes: [Fix] {
    var decoder = FixDecoder()
    var fixes: [Fix] = []
    func take(_ event: DecodedEvent) { if case .fix(let fix) = event { fixes.append(fix) } }
    for connection in heard.withLockedValue({ $0.connections }) {
      decoder.accept(connection, take)
      decoder.finish(take)
    }
    return fixes
  }
  var losses: [String] {
    states.compactMap { if case .lost(let reason, _) = $0 { reason.description } else { nil } }
  }

  func stop() async {
    run.cancel()
    _ = try? await run.value
  }
}
