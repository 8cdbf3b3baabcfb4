import Evidence
import Foundation
import Geodesy
import Imagery
import Inspection
import Matching
import Positioning
import TestSupport
import Testing
import TimeAndText

@testable import FieldPages
@testable import FieldUnit

/// A field unit with a log to replay, and its camera page open in a browser.
struct CameraSite: Sendable {
  let server: FieldServer
  let follower: ReceiverFollower
  let browser: FieldBrowser
  /// The identifier of the open page.
  let page: String
  /// The field unit's data and log.
  let scene: FieldScene

  static let picture: [UInt8] =
    (try? DemonstrationPicture.jpeg(
      widthPixels: 400, heightPixels: 300, seed: 7, captionLines: ["page"])) ?? []

  /// A machine's clock on which every picture comes at once, however busy the machine is.
  struct StoppedClock: Timepiece {
    var deviceTime: DeviceTime { DeviceTime(millisecondsSince1970: 1_780_000_000_000) }
    var elapsed: ElapsedTime { ElapsedTime(milliseconds: 10_000) }
    func sleep(until deadline: ElapsedTime) async throws { throw CancellationError() }
  }

  /// Makes a site, signs in, opens the camera page, and runs `body`.
  /// - Parameters:
  ///   - standSeconds: the seconds that the inspector stands before walking on.
  ///   - countdownSeconds: the seconds from the shutter to the picture.
  ///   - prepare: runs with the folder before anything is in it.
  static func with(
    machine: any Timepiece = StoppedClock(), standSeconds: Int = 60, countdownSeconds: Double = 5,
    frames: FrameLimits = FrameLimits(),
    matcher: PictureMatcher = PictureMatcher(program: Program.standpoint),
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
          defaultOffice: address, camera: nil, frames: frames, machine: machine)
        try await withWebServer(
          server.routes(matcher: matcher), secret: try server.formSecret(),
          problemPage: server.problemPage
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

  /// Returns the identifier of a page, which its HTML contains.
  static func name(in body: String) -> String? {
    let parts = body.split(separator: "data-page=\"", maxSplits: 1)
    return parts.count == 2 ? parts[1].split(separator: "\"").first.map(String.init) : nil
  }

  func unit() throws -> InspectorUnit { try #require(try server.unit()) }

  /// Replays the log, and calls `press` as soon as the shutter is available.
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
      // The begun capture must listen before the next epoch.
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

  /// Presses the shutter of this page, or of `page`.
  func press(page: String? = nil) async throws -> FieldBrowser.Answer {
    try await browser.post("/camera/capture", ["page": page ?? self.page])
  }

  /// Waits for an exposure and returns its number; nil if the capture ends before.
  func exposure() async -> String? {
    while true {
      guard case .running(let running) = server.captureStatus else { return nil }
      if running.isExposing, !running.isSealing { return running.camera?.number }
      await Task.yield()
    }
  }

  /// Waits for the end of the capture and returns its status.
  func outcome() async -> CameraDesk.Status {
    while case .running = server.captureStatus { await Task.yield() }
    return server.captureStatus
  }

  /// Waits for the end of the capture and returns the refusal's words; nil if it was not refused.
  func refusal() async -> String? {
    guard case .refused(_, _, let words) = await outcome() else { return nil }
    return words.description
  }
}
