import AsyncHTTPClient
import Evidence
import FieldUnit
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

@Suite("What phones are given and may take", .timeLimit(.minutes(5)))
struct PhoneLimitsTests {
  @Test("Android goes on after each refusal of its paths, and shows why")
  func refusedPaths() async throws {
    try await withPhones { phones, site in
      let app = PhoneApp(kind: .android, site: site)
      let user = try await app.logIn()
      /// Returns the message that the app shows: it never comes back from an "error", and would
      /// take a list for all paths.
      func shown(_ app: PhoneApp, _ fields: [(String, String)]) async throws -> String? {
        let answer = try await app.call("get_paths", fields)
        #expect(answer.word == "ok" && answer["paths"]?.elements == nil)
        #expect(answer["paths"]?.text == answer.message)
        return answer.message
      }
      #expect(try await shown(app, []) == PhoneRefusal.missingUser.text)
      #expect(try await shown(app, [("user_id", "4711")]) == PhoneRefusal.loginEnded.text)
      let lost = PhoneApp(kind: .android, site: site, secret: "nobodys-secret-address")
      #expect(try await shown(lost, [("user_id", user)]) == PhoneRefusal.unknownService.text)
      let flood = String(repeating: "x", count: 300_000)
      #expect(try await shown(app, [("user_id", flood)]) == PhoneRefusal.tooLarge.text)
      var change = PhoneServiceChange()
      change.requests = (0.001, 1)
      _ = try await phones.office.phones.changePhoneService(of: "north", change, by: "test")
      #expect(try await app.call("get_paths", [("user_id", user)])["paths"]?.elements == [])
      #expect(try await shown(app, [("user_id", user)]) == PhoneRefusal.tooOften.text)
    }
  }

  @Test("an area that is no number is told as none", arguments: ["NaN", "inf", "-Infinity", "x"])
  func areas(_ area: String) async throws {
    try await withPhones { phones, site in
      let app = PhoneApp(kind: .android, site: site)
      let user = try await app.logIn()
      let sent = try await app.call(
        "path", [("user_id", user), ("area", area), ("points", "[{\"lat\":50,\"lng\":14}]")])
      #expect(sent.word == "ok")
      let listed = try await app.call("get_paths", [("user_id", user)])
      #expect(listed["paths"]?.elements?.first?["area"]?.text == "0")
    }
  }

  @Test("`open` without a note keeps the note of a task that nobody has opened")
  func openKeepsNote() async throws {
    try await withPhones { phones, site in
      let order = try await phones.scene.order()
      let app = PhoneApp(kind: .android, site: site)
      let user = try await app.logIn()
      let task = try #require(try await app.tasks(user: user).first?["id"]?.text)
      try await phones.office.database.write(in: "north") {
        try $0.tasks.setNote("the gate is shut", of: order.id)
      }
      for script in ["update", "status"] {
        let answer = try await app.call(
          script, [("task_id", task), ("user_id", user), ("status", "open"), ("note", "")])
        #expect(answer.word == "ok")
        let now = try await phones.office.review.view(of: order.id, in: "north").task
        #expect(now.state == .open && now.note == "the gate is shut")
      }
      #expect(try await app.tasks(user: user).first?["note"]?.text == "the gate is shut")
    }
  }

  @Test("a number without a login is refused at the body's beginning, whatever comes behind it")
  func unknownUser() async throws {
    try await withPhones { phones, site in
      let app = PhoneApp(kind: .iOS, site: site)
      let user = try await app.logIn()
      let flood = "{\"x\":\"\(String(repeating: "x", count: 900_000))\"}"
      for script in ["photo", "update"] {
        let field = script == "photo" ? "photo" : "photos"
        func heard(_ user: String, _ json: String) async throws -> String? {
          try await app.call(script, [("user_id", user), (field, json)]).message
        }
        // The login's end is the whole answer: nobody reads the rest of the body.
        let many = String(repeating: flood + ",", count: 3)
        #expect(try await heard("4711", "[\(many)\(flood)]") == PhoneRefusal.loginEnded.text)
        #expect(try await heard(user, "[\(many)\(flood)]") == PhoneRefusal.tooLarge.text)
        #expect(try await heard("", "[\(flood)]") != PhoneRefusal.loginEnded.text)
      }
      let left = try FileManager.default.contentsOfDirectory(atPath: phones.service.desk.folder)
      #expect(left.isEmpty, "\(left)")
    }
  }

