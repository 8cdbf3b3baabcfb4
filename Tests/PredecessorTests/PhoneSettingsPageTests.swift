import AsyncHTTPClient
import Evidence
import Foundation
import Inspection
import NIOCore
import OfficeScenes
import Positioning
import Receivers
import Store
import Sync
import TestSupport
import Testing
import TimeAndText

@testable import Office
@testable import OfficePages
@testable import Predecessor
@testable import Web

@Suite("The page of the phones' service", .timeLimit(.minutes(5)))
struct PhoneSettingsPageTests {
  /// The values in the form of the rules if nobody has changed them.
  private static let standard = [
    "networks": "", "zone": "UTC", "loginHours": "720", "networkBits4": "24",
    "networkBits6": "64", "requestsPerSecond": "20", "requestBurst": "400",
    "loginsPerSecond": "1000", "loginBurst": "1000",
  ]

  private func administrator(_ site: OfficeSite) async throws -> OfficeBrowser {
    let anna = site.browser()
    try await anna.signIn("anna")
    return anna
  }

  /// Sends a form as it is on the page, with the mark of the rules that the page has shown.
  private func post(
    _ browser: OfficeBrowser, _ path: String, _ fields: [String: String] = [:]
  ) async throws -> Answer {
    let seen = try #require(try await browser.get("/phones").field("seen"))
    return try await browser.post(path, fields.merging(["seen": seen]) { given, _ in given })
  }

  /// Returns the secret parts of the addresses that a page shows.
  private func secrets(_ answer: Answer, _ site: OfficeSite) -> Set<String> {
    Set(
      answer.body.matches(of: #/<code class="digest">(https?:[^<]*)<\/code>/#).compactMap { match in
        match.1.hasPrefix(site.origin + "/")
          ? match.1.dropFirst(site.origin.count + 1).split(separator: "/").first.map(String.init)
          : nil
      })
  }

  @Test("it is the agency's administrators' alone, and shows nothing of another agency's")
  func roles() async throws {
    try await withPhones { phones, site in
      try await phones.office.database.writeRegistry {
        try $0.insert(
          Account(login: "adam", agency: "south", role: .administrator, name: "Adam"),
          password: PasswordHash.cheap(for: OfficeScene.password),
          at: phones.scene.clock.deviceTime)
      }
      var change = PhoneServiceChange()
      change.networks = ["203.0.113.0/24"]
      change.zone = "Europe/Prague"
      _ = try await phones.office.phones.changePhoneService(of: "north", change, by: "test")
      _ = try await PhoneApp(kind: .iOS, site: site, secret: PhoneScene.southSecret).logIn("sven")
      for login in ["otto", "ines"] {
        let browser = site.browser()
        try await browser.signIn(login)
        #expect(try await browser.get("/phones").status == 403)
        #expect(!(try await browser.get("/tasks").body.contains("href=\"/phones\"")))
        for path in ["/address", "/rules", "/credentials", "/off", "/inspectors/ines/end"] {
          let answer = try await browser.post("/phones\(path)", ["seen": "0", "basicLogin": "x"])
          #expect(answer.status == 403, "\(login) \(path)")
        }
      }
      let nobody = try await site.send("GET", "/phones")
      #expect(nobody.location?.hasPrefix("/sign-in") == true)

      let anna = try await administrator(site)
      #expect(try await anna.get("/tasks").body.contains("href=\"/phones\""))
      let north = try await anna.get("/phones").body
      #expect(north.contains("203.0.113.0/24") && north.contains("Europe/Prague"))
      #expect(!north.contains("sven"))
      let adam = site.browser()
      try await adam.signIn("adam")
      let south = try await adam.get("/phones").body
      #expect(south.contains("sven") && !south.contains("203.0.113.0"))
      #expect(!south.contains("Europe/Prague\""))
      // An administrator ends no login of another agency.
      #expect(try await post(adam, "/phones/inspectors/ines/end").status == 404)
      #expect(try await post(adam, "/phones/off").status == 303)
      #expect(try await phones.office.phones.phoneService(of: "south") == nil)
      #expect(try await phones.office.phones.phoneService(of: "north")?.zone == "Europe/Prague")
    }
  }

