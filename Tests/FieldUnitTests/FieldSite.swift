import Foundation
import Inspection
import Positioning
import Receivers
import Sync
import TestSupport
import Testing
import TimeAndText
import Web

@testable import FieldPages
@testable import FieldUnit

/// A field unit that serves its pages to a browser, with its office and the faults of the machine
/// that a test wants.
struct FieldSite: Sendable {
  let server: FieldServer
  let scene: FieldScene
  let office: FakeOffice
  let address: String
  let browser: FieldBrowser

  /// Signs in at the office that the page shows, and waits until the delivery that begins then has
  /// ended.
  @discardableResult
  func signIn() async throws -> FieldBrowser.Answer {
    _ = try await browser.get("/sign-in")
    let answer = try await browser.post(
      "/sign-in", ["login": "ines", "password": FakeOffice.password])
    while try server.desk.signedIn() != nil, try server.deliveryStatus.words == nil {
      await Task.yield()
    }
    return answer
  }

  /// A clock whose device time is wrong, and whose elapsed time is right.
  struct WrongClock: Timepiece {
    let right: any Timepiece
    let secondsAhead: Double
    var deviceTime: DeviceTime { right.deviceTime.advanced(bySeconds: secondsAhead) }
    var elapsed: ElapsedTime { right.elapsed }
    func sleep(until deadline: ElapsedTime) async throws {
      try await right.sleep(until: deadline)
    }
  }

  /// Runs a site while `body` uses it.
  static func with(
    hasDefault: Bool = true, secondsAhead: Double = 0, freeBytes: Int? = 100_000_000_000,
    hasReceiver: Bool = true, _ body: @escaping @Sendable (FieldSite) async throws -> Void
  ) async throws {
    try await withTemporaryDirectory { folder in
      let scene = try FieldScene(folder)
      let office = try FakeOffice(clock: scene.clock)
      try await withWebServer(office.routes()) { officePort in
        let address = "http://127.0.0.1:\(officePort)"
        let server = try FieldServer(
          configuration: scene.unit.configuration,
          clock: WrongClock(right: scene.clock, secondsAhead: secondsAhead),
          follower: hasReceiver ? try scene.follower() : nil,
          defaultOffice: hasDefault ? address : nil, camera: nil, freeBytes: { freeBytes })
        try await withWebServer(
          server.routes(), secret: try server.formSecret(), problemPage: server.problemPage
        ) { port in
          try await body(
            FieldSite(
              server: server, scene: scene, office: office, address: address,
              browser: FieldBrowser(port: port)))
        }
        try await (server.link(to: address) as? HTTPOfficeLink)?.close()
      }
    }
  }
}
