import Evidence
import Foundation
import Geodesy
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

/// The data of two agencies, on its way from a dump and a folder of pictures to the officers'
/// pages.
@Suite("An older office is carried over", .timeLimit(.minutes(5)))
struct CarryOverTests {
  private func withOffices(
    _ body: (OfficeScene, OlderOffice) async throws -> Void
  ) async throws {
    try await withTemporaryDirectory { folder in
      try await body(
        try await OfficeScene(folder, adding: PredecessorService.whereNoPhoneIsServed),
        try OlderOffice(folder))
    }
  }

  private func count(
    _ rows: Int, carried: Int = 0, here: Int = 0, deleted: Int = 0, passed: Int = 0, left: Int = 0
  ) -> CarryOverCount {
    var count = CarryOverCount()
    (count.rows, count.carried, count.here) = (rows, carried, here)
    (count.deleted, count.passed, count.left) = (deleted, passed, left)
    return count
  }

  @Test("agencies and people come with their names, roles and states; who cannot is named")
  func people() async throws {
    try await withOffices { scene, older in
      let (summary, lines) = try await older.carryOver(to: scene.office)
      #expect(summary.counts[.agencies] == count(3, carried: 2, passed: 1))
      #expect(summary.counts[.users] == count(7, carried: 5, passed: 1, left: 1))
      #expect(
        try await scene.office.people.agencies().filter { !["north", "south"].contains($0.name) }
          .map {
            "\($0.name) \($0.title)"
          } == ["acores Açores", "agentura-zapad Agentura Západ"])
      let people =
        try await scene.office.people.accounts(ofAgency: "agentura-zapad")
        + scene.office.people.accounts(ofAgency: "acores")
      #expect(
        people.map {
          "\($0.login) \($0.role.rawValue) \($0.title)\($0.disabled == nil ? "" : " disabled")"
        } == [
          "eva inspector Eva disabled", "jan inspector Jan O'Novák", "olda officer Olda",
          "jan-14 inspector jan-14", "jo-o-x inspector João Silva",
        ])
      func codes(_ number: Int64) -> [CarryOverRemark] {
        lines.filter { $0.table == "user" && $0.number == number }.map(\.remark)
      }
      #expect(codes(10) == [.superAdministrator])
      #expect(codes(13) == [.loginChanged] && codes(14) == [.loginChanged])
      #expect(codes(15) == [.passwordMissing] && codes(16) == [.roleUnknown] && codes(11) == [])
      #expect(lines.contains { $0.table == "pa" && $0.remark == .adminAgency && $0.number == 1 })
      #expect(lines.count { $0.remark == .columnsLeftOut } == 2)
      for account in people {
        let stored = try await scene.office.database.readRegistry {
          try $0.account(account.login)?.password
        }
        let text = try #require(stored)
        #expect(text == "none" || text.hasPrefix("sha1+scrypt$"), "\(account.login)")
        #expect(!text.contains(OlderOffice.sha1(OlderOffice.password)))
      }
    }
  }

  @Test("tasks stand where they stood, and their history says what was said of them there")
  func tasks() async throws {
    try await withOffices { scene, older in
      let (summary, lines) = try await older.carryOver(to: scene.office)
      #expect(summary.counts[.tasks] == count(8, carried: 7, deleted: 1))
      func task(_ number: Int64, in agency: String = "agentura-zapad") async throws
        -> InspectionTask
      {
        let id = try await scene.office.carriedIdentifier(.task, number, in: agency)
        return try await scene.office.database.read(in: agency) { try $0.tasks.task(id) }
      }
      let states: [(Int64, TaskState)] = [
        (17, .accepted), (18, .returned), (19, .new), (21, .dataProvided), (23, .declined),
        (24, .open),
      ]
      for (number, state) in states {
        let task = try await task(number)
        #expect(task.state == state, "\(number)")
        #expect(task.inspector == "jan" && task.name == "Task \(number)")
        #expect(task.type == "Crop check" && task.note == "done & dusted")
        #expect(task.instructions == "Photograph; it's \"beet\"\nwell")
        // The dump has summer time in Prague, and the last second of a day there.
        #expect(task.created.rfc3339 == "2023-05-01T09:20:00.000Z")
        #expect(task.due?.rfc3339 == "2023-07-01T21:59:59.000Z")
        #expect(task.history.allSatisfy { $0.person.login == "terminal" })
        #expect(task.history.last?.to ?? .new == state)
        if let first = task.history.first {
          let reason = try #require(first.reason)
          #expect(reason.hasPrefix("EGNSS4CAP-\(number): status = "))
          #expect(reason.contains("date_created = 2023-05-01 11:20:00"))
          #expect(reason.contains("timestamp = 2023-06-02 08:00:00"))
        }
      }
      #expect(
        try await task(17).history.first?.reason?.contains("flag valid = 2023-06-05 10:00:00")
          == true)
      #expect(try await task(18).returnReason == "Too dark.")
      #expect(try await task(23).history.last?.reason == "Not that parcel.")
      #expect(try await task(22, in: "acores").state == .dataProvided)
      #expect(try await scene.office.carried(.task, 20) == nil)
      #expect(
        lines.filter { $0.table == "task" }.map { "\($0.number ?? 0) \($0.remark.rawValue)" } == [
          "17 decisions-contradict", "21 decision-missing",
        ])
      // An officer finds a task by its old number; another agency does not.
      func found(_ text: String, in agency: String) async throws -> [String] {
        try await scene.office.review.tasks(in: agency, TaskFilter(text: text)).map(\.name)
      }
      #expect(try await found("EGNSS4CAP-17", in: "agentura-zapad") == ["Task 17"])
      #expect(try await found("EGNSS4CAP-17", in: "acores").isEmpty)
      #expect(try await found("EGNSS4CAP-1", in: "agentura-zapad").isEmpty)
    }
  }

  @Test("photos keep their bytes and every column, and are checked as a phone's are")
  func photos() async throws {
    try await withOffices { scene, older in
      let office = scene.office
      let (summary, lines) = try await older.carryOver(to: office)
      #expect(summary.counts[.photos] == count(10, carried: 5, deleted: 1, passed: 1, left: 3))
      #expect(summary.digests.brought == 3 && summary.digests.held == 2)
      #expect(
        lines.filter { $0.table == "photo" }.map { "\($0.number ?? 0) \($0.remark.rawValue)" } == [
          "106 picture-missing", "105 task-deleted", "108 picture-unusable", "109 place-missing",
          "110 task-missing",
        ])
      #expect(summary.examined == 5)
      let id = try await office.carriedIdentifier(.photo, 101)
      let (photo, phone, carried) = try await office.database.read(in: "agentura-zapad") {
        session in
        (
          try session.photos.photo(id), try #require(try session.phones.phonePhoto(id)),
          try #require(try session.phones.carriedOver(.photo, subject: id.description))
        )
      }
      let picture = try OfficeScene.picture(101)
      #expect(try office.photos.bytes(of: EvidenceName.file(.capture, id)) == picture)
      #expect(photo.photo.origin == .egnss4cap && photo.verdict == .incomplete)
      #expect(photo.photo.inspector == "jan" && photo.photo.note == "řepa & \"len\"")
      #expect(photo.photo.task == (try await office.carriedIdentifier(.task, 17)))
      #expect(photo.photo.deviceTime.rfc3339 == "2023-06-01T10:34:56.000Z")
      #expect(photo.photo.position.coordinate.latitudeDegrees == 49.08)
      #expect(photo.photo.position.ellipsoidalHeightMetres == 231.2)
      #expect(photo.photo.orientation?.headingDegreesMagnetic == 123.4)
      // The app's own words for the time were found again by its digest.
      #expect(phone.created == OlderOffice.android && phone.digestHolds == true)
      #expect(phone.userNumber == "11")
      let fields = PhoneFields(text: phone.fields)
      #expect(
        fields.json["lat"]?.text == "49.080000" && fields.json["centroidLat"]?.text == "49.080001")
      #expect(fields.computedPositions.map(\.name) == ["GpsL1"] && fields.carrierToNoise == [38.5])
      let facts = try JSONValue(parsing: Array(carried.facts.utf8))
      #expect(facts["flg_original"]?.text == "1" && facts["nmea_distance"]?.text == "12.25")
      #expect(facts["created"]?.text == "2023-06-01 10:34:56")
      #expect(facts["rotation_correction"]?.text == "90" && facts["lat"] == nil)
      func check(_ number: Int64) async throws -> PhotoCheck? {
        let id = try await office.carriedIdentifier(.photo, number)
        return try await office.database.read(in: "agentura-zapad") { try $0.photos.photo(id) }
          .checks
          .first { $0.name == .appDigest }
      }
      #expect(try await check(101)?.outcome == .agrees)
      #expect(try await check(102)?.outcome == .agrees)
      let lost = try #require(try await check(103))
      #expect(lost.outcome == .notCheckable && lost.reason == .lostAppTime)
      // Photos without a task belong to their user.
      for number: Int64 in [103, 110] {
        let id = try await office.carriedIdentifier(.photo, number)
        let photo = try await office.database.read(in: "agentura-zapad") { try $0.photos.photo(id) }
          .photo
        #expect(photo.task == nil && photo.inspector == "jan")
      }
      let west = try await office.carriedIdentifier(.photo, 107, in: "acores")
      let place = try await office.database.read(in: "acores") { try $0.photos.photo(west) }.photo
        .position
      #expect(place.coordinate.longitudeDegrees == -25.675594)
      #expect(try await office.operation.differences().isEmpty)
    }
  }

  @Test("paths keep the order of their points, and parcels their holes and their side of the world")
  func tracksAndParcels() async throws {
    try await withOffices { scene, older in
      let office = scene.office
      let (summary, lines) = try await older.carryOver(to: office)
      #expect(summary.counts[.tracks] == count(4, carried: 2, deleted: 1, left: 1))
      #expect(lines.first { $0.table == "path" }?.remark == .trackEmpty)
      func track(_ number: Int64, in agency: String) async throws -> Track {
        let id = try await office.carriedIdentifier(.track, number, in: agency)
        return try #require(
          try await office.database.read(in: agency) { try office.review.track(id, $0) })
      }
      let track = try await track(201, in: "agentura-zapad")
      #expect(track.points.map(\.coordinate.latitudeDegrees) == [49.0801, 49.0802, 49.0803])
      #expect(track.points.map(\.ellipsoidalHeightMetres) == [231.25, nil, 231.25])
      #expect(track.started.rfc3339 == "2023-06-01T09:00:00.000Z" && track.name == "Edge 201")
      #expect(
        try await self.track(office, 202).points.map(\.coordinate.latitudeDegrees)
          == [37.7412, 37.7414, 37.7413])

      #expect(summary.counts[.parcels] == count(5, carried: 2, left: 3))
      #expect(
        lines.filter { $0.table == "land" }.map { "\($0.number ?? 0) \($0.remark.rawValue)" } == [
          "3 outline-unusable", "4 identifier-twice", "5 identifier-missing",
        ])
      let beet = try await #require(try office.places.parcel("P-1", in: "agentura-zapad")).declared
      #expect(beet.name == "Beet field" && beet.parcel.parts.map(\.holes.count) == [1])
      #expect(
        beet.parcel.rings[0][0] == Coordinate(latitudeDegrees: 49.07, longitudeDegrees: 16.62))
      let west = try await #require(try office.places.parcel("P-2", in: "agentura-zapad")).declared
      #expect(west.parcel.rings[0].allSatisfy { $0.longitudeDegrees < -25 })
      #expect(try await office.places.parcelCount(in: "acores") == 0)
    }
  }

  private func track(_ office: OfficeServer, _ number: Int64) async throws -> Track {
    let id = try await office.carriedIdentifier(.track, number, in: "acores")
    return try #require(
      try await office.database.read(in: "acores") { try office.review.track(id, $0) })
  }

  // MARK: again

  @Test("a second time nothing is written, and the report of what is left out is the same")
  func again() async throws {
    try await withOffices { scene, older in
      let first = try await older.carryOver(to: scene.office)
      func entries() async throws -> Int {
        var count = 0
        try await scene.office.database.readRegistry { try $0.forEachLogEntry { _ in count += 1 } }
        return count
      }
      let (before, names) = (try await entries(), try scene.office.photos.names())
      let second = try await older.carryOver(to: scene.office)
      #expect(try await entries() == before)
      #expect(try scene.office.photos.names() == names)
      for part in CarryOverPart.allCases {
        let (one, other) = (first.summary.counts[part], second.summary.counts[part])
        #expect(other?.carried == 0 && other?.here == one?.carried, "\(part)")
        #expect(other?.left == one?.left && other?.passed == one?.passed, "\(part)")
      }
      let outcomes: [CarryOverRemark.Outcome] = [.left, .passed]
      #expect(
        second.lines.filter { outcomes.contains($0.remark.outcome) }
          == first.lines.filter { outcomes.contains($0.remark.outcome) })
      // Each report names the changed values again: the first one may be lost.
      let changed: (CarryOverLine) -> Bool = { $0.remark.outcome == .changed }
      #expect(second.lines.filter(changed) == first.lines.filter(changed))
      #expect(second.lines.count { $0.remark == .loginChanged } == 2)
    }
  }

  @Test("a look alone says the same, and writes nothing")
  func check() async throws {
    try await withOffices { scene, older in
      let names = try scene.office.photos.names()
      var options = older.options
      options.isCheck = true
      let looked = try await older.carryOver(to: scene.office, options)
      #expect(try await scene.office.people.agencies().count == 2)
      #expect(try await scene.office.people.accounts().count == 7)
      #expect(try scene.office.photos.names() == names)
      #expect(
        try FileManager.default.contentsOfDirectory(
          atPath: scene.office.configuration.folder.appendingPathComponent("staging").path) == [])
      let real = try await older.carryOver(to: scene.office)
      #expect(looked.summary.counts == real.summary.counts)
      #expect(looked.lines == real.lines)
    }
  }

  @Test("wherever it is interrupted, what is there is whole, and the next run brings the rest")
  func interrupted() async throws {
    struct Stop: Error {}
    try await withOffices { scene, older in
      let office = scene.office
      var steps = 0
      while true {
        var left = steps
        do {
          try await older.carryOver(to: office) { progress in
            guard progress.phase != .reading else { return }
            left -= 1
            if left < 0 { throw Stop() }
          }
          break
        } catch is Stop {
          #expect(try await office.operation.differences().isEmpty, "after \(steps) steps")
          for agency in try await office.people.agencies().map(\.name) {
            for task in try await office.review.tasks(in: agency) where task.state == .accepted {
              let view = try await office.review.view(of: task.id, in: agency)
              #expect(view.photos.count == 2 && view.task.history.count == 3)
            }
          }
          // The import is stopped at every third step only, so that the test is quick.
          steps += 3
        }
      }
      #expect(steps > 10)
      let last = try await older.carryOver(to: office)
      #expect(last.summary.counts[.users]?.here == 5 && last.summary.counts[.tasks]?.here == 7)
      #expect(last.summary.counts[.photos]?.here == 5 && last.summary.counts[.tracks]?.here == 2)
      #expect(last.summary.counts[.parcels]?.here == 2)
      #expect(last.summary.counts.values.allSatisfy { $0.carried == 0 })
      #expect(try await office.operation.differences().isEmpty)
    }
  }

  @Test("a newer dump brings what is new; what was worked upon here stays, and is told of")
  func newerDump() async throws {
    try await withOffices { scene, given in
      var older = given
      try await older.carryOver(to: scene.office)
      try older.put(try OfficeScene.picture(106), at: "2/11/image_106.jpeg")
      older.add(
        "task", older.rows.first { $0.table == "task" }?.columns.joined(separator: " ") ?? "",
        [OlderOffice.task(25, "new")])
      // Nobody has worked on task 19 here; somebody has on 24.
      older.change("task", 19, ["status": "data provided", "note": "sent at last"])
      older.change("task", 24, ["status": "data provided"])
      older.change("photo", 101, ["flg_deleted": "1"])
      older.change("user", 14, ["active": "0"])
      try older.write()
      let touched = try await scene.office.carriedIdentifier(.task, 24)
      try await scene.office.database.write(in: "agentura-zapad") { session in
        var task = try session.tasks.task(touched)
        let step = try task.perform(
          .provide, by: Person(agency: "agentura-zapad", login: "jan", role: .inspector),
          id: Identifier(at: scene.clock.deviceTime), at: scene.clock.deviceTime,
          contents: TaskContents(photos: 1))
        try session.tasks.save(step, of: task, revision: task.revision)
        let back = try task.perform(
          .returnToInspector, by: Person(agency: "agentura-zapad", login: "olda", role: .officer),
          id: Identifier(at: scene.clock.deviceTime), at: scene.clock.deviceTime, reason: "dark",
          contents: TaskContents(photos: 1))
        try session.tasks.save(back, of: task, revision: task.revision)
      }
      let (summary, lines) = try await older.carryOver(to: scene.office)
      #expect(summary.counts[.photos]?.carried == 1 && summary.counts[.tasks]?.carried == 1)
      let differs = try #require(lines.first { $0.remark == .taskDiffers })
      #expect(differs.number == 24 && differs.why.contains("returned here"))
      #expect(lines.count { $0.remark == .taskDiffers } == 1)
      #expect(lines.filter { $0.remark == .taskWentOn }.map(\.number) == [19])
      let wentOn = try await scene.office.review.view(
        of: try scene.office.carriedIdentifier(.task, 19), in: "agentura-zapad")
      #expect(wentOn.task.state == .dataProvided && wentOn.task.note == "sent at last")
      #expect(wentOn.task.history.map(\.action) == [.open, .provide])
      #expect(lines.contains { $0.remark == .photoDiffers && $0.number == 101 })
      #expect(lines.contains { $0.remark == .userDiffers && $0.number == 14 })
      let third = try await older.carryOver(to: scene.office)
      #expect(third.lines.count { $0.remark == .taskWentOn } == 0)
      let task = try await scene.office.carriedIdentifier(.task, 18)
      #expect(try await scene.office.review.view(of: task, in: "agentura-zapad").photos.count == 1)
    }
  }

  @Test(
    "the first second of 1970, which stood there for any time that could not be read, is no time")
  func noTime() async throws {
    try await withOffices { scene, given in
      var older = given
      let never = "1970-01-01 00:00:00"
      older.change("photo", 103, ["created": never])
      older.change("path", 201, ["start": never])
      try older.write()
      let (_, lines) = try await older.carryOver(to: scene.office)
      let timeless = lines.filter { $0.remark == .timeUnreadable }.map {
        "\($0.table) \($0.number ?? 0)"
      }
      #expect(timeless.contains("photo 103") && timeless.contains("path 201"))
      let photo = try await scene.office.carriedIdentifier(.photo, 103)
      let received = try await scene.office.database.read(in: "agentura-zapad") {
        try $0.photos.photo(photo)
      }
      #expect(received.photo.deviceTime.rfc3339 == "2023-06-01T10:35:00.000Z")
    }
  }

  @Test("a newer dump's person of the same login is not taken for the one who has it here")
  func anotherJan() async throws {
    try await withOffices { scene, given in
      var older = given
      try await older.carryOver(to: scene.office)
      older.change("user", 11, ["active": "0"])
      older.add(
        "user", older.rows.first { $0.table == "user" }?.columns.joined(separator: " ") ?? "",
        [
          [
            "30", "2", "jan", OlderOffice.sha1("x"), "Jan", "Junior", nil, nil, nil, "1",
            "2023-01-01 00:00:00",
          ]
        ])
      older.add(
        "user_role", "id user_id role_id timestamp", [["30", "30", "1", "2023-01-01 00:00:00"]])
      try older.write()
      try await older.carryOver(to: scene.office)
      let logins = try await scene.office.people.accounts(ofAgency: "agentura-zapad").map(\.login)
      #expect(logins.contains("jan") && logins.contains("jan-30"))
    }
  }

  @Test(
    "a parcel's long description of several lines is its name's beginning, and two agencies' names differ"
  )
  func words() async throws {
    try await withOffices { scene, given in
      var older = given
      older.change(
        "land", 1, ["pa_description": "Beet\n\tfield " + String(repeating: "x", count: 300)])
      older.add(
        "pa", "id name timestamp",
        [
          ["5", "A", "2020-01-03 00:00:00"], ["6", "A", "2020-01-03 00:00:00"],
          ["7", "A 8", "2020-01-03 00:00:00"], ["8", "A", "2020-01-03 00:00:00"],
        ])
      try older.write()
      try await older.carryOver(to: scene.office)
      let name = try await #require(try scene.office.places.parcel("P-1", in: "agentura-zapad"))
        .declared
        .name
      #expect(name?.hasPrefix("Beet field xxx") == true && name?.count == 200)
      let names = try await scene.office.people.agencies().map(\.name).filter {
        $0.hasPrefix("a-") || $0 == "a"
      }
      #expect(Set(names) == ["a", "a-6", "a-8", "a-8-2"], "\(names)")
    }
  }

  // MARK: who sees it

  @Test("officers see from where it came; another agency's see nothing of it")
  func pages() async throws {
    try await withOffices { scene, older in
      let office = scene.office
      var options = older.options
      (options.joins, options.parcelsAgency) = (["2": "north"], "north")
      try await older.carryOver(to: office, options)
      let task = try await office.carriedIdentifier(.task, 17, in: "north")
      let photo = try await office.carriedIdentifier(.photo, 103, in: "north")
      try await withSite(office) { site in
        let otto = site.browser()
        try await otto.signIn("otto")
        let page = try await otto.get("/tasks/\(task)")
        #expect(page.status == 200)
        for words in [
          "This came from an older office as EGNSS4CAP-17", "flag valid = 2023-06-05 10:00:00",
          "Notes of the older office",
        ] {
          #expect(page.body.contains(words), "\(words)")
        }
        let alone = try await otto.get("/photos/\(photo)")
        for words in [
          "EGNSS4CAP-103", "<dt><code>flg_original</code></dt><dd><code>1</code></dd>",
          "No device key sealed it",
          "the older office did not keep the time",
        ] {
          #expect(alone.body.contains(words), "\(words)")
        }
        let sara = site.browser()
        try await sara.signIn("sara")
        for path in ["/tasks/\(task)", "/photos/\(photo)", "/photos/\(photo)/photo.jpg"] {
          #expect(try await sara.get(path).status == 404, "\(path)")
        }
        #expect(!(try await sara.get("/tasks?text=EGNSS4CAP-17").body.contains("Task 17")))
      }
    }
  }
}