  @Test("a form without its token, or from another site, changes nothing")
  func forgery() async throws {
    try await withPhones { phones, site in
      let anna = try await administrator(site)
      let seen = try #require(try await anna.get("/phones").field("seen"))
      let before = try await phones.office.phones.phoneService(of: "north")
      for path in [
        "/address", "/address/remove", "/credentials", "/credentials/remove", "/rules", "/off",
        "/inspectors/ines/end",
      ] {
        let fields = ["seen": seen, "basicLogin": "phones"]
        #expect(try await anna.post("/phones\(path)", fields, token: .some(nil)).status == 403)
        let foreign = try await anna.post(
          "/phones\(path)", fields, origin: "https://evil.example")
        #expect(foreign.status == 403, "\(path)")
        #expect(try await site.send("GET", "/phones\(path)").status != 200)
      }
      #expect(try await phones.office.phones.phoneService(of: "north") == before)
    }
  }

  @Test("an address is drawn from the page, shown once, and holds at once; the one before does not")
  func address() async throws {
    try await withPhones { phones, site in
      let anna = try await administrator(site)
      #expect(try await post(anna, "/phones/off").location == "/phones?done=phonesOff")
      let off = try await anna.get("/phones?done=phonesOff")
      #expect(off.body.contains("Phones are disabled."))
      #expect(off.body.contains("Generate address and enable phones"))
      #expect(off.field("seen") == "0")
      #expect(try await phones.office.phones.phoneService(of: "north") == nil)
      #expect(
        try await PhoneApp(kind: .iOS, site: site).call("tasks", [("user_id", "5")]).message
          == "this address serves no agency: ask your office for it")

      let wrong = try await anna.post("/phones/address", ["seen": "0", "zone": "../Prague"])
      #expect(wrong.status == 422 && wrong.body.contains("id=\"error-zone\""))
      #expect(try await phones.office.phones.phoneService(of: "north") == nil)
      let drawn = try await anna.post("/phones/address", ["seen": "0", "zone": "Europe/Prague"])
      #expect(drawn.status == 200 && drawn.header("Cache-Control") == "no-store")
      let secret = try #require(secrets(drawn, site).first)
      #expect(secrets(drawn, site).count == 1 && secret.utf8.count == 43)
      for address in ["\(site.origin)/\(secret)/ws/", "\(site.origin)/\(secret)/"] {
        #expect(drawn.body.contains("<code class=\"digest\">\(address)</code>"))
      }
      #expect(drawn.body.components(separatedBy: "class=\"qr\"").count == 3)
      #expect(
        try await phones.office.phones.phoneService(of: "north")?.prefixDigest
          == Token.digest(secret))
      #expect(try await phones.office.phones.phoneService(of: "north")?.zone == "Europe/Prague")
      for path in ["/phones", "/log"] {
        #expect(!(try await anna.get(path).body.contains(secret)), "\(path)")
      }
      _ = try await PhoneApp(kind: .android, site: site, secret: secret).logIn()

