import AsyncHTTPClient
import Evidence
import Foundation
import Inspection
import OfficeScenes
import Positioning
import Store
import Sync
import TestSupport
import Testing
import TimeAndText

@testable import Office
@testable import OfficePages
@testable import Predecessor
@testable import Web

/// The apps' surprising use of the answers that they get.
@Suite(
  "Phones that send back what they have fetched, and that bear few errors", .timeLimit(.minutes(5)))
struct PhoneResendTests {
  /// Returns a photo as an app keeps it after fetching: with its time written anew, from whole
  /// seconds, and with the digest that came with it.
  private static func fetched(
    _ number: String, _ app: PhoneApp, user: String, created: String
  ) async throws -> String {
    let answer = try await app.call("get_photo", [("photo_id", number)])
    let photo = try #require(answer["photo"])
    let bytes = try #require(Data(base64Encoded: photo["photo"]?.text ?? ""))
    let own = AppDigest.make(
      pictureDigest: Digest.hexadecimal(Array(bytes)), created: created, user: user)
    return app.photo(Array(bytes), user: user, created: created)
      .replacingOccurrences(of: own, with: try #require(photo["digest"]?.text))
  }

  @Test("a photo that Android has fetched, and writes the time of otherwise, is the same photo")
  func fetchedByAndroid() async throws {
    try await withPhones { phones, site in
      let order = try await phones.scene.order()
      let app = PhoneApp(kind: .android, site: site)
      let user = try await app.logIn()
      let task = try #require(try await app.tasks(user: user).first?["id"]?.text)
      let first = try await app.send(
        app.photo(try OfficeScene.picture(1), user: user, created: "2026-06-01T11:20:00.123+02:00"),
        user: user, task: task)
      let number = try #require(first["photo_id"]?.wholeNumber)
      let json = try await Self.fetched(
        "\(number)", app, user: user, created: "2026-06-01T11:20:00.000+02:00")
      let again = try await app.send(json, user: user, task: task)
      #expect(again["photo_id"]?.wholeNumber == number)
      #expect(try await phones.office.review.view(of: order.id, in: "north").photos.count == 1)
      // Other bytes are another photo.
      let other = app.photo(try OfficeScene.picture(2), user: user)
      #expect(
        try await app.send(other, user: user, task: task)["photo_id"]?.wholeNumber != number)
    }
  }

