import Evidence
import Foundation
import Inspection
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

/// People and phones after the move: old passwords, photos that are sent once more, and photos that
/// were sent before.
@Suite("People and phones of an older office", .timeLimit(.minutes(5)))
struct CarryOverPhonesTests {
  private func stored(_ login: String, _ office: OfficeServer) async throws -> String {
    try #require(try await office.database.readRegistry { try $0.account(login)?.password })
  }

  @Test("an old password lets its person in, once as a SHA-1, and then as every other password")
  func passwords() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder, adding: PredecessorService.whereNoPhoneIsServed)
      let (office, older) = (scene.office, try OlderOffice(folder))
      try await older.carryOver(to: office)
      let before = try await stored("jan", office)
      #expect(before.hasPrefix("sha1+scrypt$"))
      for wrong in ["tajne heslo", "", OlderOffice.sha1(OlderOffice.password), "other"] {
        await #expect(throws: OfficeRefusal.self, "\(wrong)") {
          try await office.sessions.authenticate(login: "jan", password: wrong)
        }
      }
      #expect(try await stored("jan", office) == before)
      let session = try await office.sessions.beginSession(
        for: try await office.sessions.authenticate(login: "jan", password: OlderOffice.password))
      let after = try await stored("jan", office)
      #expect(after.hasPrefix("scrypt$16384$"))
      // The session stays, and the same password goes on.
      #expect(try await office.sessions.visitor(withToken: session).account.login == "jan")
      _ = try await office.sessions.authenticate(login: "jan", password: OlderOffice.password)
      #expect(try await stored("jan", office) == after)
      await #expect(throws: OfficeRefusal.self) {
        try await office.sessions.authenticate(login: "jan", password: "other")
      }
      // The older office wrote this digest in capitals; one blank more is another password.
      _ = try await office.sessions.authenticate(login: "jo-o-x", password: "acores")
      await #expect(throws: OfficeRefusal.self) {
        try await office.sessions.authenticate(login: "jan-14", password: " other")
      }
      // Nobody knows Eva's password, and not even the word that stands for none lets her in.
      for word in ["password", "none", "5f4dcc3b5aa765d61d8327deb882cf99"] {
        await #expect(throws: OfficeRefusal.self) {
          try await office.sessions.authenticate(login: "eva", password: word)
        }
      }
      try await office.people.setDisabled(false, login: "eva", by: "test")
      for word in ["none", "password"] {
        await #expect(throws: OfficeRefusal.self) {
          try await office.sessions.authenticate(login: "eva", password: word)
        }
      }
      var actions: [String] = []
      try await office.database.readRegistry {
        try $0.forEachLogEntry { actions.append($0.action) }
      }
      #expect(actions.count { $0 == "password-strengthened" } == 2)
    }
  }

  @Test("a password that is set while somebody signs in is not undone")
  func overtaken() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder, adding: PredecessorService.whereNoPhoneIsServed)
      let older = try OlderOffice(folder)
      try await older.carryOver(to: scene.office)
      let before = try await stored("jan", scene.office)
      try await scene.office.people.setPassword("a new one for jan", of: "jan", by: "test")
      let set = try await stored("jan", scene.office)
      let isReplaced = try await scene.office.database.writeRegistry {
        try $0.replacePassword(before, of: "jan", with: "scrypt$another")
      }
      #expect(!isReplaced)
      #expect(try await stored("jan", scene.office) == set)
    }
  }

  /// Returns the options that carry everything over into the agency north, whose address phones
  /// know.
  private func options(_ older: OlderOffice) -> CarryOverOptions {
    var options = older.options
    (options.joins, options.parcelsAgency) = (["Agentura Západ": "north"], "north")
    return options
  }

  @Test(
    "a phone that sends a photo again is told its number, with whichever task it knows",
    arguments: PhoneApp.Kind.allCases)
  func sentAgain(kind: PhoneApp.Kind) async throws {
    try await withPhones { phones, site in
      let office = phones.office
      let older = try OlderOffice(phones.scene.folder)
      try await older.carryOver(to: office, options(older))
      let app = PhoneApp(kind: kind, site: site)
      // The old password works on a phone, too.
      let user = try await app.logIn("jan", password: OlderOffice.password)
      let before = try office.photos.names()
      for (number, created) in [
        (101, OlderOffice.android), (102, OlderOffice.iOS),
        // Nobody has found the app's words for this time again.
        (103, "2023-06-01T12:34:56.111+05:00"),
      ] {
        let id = try await office.carriedIdentifier(.photo, Int64(number), in: "north")
        let known = try await office.database.write(in: "north") {
          try $0.phones.makePhoneNumber(.photo, of: id.description)
        }
        let json = app.photo(try OfficeScene.picture(number), user: "11", created: created)
        for task in [nil, "17", "999"] as [String?] {
          let answer = try await app.send(json, user: user, task: task)
          #expect(answer.word == "ok", "\(number) \(task ?? "-"): \(answer.message ?? "")")
          #expect(answer["photo_id"]?.wholeNumber == Int(known))
        }
      }
      #expect(try office.photos.names() == before)
      // A new photo for an unknown task is refused as before.
      let new = app.photo(try OfficeScene.picture(7), user: user)
      let refused = try await app.send(new, user: user, task: "17")
      #expect(refused.message == "task is not in editable status")
      // The phone gets its tasks and paths.
      let tasks = try await app.tasks(user: user)
      #expect(tasks.count == 6)
      let valid = try #require(tasks.first { $0["name"]?.text == "Task 17" })
      #expect(valid["status"]?.text == "data checked" && valid["flag_valid"]?.text == "1")
      #expect(valid["number_of_photos"]?.text == "2")
      let returned = try #require(tasks.first { $0["name"]?.text == "Task 18" })
      #expect(returned["text_returned"]?.text == "Too dark.")
      let paths = try await app.call("get_paths", [("user_id", user)])
      #expect(paths["paths"]?.elements?.first?["area"]?.text == "1234.5")
    }
  }

  @Test("a photo that the phone has sent here before the move comes once")
  func sentBefore() async throws {
    try await withPhones { phones, site in
      let office = phones.office
      let given = try OlderOffice(phones.scene.folder)
      // The person has an account here already, and keeps its password.
      try await office.database.writeRegistry {
        try $0.insert(
          Account(login: "jan", agency: "north", role: .inspector, name: "Jan"),
          password: PasswordHash.cheap(for: "another one"), at: phones.scene.clock.deviceTime)
      }
      let app = PhoneApp(kind: .android, site: site)
      let user = try await app.logIn("jan", password: "another one")
      let answer = try await app.send(
        app.photo(try OfficeScene.picture(101), user: "11", created: OlderOffice.android),
        user: user)
      #expect(answer.word == "ok")
      let (summary, lines) = try await given.carryOver(to: office, options(given))
      #expect(lines.contains { $0.remark == .personJoined && $0.number == 11 })
      #expect(summary.counts[.photos]?.carried == 4 && summary.counts[.photos]?.here == 1)
      let id = try await office.carriedIdentifier(.photo, 101, in: "north")
      let number = try await office.database.read(in: "north") {
        try $0.phones.phoneNumber(.photo, of: id.description)
      }
      #expect(number.map(Int.init) == answer["photo_id"]?.wholeNumber)
      #expect(try await office.operation.differences().isEmpty)
      let again = try await given.carryOver(to: office, options(given))
      #expect(again.summary.counts[.photos]?.here == 5)
      _ = try await office.sessions.authenticate(login: "jan", password: "another one")
    }
  }

  @Test("the words of a lost time are found again, in each form that the apps write, and no others")
  func lostTimes() throws {
    let picture = Digest.hexadecimal(Array("hello".utf8))
    let second = try #require(DeviceTime(rfc3339: "2023-06-01T10:34:56Z"))
    let prague = PHPTime(zone: "Europe/Prague").zone
    func found(_ created: String, user: String = "5", second: DeviceTime?) -> String? {
      LostTime.text(
        ofDigest: AppDigest.make(pictureDigest: picture, created: created, user: "5"),
        pictureDigest: picture, user: user, second: second, zone: prague)
    }
    for created in [
      "2023-06-01T12:34:56.789+02:00", "2023-06-01T12:34:56.000+02:00",
      "2023-06-01T11:34:56.001+01:00", "2023-06-01T10:34:56.999Z", "2023-06-01 12:34:56",
      "2023-06-01 10:34:56", "2023-06-01 00:34:56", "2023-06-01 16:19:56", "0",
      "2023-06-01 12:34:56 PM", "2023-06-01 2:34:56\u{202F}PM", "2023-06-01 12:34:56\u{A0}AM",
    ] {
      #expect(found(created, second: second) == created)
    }
    #expect(found("0", second: nil) == "0")
    #expect(found("2023-06-01 12:34:56", second: nil) == nil)
    #expect(found("2023-06-01 12:34:56", user: "6", second: second) == nil)
    for other in ["2023-06-01 12:34:57", "2023-06-01T12:34:56+02:00", "yesterday", ""] {
      #expect(found(other, second: second) == nil)
    }
    for digest in ["", "abc", String(repeating: "x", count: 64)] {
      #expect(
        LostTime.text(
          ofDigest: digest, pictureDigest: picture, user: "5", second: second, zone: prague) == nil)
    }
  }

  @Test(
    "a photo that the dump has twice comes once; one of the same bytes at another time is another one"
  )
  func twice() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder, adding: PredecessorService.whereNoPhoneIsServed)
      var older = try OlderOffice(folder)
      older.add(
        "photo", older.rows.first { $0.table == "photo" }?.columns.joined(separator: " ") ?? "",
        [
          OlderOffice.photo(120, task: 17), OlderOffice.photo(121),
          OlderOffice.photo(
            122, task: 18, digest: try OlderOffice.digest(125, "2023-06-01 12:34:56")),
          OlderOffice.photo(
            123, task: 19, created: "2023-06-01 10:40:00",
            digest: try OlderOffice.digest(125, "2023-06-01 12:40:00")),
        ])
      for number in 120...123 {
        try older.put(
          try OfficeScene.picture(number < 122 ? 120 : 125), at: "2/11/image_\(number).jpeg")
      }
      try older.write()
      let first = try await older.carryOver(to: scene.office)
      #expect(
        try await scene.office.carriedIdentifier(.photo, 120)
          == scene.office.carriedIdentifier(.photo, 121))
      #expect(first.lines.contains { $0.number == 121 && $0.remark == .photoTwice })
      // Another digest is over another time: somebody has sent one picture for two tasks.
      #expect(
        try await scene.office.carriedIdentifier(.photo, 122)
          != scene.office.carriedIdentifier(.photo, 123))
      for number: Int64 in [18, 19] {
        let task = try await scene.office.carriedIdentifier(.task, number)
        #expect(
          try await scene.office.review.view(of: task, in: "agentura-zapad").photos.count == 1)
      }
      #expect(try await scene.office.operation.differences().isEmpty)
      let again = try await older.carryOver(to: scene.office)
      #expect(again.summary.counts[.photos]?.carried == 0)
    }
  }
}