      // A page that is loaded again sends its form again, which draws no address.
      let again = try await anna.post("/phones/address", ["seen": "0"])
      #expect(again.status == 412 && secrets(again, site).isEmpty)
      #expect(again.body.contains("somebody else changed this after you opened the page"))
      let second = try await post(anna, "/phones/address")
      let other = try #require(secrets(second, site).first)
      #expect(other != secret)
      let refused = try await PhoneApp(kind: .android, site: site, secret: secret)
        .call("tasks", [("user_id", "5")])
      #expect(refused.message == "this address serves no agency: ask your office for it")
      // The new address serves the phone.
      let user = try await PhoneApp(kind: .android, site: site, secret: other).logIn()
      #expect(
        try await PhoneApp(kind: .android, site: site, secret: other).tasks(user: user).isEmpty)
      let log = try await anna.get("/log").body
      #expect(log.contains("phones-changed") && log.contains("new address; zone Europe/Prague"))
      #expect(log.contains("phones-ended") && !log.contains(other))
    }
  }

  @Test("each rule is saved, stands in the form again and holds from the next request on")
  func rules() async throws {
    try await withPhones { phones, site in
      let anna = try await administrator(site)
      let app = PhoneApp(kind: .android, site: site)
      func lay(_ changed: [String: String]) async throws {
        let answer = try await post(
          anna, "/phones/rules", Self.standard.merging(changed) { $1 })
        #expect(answer.location == "/phones?done=phones", "\(changed)")
        let page = try await anna.get("/phones").body
        for (name, value) in changed where name != "networks" {
          #expect(page.contains("name=\"\(name)\" value=\"\(value)\""), "\(name)")
        }
      }
      _ = try await phones.scene.order()
      let user = try await app.logIn()
      let ended = "your login has ended: log in again, nothing is lost"
      func message() async throws -> String? {
        try await app.call("tasks", [("user_id", user)]).message
      }
      try await lay(["networks": "203.0.113.0/24\n2001:db8::/32"])
      #expect(try await anna.get("/phones").body.contains("203.0.113.0/24\n2001:db8::/32"))
      #expect(try await message() == "your agency does not serve this network")
      try await lay(["networks": "127.0.0.0/8, 203.0.113.0/24"])
      #expect(try await message() == nil)

      try await lay(["zone": "Asia/Kolkata"])
      #expect(
        try await app.tasks(user: user).first?["date_created"]?.text == "2026-06-01 15:00:00")
      try await lay([:])
      #expect(
        try await app.tasks(user: user).first?["date_created"]?.text == "2026-06-01 09:30:00")

      // With another size, a network is another one.
      try await lay(["networkBits4": "16"])
      #expect(try await message() == ended)
      #expect(try await anna.get("/phones").body.contains("No inspector is logged in on a phone."))
      _ = try await app.logIn()
      #expect(try await anna.get("/phones").body.contains("<code>127.0.0.0/16</code>"))
      try await lay(["networkBits4": "16", "loginHours": "1.5"])
      phones.later(hours: 1)
      #expect(try await message() == nil)
      phones.later(hours: 1)
      #expect(try await message() == ended)
      try await lay(["loginsPerSecond": "0.001", "loginBurst": "1"])
      _ = try await app.logIn()
      let second = try await app.call("login", [("login", "ines"), ("pswd", "x")])
      #expect(second.message == "too many requests: try again in a minute")
      try await lay(["requestsPerSecond": "0.001", "requestBurst": "1"])
      #expect(try await message() == nil)
      #expect(try await message() == "too many requests: try again in a minute")

      // An empty field means the default.
      let answer = try await post(
        anna, "/phones/rules", Self.standard.mapValues { _ in "" })
      #expect(answer.status == 303)
      let service = try await #require(try phones.office.phones.phoneService(of: "north"))
      var standard = PhoneService(agency: "north", changed: service.changed)
      standard.prefixDigest = service.prefixDigest
      #expect(service == standard)
      let log = try await anna.get("/log").body
      #expect(log.contains("networks any") && log.contains("same network 16,64"))
    }
  }

  @Test("what cannot be laid down is said beside its field, and nothing is changed")
  func faults() async throws {
    try await withPhones { phones, site in
      let anna = try await administrator(site)
      let before = try await phones.office.phones.phoneService(of: "north")
      for (name, value, setting, words) in [
        ("networks", "10.0.0.0/33", "networks", "10.0.0.0/33 is not a network"),
        ("networks", "10.0.0.0/8\n\(hostileText)", "networks", "is not a network"),
        (
          "networks", (0..<101).map { "10.0.0.\($0)" }.joined(separator: " "), "networks",
          "at most 100 networks"
        ),
        ("requestsPerSecond", "0", "requests", "enter 0.001 to 1,000,000"),
        ("requestBurst", "0.5", "requests", "requests per second"),
        ("loginsPerSecond", "many", "logins", "requests per second"),
        ("loginBurst", "nan", "logins", "requests per second"),
        ("loginHours", "0", "loginHours", "enter more than 0"),
        ("loginHours", "10001", "loginHours", "at most 10,000 hours"),
        ("networkBits4", "33", "sameNetwork", "enter 0 to 32 bits"),
        ("networkBits6", "1.5", "sameNetwork", "0 to 128 for IPv6"),
        ("zone", "Europe/Nowhere", "zone", "is not a time zone"),
        ("zone", "/etc/passwd", "zone", "is not a time zone"),
      ] {
        let answer = try await post(
          anna, "/phones/rules", Self.standard.merging([name: value]) { $1 })
        #expect(answer.status == 422, "\(name) \(value)")
        let body = answer.body
        let error = body.components(separatedBy: "id=\"error-\(setting)\">").dropFirst()
        #expect(error.count == 1, "\(name) \(value)")
        #expect(error.first?.prefix { $0 != "<" }.contains(words) == true, "\(name) \(value)")
        #expect(body.contains("error-\(setting)\" aria-invalid=\"true\""), "\(name)")
        // The form shows the given values again.
        if !value.contains("<"), name != "networks" {
          #expect(body.contains("name=\"\(name)\" value=\"\(value)\""), "\(name)")
        }
        #expect(body.contains("Nothing was saved"))
      }
      for fields in [
        ["basicLogin": "a:b"], ["basicLogin": "phones", "basicPassword": "short           "],
      ] {
        let answer = try await post(anna, "/phones/credentials", fields)
        let setting = fields.count == 1 ? "credentials" : "password"
        #expect(answer.status == 422 && answer.body.contains("id=\"error-\(setting)\""))
        #expect(!answer.body.contains("short\""))
      }
      #expect(try await anna.post("/phones/rules", Self.standard).status == 400)
      #expect(try await phones.office.phones.phoneService(of: "north") == before)
    }
  }

  @Test("credentials are drawn or chosen, shown once, and one way in always stays")
  func credentials() async throws {
    try await withPhones { phones, site in
      let anna = try await administrator(site)
      func message(_ credentials: String) async throws -> String? {
        let answer = try await site.send(
          "POST", "/ws/comm_tasks.php",
          [
            ("Authorization", "Basic \(Data(credentials.utf8).base64EncodedString())"),
            ("Content-Type", "application/x-www-form-urlencoded"),
          ], body: .bytes(ByteBuffer(string: "user_id=5")))
        return try JSONValue(parsing: answer.bytes).message
      }
      let unknown = "this address serves no agency: ask your office for it"
      let ended = "your login has ended: log in again, nothing is lost"
      // The address cannot be removed without credentials.
      #expect(!(try await anna.get("/phones").body.contains("/phones/address/remove")))
      let last = try await post(anna, "/phones/address/remove")
      #expect(
        last.status == 400 && last.body.contains("phones need a secret address or credentials"))

      let drawn = try await post(anna, "/phones/credentials", ["basicLogin": "fleet"])
      #expect(drawn.status == 200)
      let password = try #require(
        drawn.body.matches(of: #/<code class="digest">([A-Za-z0-9_-]{24})<\/code>/#).first.map {
          String($0.1)
        })
      #expect(try await message("fleet:\(password)\n") == ended)
      #expect(try await message("fleet:x") == unknown)
      for path in ["/phones", "/log"] {
        #expect(!(try await anna.get(path).body.contains(password)), "\(path)")
      }
      let chosen = try await post(
        anna, "/phones/credentials",
        ["basicLogin": "fleet", "basicPassword": " open sesame now "])
      #expect(chosen.location == "/phones?done=phones")
      #expect(try await message("fleet:\(password)") == unknown)
      // The apps end a password with a line end, so blanks at its end do not count.
      #expect(try await message("fleet: open sesame now\n") == ended)
      let log = try await anna.get("/log").body
      #expect(log.contains("credentials fleet") && !log.contains("sesame"))

      var change = PhoneServiceChange()
      change.credentials = .set(login: "south-fleet", password: "open sesame now")
      _ = try await phones.office.phones.changePhoneService(of: "south", change, by: "test")
      let taken = try await post(anna, "/phones/credentials", ["basicLogin": "south-fleet"])
      #expect(taken.status == 409 && taken.body.contains("id=\"error-credentials\""))
      #expect(try await phones.office.phones.phoneService(of: "north")?.basicLogin == "fleet")

      #expect(try await post(anna, "/phones/address/remove").status == 303)
      #expect(try await phones.office.phones.phoneService(of: "north")?.prefixDigest == nil)
      #expect(!(try await anna.get("/phones").body.contains("/phones/credentials/remove")))
      #expect(try await post(anna, "/phones/credentials/remove").status == 400)
      let new = try await post(anna, "/phones/address")
      #expect(secrets(new, site).count == 1)
      #expect(try await post(anna, "/phones/credentials/remove").status == 303)
      #expect(try await message("fleet: open sesame now") == unknown)
    }
  }

  @Test(
    "who is logged in on a phone is listed, since when, from where, last heard, and can be ended")
  func logins() async throws {
    try await withPhones { phones, site in
      let anna = try await administrator(site)
      let empty = try await anna.get("/phones").body
      #expect(empty.contains("No inspector is logged in on a phone."))
      #expect(empty.contains("In the last 7 days phones sent: photos 0, paths 0."))
      let app = PhoneApp(kind: .android, site: site)
      let user = try await app.logIn()
      _ = try await app.logIn("igor")
      phones.later(hours: 2)
      _ = try await app.send(app.photo(try OfficeScene.picture(1), user: user), user: user)
      _ = try await app.call(
        "path", [("user_id", user), ("name", "Edge"), ("points", "[{\"lat\":50.1,\"lng\":14.4}]")])
      let page = try await anna.get("/phones").body
      let rows = page.components(separatedBy: "<tr><td").dropFirst().map { $0 }
      let ines = try #require(rows.first { $0.contains("Ines<br>") })
      #expect(
        ines.contains(
          "<code>127.0.0.0/24</code> since <time datetime=\"2026-06-01T09:30:00.000Z\">"))
      #expect(ines.contains("2026-06-01 11:30:00 UTC"))
      let igor = try #require(rows.first { $0.contains("Igor<br>") })
      #expect(!igor.contains("11:30:00") && rows.count == 2)
      #expect(page.contains("In the last 7 days phones sent: photos 1, paths 1."))

      let end = try await post(anna, "/phones/inspectors/ines/end")
      #expect(end.location == "/phones?done=phonesEnded")
      #expect(!(try await anna.get("/phones").body.contains("Ines<br>")))
      #expect(
        try await app.call("tasks", [("user_id", user)]).message
          == "your login has ended: log in again, nothing is lost")
      #expect(try await post(anna, "/phones/inspectors/nobody/end").status == 404)
      #expect(try await anna.get("/log").body.contains("phone-logins-ended"))
      #expect(try await app.logIn() == user)
      // A person who may not sign in has no login, either, and old photos and paths are not
      // counted.
      try await phones.office.people.setDisabled(true, login: "igor", by: "anna")
      #expect(!(try await anna.get("/phones").body.contains("Igor<br>")))
      phones.later(hours: 24 * 8)
      let later = site.browser()
      try await later.signIn("anna")
      #expect(
        try await later.get("/phones").body.contains(
          "In the last 7 days phones sent: photos 0, paths 0."))
    }
  }

  @Test("an office that answers no phones says so, and what is laid down waits")
  func unserved() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder, adding: PredecessorService.whereNoPhoneIsServed)
      try await withSite(scene.office) { site in
        let anna = try await administrator(site)
        let page = try await anna.get("/phones").body
        #expect(page.contains("started without --egnss4cap"))
        #expect(page.contains("This page came without TLS"))
        let drawn = try await post(anna, "/phones/address")
        #expect(drawn.status == 200)
        #expect(try await scene.office.phones.phoneService(of: "north")?.prefixDigest != nil)
      }
    }
  }

  @Test("of two who change something at once neither undoes the other's")
  func together() async throws {
    try await withPhones { phones, _ in
      let office = phones.office
      try await withThrowingTaskGroup(of: Void.self) { group in
        for number in 0..<4 {
          group.addTask {
            var change = PhoneServiceChange()
            switch number {
            case 0: change.credentials = .drawn(login: "fleet")
            case 1: change.zone = "Europe/Prague"
            case 2: change.loginHours = 5
            default: change.networks = ["203.0.113.0/24"]
            }
            _ = try await office.phones.changePhoneService(of: "north", change, by: "anna")
          }
        }
        try await group.waitForAll()
      }
      let service = try await #require(try office.phones.phoneService(of: "north"))
      #expect(service.basicLogin == "fleet" && service.zone == "Europe/Prague")
      #expect(service.loginSeconds == 18_000 && service.networks == ["203.0.113.0/24"])
    }
  }
}
