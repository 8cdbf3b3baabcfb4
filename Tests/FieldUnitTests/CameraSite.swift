import Evidence
import Foundation
import Geodesy
import Imagery
import Inspection
import Positioning
import TestSupport
import Testing
import TimeAndText

@testable import FieldPages
@testable import FieldUnit

/// A field unit whose camera page is open in a browser, in front of a receiver that a test replays.
struct CameraSite: Sendable {
  let server: FieldServer
  let follower: ReceiverFollower
  let browser: FieldBrowser
  /// The page's own name.
  let page: String
  /// Its data, for the verifier.
  let scene: FieldScene

  static let picture: [UInt8] =
    (try? DemonstrationPicture.jpeg(
      widthPixels: 400, heightPixels: 300, seed: 7, captionLines: ["page"])) ?? []

  /// - Parameters:
  ///   - standSeconds: how long the inspector stands before walking on.
  ///   - countdownSeconds: from the shutter to the picture.
  ///   - prepare: is told the folder before anything is in it.
  static func with(
    standSeconds: Int = 60, countdownSeconds: Double = 5, frames: FrameLimits = FrameLimits(),
    prepare: @escaping @Sendable (URL) throws -> Void = { _ in },
    _ body: @escaping @Sendable (CameraSite) async throws -> Void
  ) async throws {
    try await withTemporaryDirectory { folder in
      try prepare(folder)
      let scene = try FieldScene(
        folder,
        legs: [
          .walk(to: PlanePoint(eastMetres: 30, northMetres: 0), metresPerSecond: 1.3),
          .stand(seconds: standSeconds),
          .walk(to: PlanePoint(eastMetres: 60, northMetres: 0), metresPerSecond: 1.3),
        ])
      let office = try FakeOffice(clock: scene.clock)
      try await withWebServer(office.routes()) { officePort in
        let address = "http://127.0.0.1:\(officePort)"
        var configuration = scene.unit.configuration
        configuration.countdownSeconds = countdownSeconds
        let follower = try scene.follower()
        let server = try FieldServer(
          configuration: configuration, clock: scene.clock, follower: follower,
          defaultOffice: address, camera: nil, frames: frames)
        try await withWebServer(
          server.routes(), secret: try server.formSecret(), problemPage: server.problemPage
        ) { port in
          let browser = FieldBrowser(port: port)
          _ = try await browser.get("/sign-in")
          let answer = try await browser.post(
            "/sign-in", ["login": "ines", "password": FakeOffice.password, "office": address])
          try #require(answer.location == "/start?done=signed-in")
          while try server.deliveryStatus.words == nil { await Task.yield() }
          let page = try #require(Self.name(in: try await browser.get("/camera").body))
          try await body(
            CameraSite(
              server: server, follower: follower, browser: browser, page: page, scene: scene))
        }
        try await (server.link(to: address) as? HTTPOfficeLink)?.close()
      }
    }
  }

  /// A page's own name, as it stands in it.
  static func name(in body: String) -> String? {
    let parts = body.split(separator: "data-page=\"", maxSplits: 1)
    return parts.count == 2 ? parts[1].split(separator: "\"").first.map(String.init) : nil
  }

  func unit() throws -> InspectorUnit { try #require(try server.unit()) }

  /// Replays the log, and has `press` called as soon as the shutter is available.
  func replay(_ press: @escaping @Sendable (CameraSite) async throws -> Void) async throws {
    let pressed = Flag()
    let site = self
    let listener = await follower.listen { event in
      guard case .positioning(.fix(let judged)) = event, judged.verdict.state == .still,
        judged.samples >= 20, !pressed.isSet
      else { return }
      pressed.set()
      do {
        try await press(site)
      } catch {
        Issue.record(error)
      }
      // What was begun listens before the next epoch comes.
      if case .running = site.server.captureStatus {
        while await site.follower.listenerCount < 2,
          case .running = site.server.captureStatus
        { await Task.yield() }
      }
    }
    try await follower.run()
    #expect(pressed.isSet, "the shutter never became available")
    await follower.stopListening(listener)
  }

  /// Presses this page's shutter.
  func press(page: String? = nil) async throws -> FieldBrowser.Answer {
    try await browser.post("/camera/capture", ["page": page ?? self.page])
  }

  /// The exposure that the page is asked for; nil where the capture ended before.
  func exposure() async -> String? {
    while true {
      guard case .running(let running) = server.captureStatus else { return nil }
      if running.isExposing, !running.isSealing { return running.camera?.number }
      await Task.yield()
    }
  }

  /// What came of the capture.
  func outcome() async -> CameraDesk.Status {
    while case .running = server.captureStatus { await Task.yield() }
    return server.captureStatus
  }

  /// Why there is no photo.
  func refusal() async -> String? {
    guard case .refused(_, _, let words) = await outcome() else { return nil }
    return words.description
  }
}
