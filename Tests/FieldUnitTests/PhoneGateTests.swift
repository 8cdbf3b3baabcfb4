import AsyncHTTPClient
import Foundation
import Inspection
import NIOHTTP1
import TestSupport
import Testing
import TimeAndText
import Web

@testable import FieldPages
@testable import FieldUnit
@testable import PairedPhones

@Suite("Phones before the field unit's pages", .timeLimit(.minutes(5)))
struct PhoneGateTests {
  private struct Scene: Sendable {
    let site: FieldSite
    /// The browser of the device itself.
    let device: FieldBrowser
    let port: Int
    let book: PhoneBook

    /// A browser in the network: its own cookies, and another name of the device.
    func phone() -> FieldBrowser { FieldBrowser(port: port, host: "phone.test") }

    /// Makes a code on the device's page.
    func code() async throws -> String {
      _ = try await device.get("/phones")
      #expect(try await device.post("/phones/code").location == "/phones")
      let page = try await device.get("/phones").body
      let match = try #require(page.firstMatch(of: #/<code class="code">([0-9A-Z-]+)</code>/#))
      return String(match.1)
    }

    func pair(
      _ phone: FieldBrowser, _ code: String, name: String = "Ines's phone"
    ) async throws -> FieldBrowser.Answer {
      _ = try await phone.get("/pair")
      return try await phone.post("/pair", ["code": code, "name": name])
    }
  }

  private func with(_ body: @escaping @Sendable (Scene) async throws -> Void) async throws {
    try await FieldSite.with { site in
      try await site.signIn()
      let phones = FieldPhones(
        site.server, pages: site.server.routes(), clock: site.server.clock
      ) {
        DeviceNetwork(addresses: ["192.168.7.5"], names: ["phone.test"])
      }
      // The desk shows a code only if it knows where phones are served.
      try phones.desk.keep(PhoneDesk.Ports(secure: 8471, plain: 8472))
      try await withWebServer(
        phones.routes, secret: try site.server.formSecret(), hosts: ["phone.test"],
        problemPage: site.server.problemPage
      ) { port in
        try await body(
          Scene(
            site: site, device: FieldBrowser(port: port), port: port,
            book: PhoneBook(dataDirectory: site.server.configuration.dataDirectory)))
      }
    }
  }

  @Test("without a session another device sees the page that pairs, and nothing of the inspector")
  func closed() async throws {
    try await with { scene in
      let stranger = scene.phone()
      for path in [
        "/", "/tasks", "/photos", "/settings", "/sign-in", "/sign-in/server", "/sign-out",
        "/phones",
        "/outbox", "/map", "/about", "/help", "/start", "/hotspot",
      ] {
        let answer = try await stranger.get(path)
        #expect(answer.location == "/pair", "\(path): \(answer.status)")
      }
      for path in ["/live/home", "/live/phones"] {
        let answer = try await stranger.get(path, [("Accept", "text/event-stream")])
        #expect(answer.status == 401 && answer.body.contains("phone-not-paired"), "\(path)")
      }
      let page = try await stranger.get("/pair")
      #expect(page.status == 200 && !page.body.contains("Ines"))
      for path in [
        "/sign-out", "/settings/values", "/phones/code", "/phones/x/end", "/hotspot/start",
        "/hotspot/stop",
      ] {
        #expect(try await stranger.post(path).status == 401, "\(path)")
      }
      // A stranger may ask whose name it is: the fingerprint is on the page without TLS, too.
      let who = try await stranger.get("/device.json")
      let fingerprint = who.body.firstMatch(of: #/"([0-9a-f]{64})"/#)
      #expect(who.status == 200 && fingerprint != nil)
      #expect(try scene.site.server.desk.signedIn() != nil)
      #expect(try await stranger.get("/manifest.webmanifest").status == 200)
      // The browser of the device needs none, and is led from the phone's page to its own.
      #expect(try await scene.device.get("/tasks").status == 200)
      #expect(try await scene.device.get("/pair").location == "/phones")
    }
  }

  @Test("a loopback name that comes through a proxy opens nothing")
  func proxies() async throws {
    try await with { scene in
      for field in ["X-Forwarded-For", "Forwarded", "Via", "X-Real-IP", "X-Forwarded-Host"] {
        let answer = try await scene.device.get("/tasks", [(field, "192.0.2.7")])
        #expect(answer.location == "/pair", "\(field)")
      }
      #expect(try await scene.device.get("/tasks").status == 200)
    }
  }

  @Test(
    "a code that a command has replaced is not shown any more, and a stranger may choose a language"
  )
  func replaced() async throws {
    try await with { scene in
      let code = try await scene.code()
      _ = try PhoneGate.makeCode(
        in: scene.book, for: Person(agency: "north", login: "ines", role: .inspector),
        at: scene.site.server.clock.deviceTime)
      let page = try await scene.device.get("/phones").body
      #expect(!page.contains(code) && page.contains("A command has made a code"))
      let stranger = scene.phone()
      _ = try await stranger.get("/pair")
      #expect(try await stranger.post("/language", ["language": "cs"]).status == 303)
      #expect(try await stranger.get("/pair").body.contains("Spárovat tento telefon"))
    }
  }

  @Test("a code lets one phone in, a second one with the same code not")
  func pairing() async throws {
    try await with { scene in
      let code = try await scene.code()
      let (phone, second) = (scene.phone(), scene.phone())
      let nameless = try await scene.pair(phone, code, name: " ")
      #expect(nameless.status == 422 && nameless.body.contains(code))
      let paired = try await scene.pair(phone, code.lowercased())
      #expect(paired.status == 303 && paired.location == "/?done=paired")
      #expect(try await phone.get("/tasks").status == 200)
      let refused = try await scene.pair(second, code)
      #expect(refused.status == 422 && refused.body.contains("paired a phone already"))
      #expect(try await second.get("/tasks").location == "/pair")
      let list = try await scene.device.get("/phones").body
      #expect(list.contains("Ines&#39;s phone") || list.contains("Ines's phone"))
      #expect(list.contains("Paired: "))
      // A phone makes no codes and ends no others.
      _ = try await phone.get("/phones")
      #expect(try await phone.post("/phones/code").status == 403)
      #expect(try await phone.get("/hotspot").status == 403)
      for path in ["/hotspot/start", "/hotspot/stop"] {
        #expect(try await phone.post(path, ["radio": "wlan0"]).status == 403, "\(path)")
      }
      #expect(try await phone.post("/phones/other/end").status == 403)
    }
  }

  @Test("a phone's session ends by a tap, and with it what was open")
  func ended() async throws {
    try await with { scene in
      let phone = scene.phone()
      let code = try await scene.code()
      _ = try await scene.pair(phone, code)
      let stream = try await phone.open("/live/lights")
      #expect(stream.status == .ok)
      let id = try #require(try scene.book.register().phones.first?.id)
      _ = try await scene.device.get("/phones")
      #expect(
        try await scene.device.post("/phones/\(id)/end").location == "/phones?done=phone-ended")
      #expect(try await phone.get("/tasks").location == "/pair")
      // The stream would last for ever otherwise.
      for try await _ in stream.body {}
    }
  }

