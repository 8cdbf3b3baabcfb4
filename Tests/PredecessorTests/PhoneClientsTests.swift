import AsyncHTTPClient
import Evidence
import Foundation
import Geodesy
import Inspection
import OfficeExporting
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

@Suite("The EGNSS4CAP apps, as they speak", .timeLimit(.minutes(5)))
struct PhoneClientsTests {
  @Test(
    "a task arrives complete, is returned, and is sent again with everything once more",
    arguments: PhoneApp.Kind.allCases)
  func journey(_ kind: PhoneApp.Kind) async throws {
    try await withPhones { phones, site in
      let order = try await phones.scene.order()
      let app = PhoneApp(kind: kind, site: site)
      let user = try await app.logIn()
      #expect((Int64(user) ?? 0) > 1_000_000_000)
      let listed = try #require(try await app.tasks(user: user).first)
      let task = try #require(listed["id"]?.text)
      #expect(listed["status"]?.text == "new" && listed["photos_ids"]?.elements == [])
      #expect(listed["number_of_photos"]?.text == "0" && listed["flag_valid"]?.text == "0")
      #expect(listed["date_created"]?.text == "2026-06-01 09:30:00")
      #expect(listed["task_due_date"]?.text == "2099-12-31 23:59:59")
      if kind != .iOS {
        let opened = try await app.call(
          "update", [("task_id", task), ("user_id", user), ("status", "open")])
        #expect(opened.word == "ok")
      }
      let early = try await app.call(
        "status", [("task_id", task), ("status", "data provided"), ("note", "n")])
      #expect(early.message == "task has no photos")

      let pictures = try (0..<2).map { try OfficeScene.picture($0) }
      var numbers: [Int] = []
      for (index, picture) in pictures.enumerated() {
        let json = app.photo(
          picture, user: user,
          created: kind == .iOS
            ? "2026-06-01 09:20:0\(index)" : "2026-06-01T11:20:0\(index).000+02:00")
        let answer = try await app.send(json, user: user, task: task)
        numbers.append(try #require(answer["photo_id"]?.wholeNumber))
        // The answer was lost: the app sends the photo again after 2.5 s, and it is the same photo.
        phones.later(hours: 2.5 / 3600)
        let again = try await app.send(json, user: user, task: task)
        #expect(again["photo_id"]?.wholeNumber == numbers[index])
      }
      let note = "hotovo & přesně 100 %"
      let provide = [("task_id", task), ("status", "data provided"), ("note", note)]
      #expect(try await app.call("status", provide).word == "ok")
      // The app sends the status again, since it does not know if the first one came: the note
      // stays.
      #expect(
        try await app.call("status", [provide[0], provide[1], ("note", "")]).word == "ok")

      let view = try await phones.office.review.view(of: order.id, in: "north")
      #expect(view.task.state == .dataProvided && view.task.note == note)
      #expect(view.photos.count == 2)
      #expect(view.photos.allSatisfy { $0.photo.origin == .egnss4cap })
      #expect(view.photos.allSatisfy { $0.photo.note == "řepa & \"len\"" })
      let first = try #require(view.photos.first)
      #expect(first.photo.deviceTime.rfc3339 == "2026-06-01T09:20:00.000Z")
      #expect(
        try phones.office.photos.bytes(of: EvidenceName.file(.capture, first.photo.id))
          == pictures[0])

      try await phones.decide(.returnToInspector, order.id, reason: "from the other side")
      let back = try #require(try await app.tasks(user: user).first)
      #expect(back["status"]?.text == "returned")
      #expect(back["text_returned"]?.text == "from the other side")
      #expect(back["photos_ids"]?.elements?.count == 2)
      // Android sends every photo of the task once more, and only then the status.
      for (index, picture) in pictures.enumerated() {
        let json = app.photo(
          picture, user: user,
          created: kind == .iOS
            ? "2026-06-01 09:20:0\(index)" : "2026-06-01T11:20:0\(index).000+02:00")
        let answer = try await app.send(json, user: user, task: task)
        #expect(answer["photo_id"]?.wholeNumber == numbers[index])
      }
      let new = try await app.send(
        app.photo(try OfficeScene.picture(7), user: user), user: user, task: task)
      #expect(new.word == "ok")
      #expect(try await app.call("status", provide).word == "ok")
      #expect(try await phones.office.review.view(of: order.id, in: "north").photos.count == 3)
      // A known photo is answered as before when the task is closed already; a new one is not
      // taken.
      let known = try await app.send(
        app.photo(try OfficeScene.picture(7), user: user), user: user, task: task)
      #expect(known["photo_id"] == new["photo_id"])
      let late = try await app.send(
        app.photo(try OfficeScene.picture(8), user: user), user: user, task: task)
      #expect(late.message == "task is not in editable status")
      // A task that was opened or provided stays so after "open", and its note is not touched.
      _ = try await app.call(
        "update", [("task_id", task), ("user_id", user), ("status", "open")])
      #expect(try await phones.office.review.view(of: order.id, in: "north").task.note == note)
    }
  }

  @Test(
    "photos without a task are listed, fetched whole and shown to officers",
    arguments: PhoneApp.Kind.allCases)
  func unassigned(_ kind: PhoneApp.Kind) async throws {
    try await withPhones { phones, site in
      let app = PhoneApp(kind: kind, site: site)
      let user = try await app.logIn()
      let picture = try OfficeScene.picture(3)
      let answer = try await app.send(app.photo(picture, user: user), user: user)
      let number = try #require(answer["photo_id"]?.wholeNumber)
      let listed = try await app.call("unassigned", [("user_id", user)])
      #expect(listed["photos_ids"]?.elements == [.string("\(number)")])
      let whole = try await app.raw("get_photo", body: app.body([("photo_id", "\(number)")]))
      let photo = try #require(try JSONValue(parsing: whole.bytes)["photo"])
      #expect(photo["lat"]?.text == "49.0801234567" && photo["photo_heading"]?.text == "123.4")
      #expect(photo["created"]?.text == "2026-06-01 09:20:00")
      #expect(photo["note"]?.text == "řepa & \"len\"")
      #expect(Data(base64Encoded: photo["photo"]?.text ?? "") == Data(picture))
      #expect(photo["osnma_enabled"]?.text == (kind == .all ? "1" : nil))
      let names = whole.body.split(separator: "\"").map(String.init)
      let order = ["note", "lat", "lng", "photo_heading", "created", "photo", "digest"]
      #expect(names.filter { order.contains($0) } == ["photo"] + order)
      let all = try await app.call("task_photos", [("user_id", user)])
      #expect(all["photos"]?.elements?.count == 1)
      let wrong = try await app.call("get_photo", [("photo_id", "99999999")])
      #expect(wrong.message == "wrong photo ID")
    }
  }

  @Test(
    "EGNSS4ALL on iOS is served with its folder and without, and reads what the newer apps read",
    arguments: ["/", "//", "/egnss4allservices/"])
  func withoutFolder(_ folder: String) async throws {
    try await withPhones { phones, site in
      let app = PhoneApp(kind: .iOS, site: site, folder: folder)
      let user = try await app.logIn()
      #expect(try await app.tasks(user: user).isEmpty)
      let sent = try await app.send(
        app.photo(try OfficeScene.picture(3), user: user, more: ",\"osnmaEnabled\":1"), user: user)
      let number = try #require(sent["photo_id"]?.wholeNumber)
      let whole = try await app.call("get_photo", [("photo_id", "\(number)")])
      #expect(whole["photo"]?["osnma_enabled"]?.text == "1")
      // Every script is there.
      for script in PhoneScripts.Script.allCases {
        let answer = try await app.raw(script.rawValue, body: "")
        #expect(try JSONValue(parsing: answer.bytes).message != "unknown script", "\(script)")
      }
      // The office's own addresses with as many parts stay its own.
      for path in ["/tasks/comm_login.php", "/photos/comm_tasks.php"] {
        let answer = try await site.send("GET", path)
        #expect(answer.header("Content-Type") != PhoneScripts.mediaType, "\(path)")
      }
    }
  }

  @Test(
    "a path is kept with every digit, sent twice is one path, and comes back",
    arguments: PhoneApp.Kind.allCases)
  func paths(_ kind: PhoneApp.Kind) async throws {
    try await withPhones { phones, site in
      let app = PhoneApp(kind: kind, site: site)
      let user = try await app.logIn()
      let points =
        "[{\"lat\":50.100100000000005,\"lng\":14.4,\"altitude\":null,\"accuracy\":2.5,\"created\":\"2026-06-01 12:00:00\"},"
        + "{\"lat\":50.1002,\"lng\":14.4001,\"created\":\"2026-06-01 12:00:01\"}]"
      // The iOS app encodes the values of a path, too.
      let body = [
        ("user_id", user), ("name", "Edge"), ("start", "2026-06-01 12:00:00"),
        ("end", "2026-06-01 12:00:01"), ("area", "123.0"), ("points", points),
      ].map { "\($0.0)=\(OfficeBrowser.encoded($0.1))" }.joined(separator: "&")
      let first = try JSONValue(parsing: try await app.raw("path", body: body).bytes)
      let number = try #require(first["path_id"]?.wholeNumber)
      let again = try JSONValue(parsing: try await app.raw("path", body: body).bytes)
      #expect(again["path_id"]?.wholeNumber == number)
      let listed = try await app.call("get_paths", [("user_id", user)])
      let path = try #require(listed["paths"]?.elements?.first)
      #expect(listed["paths"]?.elements?.count == 1)
      #expect(path["id"]?.text == "\(number)" && path["area"]?.text == "123")
      #expect(path["start"]?.text == "2026-06-01 12:00:00" && path["device_model"] == .null)
      let point = try #require(path["points"]?.elements?.first)
      #expect(point["lat"]?.text == "50.100100000000005" && point["altitude"] == .null)
      // The office has the path as one of its own tracks.
      let id = try #require(
        try await phones.office.database.read(in: "north") {
          try $0.tracks.identifiers(.standalone)
        }
        .first)
      let track = try #require(
        try await phones.office.database.read(in: "north") {
          try phones.office.review.track(id, $0)
        })
      #expect(track.points.count == 2 && track.inspector == "ines")
      for (points, message) in [
        ("[]", "no points in the path"), ("[{", "points json decode error"),
        ("", "missing mandatory data"),
        ("[{\"lat\":1}]", "a point of the path has no position: it was not stored"),
      ] {
        let refused = try await app.call(
          "path", [("user_id", user), ("name", "e"), ("points", points)])
        #expect(refused.message == message)
      }
    }
  }

  @Test("an officer sees what a phone's photo is, and every field of it")
  func officer() async throws {
    try await withPhones { phones, site in
      let order = try await phones.scene.order()
      let app = PhoneApp(kind: .android, site: site)
      let user = try await app.logIn()
      let task = try #require(try await app.tasks(user: user).first?["id"]?.text)
      let sentence = "GPRMC,092001.00,A,4904.80741,N,01637.80000,E,0.1,0.0,010626,,,A"
      let sum = sentence.utf8.reduce(UInt8(0)) { $0 ^ $1 }
      let hexadecimal = String(sum, radix: 16, uppercase: true)
      let more =
        ",\"NMEAMessage\":\"$\(sentence)*\(hexadecimal.count < 2 ? "0" : "")\(hexadecimal)\\r\\n\","
        + "\"networkInfo\":{\"radio\":\"lte\",\"wifi\":{\"ssid\":\"barn\",\"bsid\":\"00:11:22:33:44:55\"},\"cells\":[]},"
        + "\"satsInfo\":[{\"prn\":\"12_L1\",\"snr\":33.0}],\"efkLatGpsL1\":49.0803,\"efkLngGpsL1\":16.63"
      let answer = try await app.send(
        app.photo(try OfficeScene.picture(1), user: user, more: more), user: user, task: task)
      #expect(answer.word == "ok")
      try await phones.office.examiner.examineArrivals()
      let received = try await #require(
        try phones.office.review.view(of: order.id, in: "north").photos.first)
      #expect(received.verdict == .incomplete)
      #expect(received.findings.first?.check == .seal)
      func check(_ name: PhotoCheck.Name) -> PhotoCheck? {
        received.checks.first { $0.name == name }
      }
      #expect(check(.seal)?.outcome == .notCheckable)
      #expect(check(.appDigest)?.outcome == .agrees)
      #expect(check(.nmea)?.outcome == .agrees)
      #expect(check(.computedPositions)?.outcome == .agrees)
      #expect(check(.times)?.outcome == .agrees)
      #expect(check(.times)?[.deviceMinusGNSSSeconds] == -0.877)
      #expect(check(.parcel)?.outcome == .agrees)
      #expect(check(.file)?.outcome == .agrees)
      let orientation = try #require(received.photo.orientation)
      #expect(orientation.headingDegreesMagnetic == 123.4)
      let declination = try #require(orientation.declinationDegrees)
      #expect(abs((orientation.azimuthDegreesTrue ?? 0) - 123.4 - declination) < 1e-9)
      #expect(received.photo.position.ellipsoidalHeightMetres == 231.2)

      let browser = site.browser()
      try await browser.signIn("otto")
      let page = try await browser.get("/tasks/\(order.id)").body
      for words in [
        "No device key sealed it", "pixels, time text and user as the app sent them",
        "2026-06-01T11:20:00.123+02:00", "barn", "12_L1", "<code>GpsL1</code>", "49.0803000°",
        "GPRMC",
      ] {
        #expect(page.contains(words), "\(words)")
      }
      #expect(!page.contains("Optional("))
      // Nothing of the task is sealed, and no button leads to a bundle of evidence that does not
      // exist.
      #expect(!page.contains("bundle.zip") && page.contains("There is no bundle of evidence"))
      #expect(try await browser.get("/tasks/\(order.id)/bundle.zip").status == 422)
      // The check of the store and the dossier work on such a task.
      #expect(try await phones.office.operation.differences().isEmpty)
      _ = try await phones.office.exports.dossier(ofTask: order.id, in: "north")
    }
  }

  @Test("parcels are told as the apps draw them, to a network that somebody has logged in from")
  func shapes() async throws {
    try await withPhones { phones, site in
      let app = PhoneApp(kind: .android, site: site)
      let corners = [
        ("max_lat", "49.1"), ("min_lat", "49.0"), ("max_lng", "16.7"), ("min_lng", "16.6"),
      ]
      #expect(try await app.call("shapes", corners).word == "error")
      _ = try await app.logIn()
      #expect(
        try await app.raw("shapes", body: app.body(corners)).body
          == "{\"status\":\"ok\",\"error_msg\":null,\"shapes\":[]}")
      let broken = try await app.call("shapes", [("max_lat", "nan"), ("min_lat", "1e999")])
      #expect(broken["shapes"]?.elements == [])
      try await phones.register([
        ("far", "POLYGON((15 49,15.1 49,15.1 49.1))"),
        (
          "a/b",
          "MULTIPOLYGON(((16.62 49.02,16.68 49.02,16.68 49.08,16.62 49.08,16.62 49.02),"
            + "(16.64 49.04,16.64 49.0625,16.66 49.0625,16.66 49.04,16.64 49.04)),"
            + "((16.69 49.09,16.695 49.09,16.695 49.1)))"
        ),
      ])
      // Latitude comes first, each ring is closed, holes follow their outline, each part is a
      // shape, and all is ASCII.
      #expect(
        try await app.raw("shapes", body: app.body(corners)).body
          == "{\"status\":\"ok\",\"error_msg\":null,\"shapes\":["
          + "{\"identificator\":\"a\\/b\",\"wgs_geometry\":\""
          + "[[[49.02,16.62],[49.02,16.68],[49.08,16.68],[49.08,16.62],[49.02,16.62]],"
          + "[[49.04,16.64],[49.0625,16.64],[49.0625,16.66],[49.04,16.66],[49.04,16.64]]]\"},"
          + "{\"identificator\":\"a\\/b\",\"wgs_geometry\":\""
          + "[[[49.09,16.69],[49.09,16.695],[49.1,16.695],[49.09,16.69]]]\"}]}")
      // A phone gets no parcels of another agency.
      let south = PhoneApp(kind: .android, site: site, secret: PhoneScene.southSecret)
      _ = try await south.logIn("sven")
      #expect(try await south.call("shapes", corners)["shapes"]?.elements == [])
    }
  }
}
