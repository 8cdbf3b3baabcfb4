import Evidence
import Foundation
import Geodesy
import Inspection
import Positioning
import Store
import Synchronization
import TestSupport
import Testing
import TimeAndText
import Web

@testable import FieldPages
@testable import FieldUnit
@testable import Receivers

/// A receiver whose events come from a test.
final class SpokenReceiver: Receiver, Sendable {
  let source = ReceiverSource.tcp(host: "spoken", port: 1)
  private let stream: AsyncStream<ReceiverEvent>
  private let feed: AsyncStream<ReceiverEvent>.Continuation

  init() {
    (stream, feed) = AsyncStream.makeStream(of: ReceiverEvent.self)
  }

  func say(_ event: ReceiverEvent) { feed.yield(event) }

  func run(_ deliver: @Sendable (ReceiverEvent) async -> Void) async throws {
    for await event in stream { await deliver(event) }
    try Task.checkCancellation()
  }
}

/// A walk of 30 m and a minute of standing still, of which a test plays some seconds at a time.
final class SpokenWalk: Sendable {
  let follower: ReceiverFollower
  let clock: ReplayClock
  private let receiver = SpokenReceiver()
  private let epochs: [[UInt8]]
  private let place = Mutex((next: 0, sentences: 0))

  init(clock: ReplayClock, gate: GatePolicy) throws {
    self.clock = clock
    epochs = WalkSimulator(
      origin: try #require(Coordinate(latitudeDegrees: 49.08, longitudeDegrees: 16.63)),
      start: clock.start,
      legs: [
        .walk(to: PlanePoint(eastMetres: 30, northMetres: 0), metresPerSecond: 1.3),
        .stand(seconds: 60),
      ], seed: 1
    ).epochs()
    follower = ReceiverFollower(
      receiver: receiver, clock: clock, gate: gate, sampler: SamplerPolicy())
    receiver.say(.state(.listening))
  }

  /// Plays some seconds more, and waits after each until all listeners have handled it.
  func go(_ seconds: Int) async {
    for _ in 0..<seconds {
      let (number, sentences) = place.withLock { place in
        defer {
          place.sentences += epochs[place.next].count { $0 == UInt8(ascii: "$") }
          place.next += 1
        }
        return (
          place.next, place.sentences + epochs[place.next].count { $0 == UInt8(ascii: "$") }
        )
      }
      let at = ElapsedTime(milliseconds: Int64(number) * 1000)
      clock.advance(to: at, limit: at)
      receiver.say(.bytes(RawChunk(arrival: at, bytes: epochs[number])))
      while await follower.settledSentences < sentences { await Task.yield() }
    }
  }
}

/// A field unit with its pages, and a walk that the test plays.
struct MapSite: Sendable {
  let site: FieldPagesTests.Site
  let walk: SpokenWalk
  let scene: FieldScene

  var browser: FieldBrowser { site.browser }
  var desk: TrackDesk { site.server.trackDesk }

  func unit() throws -> InspectorUnit { try site.unit() }

  func recording() throws -> TrackDesk.Recording {
    try #require(desk.recording(of: try unit().person))
  }

  /// Begins a track, and waits until its recording listens.
  func record(_ fields: [String: String] = [:]) async throws {
    let before = await walk.follower.listenersSoFar
    #expect(try await browser.post("/tracks/record", fields).location?.hasPrefix("/map") == true)
    while await walk.follower.listenersSoFar == before { await Task.yield() }
  }

  func json(_ path: String) async throws -> [String: Any] {
    let answer = try await browser.get(path)
    #expect(answer.status == 200 && answer.type == "application/json", "\(path)")
    return try #require(
      try JSONSerialization.jsonObject(with: Data(answer.bytes)) as? [String: Any])
  }

  static func with(
    _ body: @escaping @Sendable (MapSite) async throws -> Void
  ) async throws {
    try await withTemporaryDirectory { folder in
      let scene = try FieldScene(folder)
      let office = try FakeOffice(clock: scene.clock)
      let walk = try SpokenWalk(clock: scene.clock, gate: scene.unit.configuration.gate)
      try await withWebServer(office.routes()) { officePort in
        let address = "http://127.0.0.1:\(officePort)"
        let server = try FieldServer(
          configuration: scene.unit.configuration, clock: scene.clock, follower: walk.follower,
          defaultOffice: address, camera: nil)
        try await withWebServer(
          server.routes(), secret: try server.formSecret(), problemPage: server.problemPage
        ) { port in
          let running = Task { try await walk.follower.run() }
          let site = FieldPagesTests.Site(
            server: server, office: office, address: address, browser: FieldBrowser(port: port))
          try await body(MapSite(site: site, walk: walk, scene: scene))
          running.cancel()
          _ = try? await running.value
        }
        try await (server.link(to: address) as? HTTPOfficeLink)?.close()
      }
    }
  }
}