  @Test(
    "signing out on the device ends its inspector's phones, and another inspector's are not theirs")
  func inspectors() async throws {
    try await with { scene in
      let phone = scene.phone()
      _ = try await scene.pair(phone, try await scene.code())
      let jana = Person(agency: "north", login: "jana", role: .inspector)
      try scene.book.change { register in
        register.issue(digest: Token.digest("x"), for: jana, at: scene.site.server.clock.deviceTime)
      }
      // A code of another inspector pairs nothing while Ines is signed in.
      let other = try await scene.pair(
        scene.phone(), "00000000000000000000000000")
      #expect(other.status == 422)
      _ = try await scene.device.get("/sign-out")
      _ = try await scene.device.post("/sign-out")
      #expect(try scene.site.server.desk.signedIn() == nil)
      #expect(try scene.book.register().phones.isEmpty)
      #expect(try await phone.get("/tasks").location == "/pair")
      let nobody = try await scene.pair(phone, "00000000000000000000000000")
      #expect(nobody.status == 422 && nobody.body.contains("nobody is signed in"))
    }
  }

  @Test("wrong codes are slowed and told on the device, and a paired phone goes on")
  func guesses() async throws {
    try await with { scene in
      let phone = scene.phone()
      _ = try await scene.pair(phone, try await scene.code())
      _ = try await scene.code()
      let guesser = scene.phone()
      var statuses: [Int] = []
      for _ in 0..<7 {
        statuses.append(try await scene.pair(guesser, "00000000000000000000000000").status)
      }
      #expect(statuses == [422, 422, 422, 422, 422, 429, 429])
      #expect(
        try await scene.device.get("/phones").body.contains("Wrong codes were entered 5 times."))
      #expect(try await phone.get("/tasks").status == 200)
    }
  }

  @Test("a list of phones that cannot be read lets nobody in, is told, and hinders no signing out")
  func damaged() async throws {
    try await with { scene in
      let phone = scene.phone()
      _ = try await scene.pair(phone, try await scene.code())
      let path =
        DataFolder(dataDirectory: scene.site.server.configuration.dataDirectory).keys
        + "/phones.json"
      try Data("{".utf8).write(to: URL(fileURLWithPath: path))
      #expect(try await phone.get("/tasks").status >= 400)
      let page = try await scene.device.get("/phones")
      #expect(page.status == 200 && page.body.contains("cannot be read"))
      _ = try await scene.device.get("/sign-out")
      _ = try await scene.device.post("/sign-out")
      #expect(try scene.site.server.desk.signedIn() == nil)
    }
  }
}