  @Test(
    "a field unit's photo that a phone has fetched and sends back stays the one that was sealed")
  func fetchedOfFieldUnit() async throws {
    try await withTemporaryDirectory { folder in
      let phones = try await PhoneScene(folder)
      let things = try await phones.scene.delivered("ines", on: "tablet", task: "Beet")
      try await phones.decide(.returnToInspector, things.task, reason: "closer")
      try await withSite(phones.office) { site in
        let app = PhoneApp(kind: .android, site: site)
        let user = try await app.logIn()
        let listed = try #require(try await app.tasks(user: user).first)
        let task = try #require(listed["id"]?.text)
        let number = try #require(listed["photos_ids"]?.elements?.first?.text)
        let alone = try #require(
          try await app.call("unassigned", [("user_id", user)])["photos_ids"]?.elements?.first?.text
        )
        let created = "2026-06-01T11:20:00.000+02:00"
        for (photo, task) in [(number, task), (alone, nil)] {
          let json = try await Self.fetched(photo, app, user: user, created: created)
          let answer = try await app.send(json, user: user, task: task)
          #expect(answer["photo_id"].flatMap(\.wholeNumber).map(String.init) == photo)
        }
        let view = try await phones.office.review.view(of: things.task, in: "north")
        #expect(view.photos.map(\.photo.origin) == [.camera])
      }
    }
  }

  @Test("a refused comm_unassigned has a list, and a refused comm_get_paths its words for one")
  func bearable() async throws {
    try await withPhones { _, site in
      let app = PhoneApp(kind: .all, site: site)
      let ended = PhoneRefusal.loginEnded.text
      let unassigned = try await app.call("unassigned", [("user_id", "5")])
      #expect(unassigned.word == "error" && unassigned.message == ended)
      #expect(unassigned["photos_ids"]?.elements == [])
      // The answer has this form before any script runs, and at an address that serves nobody, too.
      for path in [
        app.path("unassigned") + "?user_id=%zz", "/no-agencys-address/ws/comm_unassigned.php",
      ] {
        let answer = try JSONValue(parsing: try await site.send("POST", path).bytes)
        #expect(answer.word == "error" && answer["photos_ids"]?.elements == [], "\(path)")
      }
      for path in [
        app.path("get_paths") + "?user_id=%zz", "/no-agencys-address/ws/a/comm_get_paths.php",
      ] {
        let answer = try JSONValue(parsing: try await site.send("POST", path).bytes)
        #expect(answer.word == "ok" && answer["paths"]?.text?.isEmpty == false, "\(path)")
      }
    }
  }

  @Test("a large answer is owed for: the next one waits for as long as it is worth")
  func owed() async throws {
    try await withPhones { phones, site in
      var change = PhoneServiceChange()
      change.requests = (1, 20)
      _ = try await phones.office.phones.changePhoneService(of: "north", change, by: "test")
      let app = PhoneApp(kind: .iOS, site: site)
      let user = try await app.logIn()
      for index in 0..<8 {
        let json = app.photo(
          try OfficeScene.picture(index), user: user, created: "2026-06-01 09:20:0\(index)")
        #expect(try await app.send(json, user: user).word == "ok")
      }
      // Eight requests sent photos; each answer with eight photos counts as eight more.
      #expect(try await app.call("task_photos", [("user_id", user)]).word == "ok")
      #expect(try await app.call("task_photos", [("user_id", user)]).word == "ok")
      #expect(
        try await app.call("task_photos", [("user_id", user)]).message == PhoneRefusal.tooOften.text
      )
      phones.later(hours: 4.0 / 3600)
      #expect(
        try await app.call("tasks", [("user_id", user)]).message == PhoneRefusal.tooOften.text)
      phones.later(hours: 2.0 / 3600)
      #expect(try await app.call("tasks", [("user_id", user)]).word == "ok")
      #expect(
        try FileManager.default.contentsOfDirectory(atPath: phones.service.desk.folder) == [])
    }
  }

  @Test("of many guesses at once no more are looked at than may be")
  func guessesAtOnce() async throws {
    try await withPhones { _, site in
      for number in 0..<57 {
        _ = try await site.send("POST", "/guessed-address-\(10_000 + number)/ws/comm_tasks.php")
      }
      let answers = try await withThrowingTaskGroup(of: String?.self) { group in
        for number in 0..<20 {
          group.addTask {
            let pair = Data("nobody\(number):guess".utf8).base64EncodedString()
            let answer = try await site.send(
              "POST", "/ws/comm_tasks.php", [("Authorization", "Basic \(pair)")])
            return try JSONValue(parsing: answer.bytes).message
          }
        }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      #expect(answers.count { $0 == PhoneRefusal.tooOften.text } >= 17, "\(answers)")
    }
  }

  @Test("any network is one for both kinds of addresses, whichever of the two it was chosen for")
  func anyNetwork() throws {
    var service = PhoneService(agency: "north", changed: DeviceTime(millisecondsSince1970: 0))
    service.networkBits4 = 24
    service.networkBits6 = 0
    for (address, isAsLarge) in [("2001:db8::1", true), ("192.0.2.1", true)] {
      let network = PhoneNetwork(around: address, bits4: 24, bits6: 0)
      #expect(try #require(PhoneNetwork(text: network.text)).isAsLarge(as: service) == isAsLarge)
    }
    service.networkBits6 = 64
    #expect(try #require(PhoneNetwork(text: "00000000/0")).isAsLarge(as: service) == false)
  }
}