  @Test(
    "a photo for which the disk has no room is refused before it is looked at; a status is taken")
  func fullDisk() async throws {
    let space = PlannedSpace(PhoneScene.reserveBytes - 1)
    try await withPhones(space: space) { phones, site in
      let order = try await phones.scene.order()
      let app = PhoneApp(kind: .android, site: site)
      let user = try await app.logIn()
      let task = try #require(try await app.tasks(user: user).first?["id"]?.text)
      let none = "{\"photo\":\"\(String(repeating: "*", count: 50_000))\"}"
      let refused = try await app.send(none, user: user, task: task)
      #expect(refused.message?.contains("its disk is nearly full") == true)
      let points = String(repeating: "{},", count: 50_000)
      let path = try await app.call("path", [("user_id", user), ("points", "[\(points)")])
      #expect(path.message?.contains("its disk is nearly full") == true)
      let opened = try await app.call(
        "update", [("task_id", task), ("user_id", user), ("status", "open")])
      #expect(opened.word == "ok")
      #expect(try await phones.office.review.view(of: order.id, in: "north").task.state == .open)
      space.become(PhoneScene.reserveBytes)
      phones.later(hours: 1)
      #expect(
        try await app.send(none, user: user, task: task).message == PhoneRefusal.photoNotJPEG.text)
    }
  }

  @Test("what is kept of a form has one bound for all fields and for all photos")
  func bounds() throws {
    func isTooLarge(_ body: String) throws -> Bool {
      try withTemporaryDirectory { folder in
        let reader = PhoneBodyReader(photoFields: ["photos"]) {
          PhotoObjectReader(fieldBytesAtMost: 1000, elementsAtMost: 3) {
            PictureSpool(file: SpoolFile(path: folder.path + "/picture"), bytesAtMost: 1000)
          }
        }
        Array(body.utf8).withUnsafeBytes { reader.append($0) }
        reader.finish()
        return reader.isTooLarge || reader.photos?.isTooLarge == true
      }
    }
    func photos(_ count: Int, of bytes: Int) -> String {
      let photo = "{\"a\":\"\(String(repeating: "x", count: bytes))\"}"
      return "photos=[\(Array(repeating: photo, count: count).joined(separator: ","))]"
    }
    #expect(try !isTooLarge(photos(3, of: 300)))
    #expect(try isTooLarge(photos(3, of: 340)))
    #expect(try isTooLarge(photos(4, of: 1)))
    func fields(_ count: Int) -> String {
      let value = String(repeating: "x", count: 60_000)
      return (0..<count).map { "f\($0)=\(value)" }.joined(separator: "&")
    }
    #expect(try !isTooLarge(fields(4)))
    #expect(try isTooLarge(fields(5)))
    // The limit counts every value, although only the last one of a name is used.
    #expect(try isTooLarge(Array(repeating: fields(1), count: 5).joined(separator: "&")))
  }

  @Test("lists tell of whole photos that are not hidden, by numbers that stay; they are only read")
  func lists() async throws {
    try await withPhones { phones, site in
      _ = try await phones.scene.order()
      let (unit, task) = try await phones.scene.working(photos: 2)
      try unit.provideTask(task.id)
      #expect(try await unit.delivery.deliver(over: phones.scene.link).waiting == 0)
      let app = PhoneApp(kind: .all, site: site)
      let user = try await app.logIn()
      let igor = try await app.logIn("igor")
      var sent: [String] = []
      for number in 0..<3 {
        let json = app.photo(
          try OfficeScene.picture(number), user: user,
          created: "2026-06-01T11:20:0\(number).000+02:00")
        let answer = try await app.send(json, user: user)
        sent.append("\(try #require(answer["photo_id"]?.wholeNumber))")
      }
      _ = try await app.send(app.photo(try OfficeScene.picture(7), user: igor), user: igor)
      let photos = try await phones.office.database.read(in: "north") {
        try $0.photos.list(.standalone)
      }
      let second = try #require(
        photos.first { $0.photo.deviceTime.rfc3339 == "2026-06-01T09:20:01.000Z" })
      try await phones.office.database.write(in: "north") {
        try $0.photos.setHidden(phones.scene.clock.deviceTime, second.photo)
      }
      func listed(_ user: String) async throws -> (tasks: [[String]], alone: [String]) {
        let tasks = try await app.tasks(user: user).map {
          ($0["photos_ids"]?.elements ?? []).compactMap(\.text)
        }
        let alone = try await app.call("unassigned", [("user_id", user)])
        return (tasks, (alone["photos_ids"]?.elements ?? []).compactMap(\.text))
      }
      let first = try await listed(user)
      #expect(first.tasks.map(\.count) == [2] && Set(first.tasks[0]).count == 2)
      #expect(first.alone == [sent[0], sent[2]])
      let others = try await listed(igor)
      #expect(others.tasks.isEmpty && others.alone.count == 1)
      // The phone lists them in the order of the officers' pages.
      let order = try await phones.office.review.view(of: task.id, in: "north").photos.map(
        \.photo.id)
      let numbers = try await phones.office.database.read(in: "north") { session in
        try order.compactMap {
          try session.phones.phoneNumber(.photo, of: $0.description).map { "\($0)" }
        }
      }
      #expect(first.tasks == [numbers])
      // Another write runs all the while.
      let release = DispatchSemaphore(value: 0)
      await withCheckedContinuation { (begun: CheckedContinuation<Void, Never>) in
        Task.detached {
          try? await phones.office.database.write(in: "south") { _ in
            begun.resume()
            release.wait()
          }
        }
      }
      defer { release.signal() }
      let again = try await listed(user)
      #expect(again.tasks == first.tasks && again.alone == first.alone)
    }
  }
}
