import AsyncHTTPClient
import Evidence
import Foundation
import Geodesy
import Inspection
import NIOCore
import OfficeScenes
import Positioning
import Receivers
import Store
import Sync
import Synchronization
import TestSupport
import Testing
import TimeAndText

@testable import Office
@testable import OfficePages
@testable import Predecessor
@testable import Web

@Suite("What phones should not send and might", .timeLimit(.minutes(5)))
struct PhoneBadInputTests {
  @Test("a photo that cannot be kept is an error that the app can parse, and nothing is kept of it")
  func photos() async throws {
    try await withPhones(picturesAtMost: 50_000) { phones, site in
      let order = try await phones.scene.order()
      let app = PhoneApp(kind: .android, site: site)
      let user = try await app.logIn()
      let task = try #require(try await app.tasks(user: user).first?["id"]?.text)
      let good = app.photo(try OfficeScene.picture(1), user: user)
      func refused(_ json: String, user: String, task: String? = nil) async throws -> String? {
        let answer = try await app.send(json, user: user, task: task)
        #expect(answer.word == "error")
        return answer.message
      }
      let empty = "photo is empty: it was not stored, send it again"
      #expect(try await refused("", user: user, task: task) == empty)
      #expect(try await app.call("photo", [("user_id", user)]).message == empty)
      #expect(
        try await refused("{\"lat\":1,\"lng\":2,\"photo\":\"\"}", user: user, task: task) == empty)
      #expect(try await refused("{\"lat\":1,\"lng\":2}", user: user, task: task) == empty)
      for broken in [
        "{\"lat\":", "[1,2]", "7", String(good.dropLast(200)), "{\"a\":NaN,\"photo\":\"AA==\"}",
      ] {
        #expect(
          try await refused(broken, user: user, task: task) == "photo json decode error",
          "\(broken.prefix(20))")
      }
      let notJPEG = "photo is no JPEG: it was not stored, send it again"
      let text = good.replacingOccurrences(of: "\\/9j", with: "AAAA")
      #expect(try await refused(text, user: user, task: task) == notJPEG)
      let large = Data(repeating: 1, count: 60_000).base64EncodedString()
      #expect(
        try await refused("{\"lat\":1,\"lng\":2,\"photo\":\"\(large)\"}", user: user)
          == "photo is too large: it was not stored")
      let flood = String(repeating: "A", count: 5_000_000)
      let heard = try await app.raw("photo", body: "user_id=\(user)&photo=\(flood)")
      #expect(try JSONValue(parsing: heard.bytes).word == "error")
      // The office reads the body to its end: an app that still sends takes the end of its
      // connection for a fault.
      #expect(heard.header("Connection") != "close")
      for place in [
        "\"lat\":91,\"lng\":0", "\"lng\":2", "\"lat\":\"x\",\"lng\":2", "\"lat\":null,\"lng\":1",
      ] {
        let json =
          "{\(place),\"photo\":\"\(Data(try OfficeScene.picture(2)).base64EncodedString())\"}"
        #expect(try await refused(json, user: user) == "photo has no position: it was not stored")
      }
      #expect(try await refused(good, user: "", task: task) == "missing user ID")
      #expect(
        try await refused(good, user: user, task: "4711") == "task is not in editable status")
      #expect(try await phones.office.review.view(of: order.id, in: "north").photos.isEmpty)
      #expect(try await phones.office.operation.differences().isEmpty)
      let left = try FileManager.default.contentsOfDirectory(atPath: phones.service.desk.folder)
      #expect(left.isEmpty, "\(left)")
    }
  }

  @Test(
    "spaces, line feeds, unknown fields, a wrong digest and an unreadable time are kept and said")
  func tolerated() async throws {
    try await withPhones { phones, site in
      let app = PhoneApp(kind: .android, site: site)
      let user = try await app.logIn()
      let picture = try OfficeScene.picture(4)
      let spaced = Data(picture).base64EncodedString().replacingOccurrences(of: "+", with: " ")
      let json =
        "{\"lat\":\"49.5\",\"lng\":16,\"strange\":{\"a\":[1]},\"created\":\"once upon a time\",\"digest\":\"00\",\"photo\":\"\\r\\n\(spaced)\\n\"}"
      #expect(try await app.send(json, user: user).word == "ok")
      let nowhere =
        "{\"lat\":0,\"lng\":0,\"created\":\"01.06.2026 09:00:00\",\"photo\":\"\(Data(try OfficeScene.picture(5)).base64EncodedString())\"}"
      #expect(try await app.send(nowhere, user: user).word == "ok")
      try await phones.office.examiner.examineArrivals()
      let photos = try await phones.office.database.read(in: "north") {
        try $0.photos.list(.standalone)
      }
      #expect(photos.count == 2)
      let odd = try #require(photos.first { $0.photo.position.coordinate.latitudeDegrees == 49.5 })
      func check(_ photo: ReceivedPhoto, _ name: PhotoCheck.Name) -> PhotoCheck.Outcome? {
        photo.checks.first { $0.name == name }?.outcome
      }
      #expect(check(odd, .appDigest) == .contradicts && check(odd, .times) == .contradicts)
      let phone = try #require(
        try await phones.office.database.read(in: "north") {
          try $0.phones.phonePhoto(odd.photo.id)
        })
      #expect(
        phone.created == "once upon a time" && phone.fields.contains("\"strange\":{\"a\":[1]}"))
      let other = try #require(photos.first { $0.photo.id != odd.photo.id })
      #expect(check(other, .nmea) == .contradicts && check(other, .appDigest) == .notCheckable)
      #expect(other.photo.deviceTime.rfc3339 == "2026-06-01T09:00:00.000Z")
    }
  }

  @Test("nobody sees or changes what is another user's or another agency's")
  func walls() async throws {
    try await withPhones { phones, site in
      let order = try await phones.scene.order()
      let app = PhoneApp(kind: .android, site: site)
      let ines = try await app.logIn()
      let igor = try await app.logIn("igor")
      let task = try #require(try await app.tasks(user: ines).first?["id"]?.text)
      #expect(try await app.tasks(user: igor).isEmpty)
      let json = app.photo(try OfficeScene.picture(1), user: igor)
      #expect(
        try await app.send(json, user: igor, task: task).message == "task is not in editable status"
      )
      for (script, word) in [("status", "error"), ("update", "ok")] {
        let answer = try await app.call(
          script, [("task_id", task), ("user_id", igor), ("status", "open")])
        // After an error of `update` the Android app would ask for no tasks any more; nothing is
        // changed, as the end of this test shows.
        #expect(answer.word == word)
      }
      #expect(
        try await app.call(
          "update", [("task_id", task), ("user_id", igor), ("status", "data provided")]
        ).message == "wrong task ID")
      let sent = try await app.send(json, user: igor)
      let photo = try #require(sent["photo_id"]?.wholeNumber)
      #expect(
        try await app.call("get_photo", [("photo_id", "\(photo)"), ("user_id", ines)]).word
          == "error")
      // The other agency does not know these numbers, nor this one the numbers of the other's
      // people.
      let south = PhoneApp(kind: .android, site: site, secret: PhoneScene.southSecret)
      let sven = try await south.logIn("sven")
      #expect(
        try await south.call("login", [("login", "ines"), ("pswd", OfficeScene.password)]).message
          == "bad login or password")
      #expect(try await south.call("tasks", [("user_id", ines)]).word == "error")
      #expect(try await app.call("tasks", [("user_id", sven)]).word == "error")
      #expect(
        try await south.call("get_photo", [("photo_id", "\(photo)")]).message == "wrong photo ID")
      #expect(
        try await south.call("status", [("task_id", task), ("status", "open")]).word == "error")
      // Officers have no phones, and a wrong password lets nobody in.
      for (login, password) in [
        ("otto", OfficeScene.password), ("ines", "wrong"), ("", ""), ("nobody", "x"),
      ] {
        let answer = try await app.call("login", [("login", login), ("pswd", password)])
        #expect(answer.message == "bad login or password")
      }
      #expect(try await phones.office.review.view(of: order.id, in: "north").task.state == .new)
    }
  }

  @Test("a transition that the rules refuse is an error, and one that was made already is none")
  func transitions() async throws {
    try await withPhones { phones, site in
      let order = try await phones.scene.order()
      let app = PhoneApp(kind: .android, site: site)
      let user = try await app.logIn()
      let task = try #require(try await app.tasks(user: user).first?["id"]?.text)
      for word in ["returned", "data checked", "closed", "", "x"] {
        let answer = try await app.call("status", [("task_id", task), ("status", word)])
        #expect(answer.word == "error", "\(word)")
      }
      #expect(try await app.call("status", [("task_id", task), ("status", "new")]).word == "ok")
      #expect(
        try await app.call("status", [("task_id", "4711"), ("status", "open")]).word == "error")
      try await phones.decide(.withdraw, order.id)
      #expect(try await app.tasks(user: user).isEmpty)
      #expect(
        try await app.call("status", [("task_id", task), ("status", "open")]).word == "error")
    }
  }

  @Test("a task that is withdrawn before a phone says that it opened it keeps no phone from tasks")
  func withdrawnMeanwhile() async throws {
    try await withPhones { phones, site in
      let order = try await phones.scene.order()
      let app = PhoneApp(kind: .android, site: site)
      let user = try await app.logIn()
      let task = try #require(try await app.tasks(user: user).first?["id"]?.text)
      try await phones.decide(.withdraw, order.id)
      func update(_ status: String, _ task: String, user: String) async throws -> JSONValue {
        try await app.call(
          "update", [("task_id", task), ("user_id", user), ("status", status)])
      }
      for number in [task, "4711", "x", ""] {
        #expect(try await update("open", number, user: user).word == "ok", "\(number)")
      }
      #expect(
        try await phones.office.review.view(of: order.id, in: "north").task.state == .withdrawn)
      // Only "open" is answered so: a phone that provides a withdrawn task, or whose login has
      // ended, gets an error.
      #expect(try await update("data provided", task, user: user).message == "wrong task ID")
      #expect(try await update("open", task, user: "").message == "missing user ID")
      #expect(try await update("open", task, user: "4711").word == "error")
    }
  }

  @Test(
    "a login holds for its network and its time, ends with the person, and is not asked for too often"
  )
  func logins() async throws {
    try await withPhones { phones, site in
      let app = PhoneApp(kind: .iOS, site: site)
      let user = try await app.logIn()
      #expect(try await app.logIn() == user)
      phones.later(hours: 29 * 24)
      #expect(try await app.call("tasks", [("user_id", user)]).word == "ok")
      phones.later(hours: 2 * 24)
      let ended = try await app.call("tasks", [("user_id", user)])
      #expect(ended.message == "your login has ended: log in again, nothing is lost")
      _ = try await app.logIn()
      #expect(try await app.call("tasks", [("user_id", user)]).word == "ok")
      try await phones.office.people.setDisabled(true, login: "ines", by: "anna")
      #expect(try await app.call("tasks", [("user_id", user)]).word == "error")
      try await phones.office.people.setDisabled(false, login: "ines", by: "anna")
      #expect(try await app.call("tasks", [("user_id", user)]).word == "error")
      for number in ["1", "-1", "0", "99999999999999999999", "x", "\(user)x", " 5 "] {
        #expect(try await app.call("tasks", [("user_id", number)]).word == "error")
      }
      // The password holds signs that forms decode, and iOS sends it as it is.
      try await phones.office.people.setPassword("a&b+c %41 ř password", of: "ines", by: "anna")
      #expect(try await app.logIn("ines", password: "a&b+c %41 ř password") == user)
      let android = PhoneApp(kind: .android, site: site)
      #expect(try await android.logIn("ines", password: "a&b+c %41 ř password") == user)
      // The login does not hold in another network.
      var change = PhoneServiceChange()
      change.networks = ["192.0.2.0/24"]
      _ = try await phones.office.phones.changePhoneService(of: "north", change, by: "test")
      #expect(
        try await app.call("tasks", [("user_id", user)]).message
          == "your agency does not serve this network")
      change.networks = ["127.0.0.0/8"]
      change.requests = (0.001, 3)
      change.logins = (0.001, 1)
      _ = try await phones.office.phones.changePhoneService(of: "north", change, by: "test")
      var words: [String?] = []
      for _ in 0..<4 { words.append(try await app.call("tasks", [("user_id", user)]).word) }
      #expect(words == ["ok", "ok", "ok", "error"])
      _ = try await app.call("login", [("login", "ines"), ("pswd", "x")])
      #expect(
        try await app.call("login", [("login", "ines"), ("pswd", "x")]).message
          == "too many requests: try again in a minute")
    }
  }

  @Test("a login from another network, or another's from this one, is none here")
  func otherNetworks() async throws {
    try await withPhones { phones, site in
      let order = try await phones.scene.order()
      let app = PhoneApp(kind: .android, site: site)
      let (user, task) = try await phones.office.database.write(in: "north") { session in
        for network in ["7f000100/24", "7f000001/32", "7f000000/16", "00000000/0", ""] {
          try session.phones.notePhoneLogin(
            of: "ines", network: network, at: phones.scene.clock.deviceTime)
        }
        return (
          "\(try session.phones.makePhoneNumber(.user, of: "ines"))",
          "\(try session.phones.makePhoneNumber(.task, of: order.id.description))"
        )
      }
      let corners = [
        ("max_lat", "49.1"), ("min_lat", "49.0"), ("max_lng", "16.7"), ("min_lng", "16.6"),
      ]
      let calls = [
        ("tasks", [("user_id", user)]), ("get_paths", [("user_id", user)]),
        ("unassigned", [("user_id", user)]), ("shapes", corners),
        ("status", [("task_id", task), ("status", "open")]),
        ("update", [("task_id", task), ("user_id", user), ("status", "open")]),
      ]
      for (script, fields) in calls {
        let answer = try await app.call(script, fields)
        #expect(answer.message == PhoneRefusal.loginEnded.text, "\(script)")
      }
      // Another person's login in this network lets it see the map, which names nobody, and nothing
      // else.
      _ = try await app.logIn("igor")
      for (script, fields) in calls where script != "shapes" {
        let answer = try await app.call(script, fields)
        #expect(answer.message == PhoneRefusal.loginEnded.text, "\(script)")
      }
      #expect(try await app.call("shapes", corners).word == "ok")
      try await phones.office.database.write(in: "north") {
        try $0.phones.notePhoneLogin(
          of: "ines", network: "7f000000/24", at: phones.scene.clock.deviceTime)
      }
      for (script, fields) in calls {
        #expect(try await app.call(script, fields).word == "ok", "\(script)")
      }
    }
  }

  @Test("a password that can be read in two ways is one try, wrong or right")
  func twoReadings() async throws {
    try await withPhones { phones, site in
      let app = PhoneApp(kind: .iOS, site: site)
      let password = "a&b+c %41 password"
      try await phones.office.database.writeRegistry {
        try $0.setPassword(PasswordHash.cheap(for: password), of: "ines")
      }
      func wrong() async throws -> String? {
        try await app.call("login", [("login", "ines"), ("pswd", "x&y+z %41 password")]).message
      }
      for _ in 1..<AttemptLimiter.failuresAtMost {
        #expect(try await wrong() == "bad login or password")
      }
      // One failure more would make her wait; the right password makes the office forget them.
      _ = try await app.logIn("ines", password: password)
      for _ in 0..<AttemptLimiter.failuresAtMost {
        #expect(try await wrong() == "bad login or password")
      }
      #expect(try await wrong()?.contains("too many wrong passwords") == true)
      // After the wait the right password lets her in, although its first reading is a wrong
      // password.
      phones.later(hours: 3.0 / 3600)
      _ = try await app.logIn("ines", password: password)
      // An empty login or password is refused.
      for body in ["login=ines&pswd=", "login=&pswd=x", "login=ines", ""] {
        let answer = try JSONValue(parsing: try await app.raw("login", body: body).bytes)
        #expect(answer.message == "bad login or password")
      }
    }
  }

  @Test("the address is secret, or credentials are; all that goes wrong is JSON")
  func doors() async throws {
    try await withPhones { phones, site in
      func ask(_ path: String, _ headers: [(String, String)] = []) async throws -> Answer {
        let answer = try await site.send(
          "POST", path, headers + [("Content-Type", "application/x-www-form-urlencoded")],
          body: .bytes(ByteBuffer(string: "user_id=5")))
        #expect(
          answer.status == 200 && answer.header("Content-Type") == "application/json; charset=utf-8"
        )
        #expect(try JSONValue(parsing: answer.bytes).word != nil)
        return answer
      }
      let unknown = "this address serves no agency: ask your office for it"
      for path in [
        "/ws/comm_tasks.php", "//egnss4allservices/comm_tasks.php",
        "/guessed-address-12345/ws/comm_tasks.php",
        "/ws//comm_tasks.php", "/\(PhoneScene.secret)x//ws/comm_tasks.php",
      ] {
        #expect(try JSONValue(parsing: try await ask(path).bytes).message == unknown, "\(path)")
      }
      #expect(
        try await ask("/\(PhoneScene.secret)/ws/comm_other.php").body.contains("unknown script"))
      #expect(
        try await ask("/\(PhoneScene.secret)/ws/comm_tasks.php", [("Host", "elsewhere")]).body
          .contains("error"))
      #expect(
        try await ask(
          "/\(PhoneScene.secret)/ws/comm_tasks.php", [("Origin", "http://evil.example")]
        ).body.contains("error"))
      #expect(
        try await site.send("GET", "/\(PhoneScene.secret)/ws/comm_tasks.php?user_id=%zz").status
          == 200)
      // Credentials take the place of the secret address.
      var change = PhoneServiceChange()
      change.prefix = .removed
      await #expect(throws: OfficeRefusal.self) {
        _ = try await phones.office.phones.changePhoneService(of: "north", change, by: "test")
      }
      change.credentials = .set(login: "phones", password: "open sesame now")
      _ = try await phones.office.phones.changePhoneService(of: "north", change, by: "test")
      func basic(_ text: String) -> [(String, String)] {
        [("Authorization", "Basic \(Data(text.utf8).base64EncodedString())")]
      }
      for _ in 0..<2 {
        let known = try await ask("/ws/comm_tasks.php", basic("phones:open sesame now\n"))
        #expect(
          try JSONValue(parsing: known.bytes).message
            == "your login has ended: log in again, nothing is lost")
      }
      for text in ["phones:wrong password", "phones", ":", "other:open sesame now"] {
        #expect(
          try JSONValue(parsing: try await ask("/ws/comm_tasks.php", basic(text)).bytes).message
            == unknown)
      }
      #expect(
        try JSONValue(parsing: try await ask("/\(PhoneScene.secret)/ws/comm_tasks.php").bytes)
          .message == unknown)
    }
  }

  @Test("who guesses addresses or credentials has to wait, and a right guess tells nothing then")
  func guesses() async throws {
    try await withPhones { phones, site in
      var change = PhoneServiceChange()
      change.credentials = .set(login: "phones", password: "open sesame now")
      _ = try await phones.office.phones.changePhoneService(of: "north", change, by: "test")
      let known = "phones:open sesame now"
      func ask(_ path: String, _ pair: String? = nil) async throws -> String? {
        let basic = pair.map {
          [("Authorization", "Basic \(Data($0.utf8).base64EncodedString())")]
        }
        let answer = try await site.send(
          "POST", path + "/ws/comm_tasks.php",
          (basic ?? []) + [("Content-Type", "application/x-www-form-urlencoded")],
          body: .bytes(ByteBuffer(string: "user_id=5")))
        return try JSONValue(parsing: answer.bytes).message
      }
      let (unknown, tooOften) = (PhoneRefusal.unknownService.text, PhoneRefusal.tooOften.text)
      // A request without an address and credentials is no guess.
      for _ in 0..<70 { #expect(try await ask("") == unknown) }
      for number in 0..<60 {
        #expect(try await ask("/guessed-address-\(10_000 + number)") == unknown)
      }
      #expect(try await ask("/guessed-address-99999") == tooOften)
      #expect(try await ask("/\(PhoneScene.secret)") == tooOften)
      for pair in [known, "nobody:open sesame now"] {
        #expect(try await ask("", pair) == tooOften)
      }
      let ended = PhoneRefusal.loginEnded.text
      phones.later(hours: 1.0 / 3600)
      #expect(try await ask("", known) == ended)
      phones.later(hours: 1.0 / 3600)
      // An unknown name is a guess, too.
      #expect(try await ask("", "nobody:x") == unknown)
      for _ in 0..<3 { _ = try await ask("/guessed-address-99999") }
      #expect(try await ask("/\(PhoneScene.secret)") == tooOften)
      // A network from which somebody has logged in is still served, although somebody guesses
      // there.
      phones.later(hours: 1)
      _ = try await PhoneApp(kind: .android, site: site).logIn()
      for _ in 0..<70 { _ = try await ask("/guessed-address-99999") }
      #expect(try await ask("/guessed-address-99999") == tooOften)
      #expect(try await ask("/\(PhoneScene.secret)") == ended)
    }
  }

  @Test(
    "without --egnss4cap there is no such address, and no log has that of phones which do not know it"
  )
  func off() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder, adding: PredecessorService.whereNoPhoneIsServed)
      let shown = Mutex<[String]>([])
      try await withSite(
        scene.office, onRequest: { record in shown.withLock { $0.append(record.path) } }
      ) { site in
        for path in ["/ws/comm_tasks.php", "/\(PhoneScene.secret)/ws/comm_tasks.php"] {
          let answer = try await site.send("POST", path)
          #expect(answer.status == 404)
          #expect(answer.header("Content-Type") != PhoneScripts.mediaType)
        }
      }
      #expect(shown.withLock { $0 } == ["/{service}/…", "/{service}/…"])
    }
  }

  @Test("what a crash has left of pictures becomes nothing, and nothing that is kept is taken away")
  func crash() async throws {
    try await withTemporaryDirectory { folder in
      let phones = try await PhoneScene(folder)
      let office = phones.office
      let id = Identifier(at: phones.scene.clock.deviceTime)
      let spool = phones.service.desk.folder + "/\(id)"
      try Data([1, 2, 3]).write(to: URL(fileURLWithPath: spool))
      try office.photos.adopt(file: spool, as: EvidenceName.file(.capture, id))
      #expect(try await !office.operation.differences().isEmpty)
      let again = try await OfficeServer.make(
        configuration: office.configuration, clock: office.clock, services: office.services)
      #expect(try await again.operation.differences().isEmpty)
      #expect(
        try FileManager.default.contentsOfDirectory(atPath: phones.service.desk.folder).isEmpty)
    }
  }
}
