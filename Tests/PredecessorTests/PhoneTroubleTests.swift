import Evidence
import Foundation
import Inspection
import OfficeScenes
import Store
import Sync
import TestSupport
import Testing

@testable import Office
@testable import OfficePages
@testable import Predecessor

@Suite("What the apps stumble over", .timeLimit(.minutes(5)))
struct PhoneTroubleTests {
  @Test(
    "paths that cannot be told are words in the place of the list: Android's waits for ever else")
  func paths() async throws {
    try await withPhones { phones, site in
      let app = PhoneApp(kind: .android, site: site)
      let answer = try await app.call("get_paths", [("user_id", "4711")])
      #expect(answer.word == "ok")
      let words = try #require(answer["paths"]?.text)
      #expect(!words.isEmpty && answer.message == words)
      // A phone with a login gets a list, which is empty if there are no paths.
      let user = try await app.logIn()
      let list = try await app.call("get_paths", [("user_id", user)])
      #expect(list["paths"]?.elements == [])
    }
  }

  @Test("an array of photos without any is no photos, and the status is taken")
  func noPhotos() async throws {
    try await withPhones { phones, site in
      let order = try await phones.scene.order()
      let app = PhoneApp(kind: .android, site: site)
      let user = try await app.logIn()
      let task = try #require(try await app.tasks(user: user).first?["id"]?.text)
      for photos in ["[]", " [ ] "] {
        let answer = try await app.call(
          "update",
          [("photos", photos), ("task_id", task), ("user_id", user), ("status", "open")])
        #expect(answer.word == "ok")
      }
      #expect(try await phones.office.review.view(of: order.id, in: "north").task.state == .open)
      let broken = try await app.call(
        "update", [("photos", "[1]"), ("task_id", task), ("user_id", user), ("status", "open")])
      #expect(broken.message == "photos json decode error")
    }
  }

  @Test("a photo that is sent on several connections at once is one photo and one file")
  func atOnce() async throws {
    try await withPhones { phones, site in
      let app = PhoneApp(kind: .android, site: site)
      let user = try await app.logIn()
      let json = app.photo(try OfficeScene.picture(3), user: user)
      let numbers = try await withThrowingTaskGroup(of: Int.self, returning: [Int].self) {
        group in
        for _ in 0..<6 {
          group.addTask {
            let answer = try await app.send(json, user: user)
            return try #require(answer["photo_id"]?.wholeNumber)
          }
        }
        var numbers: [Int] = []
        for try await number in group { numbers.append(number) }
        return numbers
      }
      #expect(numbers.count == 6)
      #expect(Set(numbers).count == 1)
      let photos = try await phones.office.database.read(in: "north") {
        try $0.photos.list(.standalone)
      }
      #expect(photos.count == 1)
      #expect(try await phones.office.operation.differences().isEmpty)
      let left = try FileManager.default.contentsOfDirectory(atPath: phones.service.desk.folder)
      #expect(left.isEmpty, "\(left)")
    }
  }

  @Test("a path of more values than anybody walks is refused before it is read")
  func manyValues() async throws {
    try await withPhones { _, site in
      let app = PhoneApp(kind: .all, site: site)
      let user = try await app.logIn()
      let flood = "[" + String(repeating: "0,", count: 1_000_001) + "0]"
      let answer = try await app.call(
        "path", [("user_id", user), ("name", "a"), ("points", flood)])
      #expect(answer.message == "points json decode error")
    }
  }
}
