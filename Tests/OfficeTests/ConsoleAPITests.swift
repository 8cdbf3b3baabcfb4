import Evidence
import FieldUnit
import Foundation
import Imports
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
@testable import Web

@Suite("The console for programs", .timeLimit(.minutes(5)))
struct ConsoleAPITests {
  @Test("a program signs in as people do, and is nobody after it has ended its session")
  func signingIn() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      try await withSite(scene.office) { site in
        let nobody = ConsoleProgram(site: site, token: nil)
        for (login, password, status, code) in [
          ("otto", "another password", 401, "sign-in-refused"),
          ("nobody", OfficeScene.password, 401, "sign-in-refused"),
          ("ines", OfficeScene.password, 403, "role-forbidden"),
        ] {
          let answer = try await nobody.send(
            "POST", "/api/v1/officer-sessions",
            #"{"login": "\#(login)", "password": "\#(password)"}"#)
          #expect(answer.status == status && answer.code == code, "\(login): \(answer.body)")
        }
        let missing = try await nobody.console("GET", "/me")
        #expect(missing.status == 401 && missing.code == "session-missing")
        #expect(missing.header("WWW-Authenticate")?.hasPrefix("Bearer") == true)

        let otto = try await ConsoleProgram.signedIn("otto", at: site)
        let me = try await otto.get("/me")
        #expect(me["login"]?.text == "otto" && me["role"]?.text == "officer")
        #expect(me["agency"]?.text == "north" && me["agencyTitle"]?.text == "North")
        // A cookie is not looked at: a page of another site could send it along.
        let token = try #require(otto.token)
        let cookie = try await nobody.console(
          "GET", "/me", nil, [("Cookie", "standpoint-session-\(site.port)=\(token)")])
        #expect(cookie.status == 401)
        #expect(try await otto.send("DELETE", "/api/v1/officer-sessions").status == 204)
        let ended = try await otto.console("GET", "/me")
        #expect(ended.status == 401 && ended.code == "session-expired")
      }
    }
  }

  @Test("five wrong passwords, and a program has to wait as a person has to")
  func lockOut() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      try await withSite(scene.office) { site in
        let nobody = ConsoleProgram(site: site, token: nil)
        var codes: [String?] = []
        for _ in 0..<6 {
          codes.append(
            try await nobody.send(
              "POST", "/api/v1/officer-sessions", #"{"login": "otto", "password": "wrong"}"#
            ).code)
        }
        var expected: [String?] = Array(repeating: "sign-in-refused", count: 5)
        expected.append("sign-in-wait")
        #expect(codes == expected)
      }
    }
  }

  @Test(
    "the pages of a list are the whole list in its order, while tasks are added", arguments: 0..<10)
  func paging(_ number: Int) async throws {
    let column = TaskSorting.Column.allCases[number / 2]
    let order = TaskSorting(column, isDescending: number % 2 == 1)
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      // Some tasks have the same name or date, or begin with a mark that joins a letter before it.
      for count in 0..<23 {
        try await Self.add(["Beet", "oats", "\u{301}x", "Ähre"][count % 4], count, to: scene)
      }
      let before = try await scene.office.review.tasks(in: "north", TaskFilter(), order).map(
        \.id.description)
      try await withSite(scene.office) { site in
        let otto = try await ConsoleProgram.signedIn("otto", at: site)
        let sort = (order.isDescending ? "-" : "") + column.rawValue
        var added = 0
        let rows = try await otto.pages(of: "/tasks?limit=4&sort=\(sort)", "tasks") {
          if added < 5 {
            try await Self.add("Beet", 100 + added, to: scene)
            added += 1
          }
        }
        let seen = rows.compactMap { $0["id"]?.text }
        #expect(Set(seen).count == seen.count, "\(sort): one came twice")
        #expect(seen.filter { before.contains($0) } == before, "\(sort)")
        let after = try await scene.office.review.tasks(in: "north", TaskFilter(), order).map(
          \.id.description)
        #expect(after.filter { seen.contains($0) } == seen, "\(sort): out of order")
        let claims = try await otto.pages(of: "/tasks?limit=3&type=claim&sort=\(sort)", "tasks")
        let wanted = try await scene.office.review.tasks(
          in: "north", TaskFilter(type: "claim"), order)
        #expect(claims.compactMap { $0["id"]?.text } == wanted.map(\.id.description), "\(sort)")
      }
    }
  }

  private static func add(_ name: String, _ count: Int, to scene: OfficeScene) async throws {
    var order = TaskOrder(name: name, type: count % 2 == 0 ? "claim" : "visit")
    order.inspector = count % 3 == 0 ? "igor" : "ines"
    let due = scene.clock.deviceTime.advanced(bySeconds: Double(count % 5) * 86_400)
    order.due = count % 4 == 0 ? nil : due
    try await scene.office.orders.addTasks([order], in: "north", by: "otto")
    let later = scene.clock.elapsed.advanced(bySeconds: 7)
    scene.clock.advance(to: later, limit: later)
  }

  @Test("a parameter, a member or a cursor that nobody knows is refused, with its name")
  func strictness() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      for _ in 0..<3 { _ = try await scene.order() }
      try await withSite(scene.office) { site in
        let otto = try await ConsoleProgram.signedIn("otto", at: site)
        let next = try #require(try await otto.get("/tasks?limit=1")["next"]?.text)
        for path in [
          "/tasks?stat=new", "/tasks?state=nwe", "/tasks?state=", "/tasks?limit=0",
          "/tasks?limit=1&limit=2", "/tasks?limit=9999999999999999999999", "/tasks?sort=--name",
          "/tasks?cursor=x", "/tasks?cursor=%F0%9F%A6%86", "/tasks?sort=name&cursor=\(next)",
          "/photos?cursor=\(next)", "/log?cursor=\(next)", "/me?x=1",
        ] {
          let answer = try await otto.console("GET", path)
          #expect(answer.status == 400 && answer.code == "input-invalid", "\(path): \(answer.body)")
        }
        let long = String(repeating: "n", count: 201)
        for body in [
          "", "{", "[]", "null", "\"x\"", #"{"inspector": "ines"}"#, #"{"name": "x"}"#,
          #"{"name": "x", "inspector": "sven"}"#, #"{"name": "x", "inspector": "otto"}"#,
          #"{"name": 7, "inspector": "ines"}"#,
          #"{"name": "x", "inspector": "ines", "dew": "2026-06-30"}"#,
          #"{"name": "x", "name": "y", "inspector": "ines"}"#,
          #"{"name": "x\u0000y", "inspector": "ines"}"#,
          #"{"name": "x", "inspector": "ines", "due": "soon"}"#,
          #"{"name": "x", "inspector": "ines", "due": "9999-12-31T23:59:59-23:59"}"#,
          #"{"name": "x", "inspector": "ines", "due": "0000-01-01T00:00:00+23:59"}"#,
          #"{"name": "x", "inspector": "ines", "parcel": {}}"#,
          #"{"name": "x", "inspector": "ines", "parcel": {"geometry": {"type": "Point"}}}"#,
          #"{"name": "x", "inspector": "ines", "parcel": {"geometry": {"type": "Polygon", "coordinates": [[[1e400, 2]]]}}}"#,
          #"{"name": "\#(long)", "inspector": "ines"}"#,
          String(repeating: "[", count: 60_000),
        ] {
          let answer = try await otto.console("POST", "/tasks", body)
          #expect(
            answer.status == 400 && answer.code == "input-invalid",
            "\(body.prefix(100)): \(answer.status) \(answer.body)")
        }
        let form = try await otto.console(
          "POST", "/tasks", "name=x", [("Content-Type", "application/x-www-form-urlencoded")])
        #expect(form.status == 415 && form.code == "unsupported-media-type")
        let large = try await otto.console(
          "POST", "/tasks", String(repeating: " ", count: 1_048_577))
        #expect(large.status == 413 && large.code == "too-large")
        let method = try await otto.console("DELETE", "/tasks")
        #expect(method.status == 405 && method.header("Allow") == "GET, HEAD, POST")
        #expect(try await scene.office.review.tasks(in: "north").count == 3)
      }
    }
  }

  @Test("of two officers who decide upon the same, one is told clearly who was quicker")
  func decisions() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      let task = try await scene.provided()
      try await withSite(scene.office) { site in
        let otto = try await ConsoleProgram.signedIn("otto", at: site)
        let olga = try await ConsoleProgram.signedIn("olga", at: site)
        let waiting = try await otto.get("/tasks?state=dataProvided")
        #expect(waiting["tasks"]?.elements?.count == 1)
        let shown = try await otto.get("/tasks/\(task.id)")
        let steps = try #require(shown["steps"]?.wholeNumber)
        #expect(shown["state"]?.text == "dataProvided" && shown["note"]?.text == "wet at the edge")
        #expect(shown["parcel"]?["geometry"]?["coordinates"]?.elements?.first?.elements?.count == 5)
        let photos = try #require(
          try await otto.get("/tasks/\(task.id)/photos")["photos"]?.elements)
        #expect(photos.count == 1 && photos[0]["verdict"]?.text != nil)
        let mark = try #require(shown["shown"]?.text)
        let path = "/tasks/\(task.id)/decisions"

        let blind = try await otto.console(
          "POST", path,
          #"{"action": "accept", "seen": \#(steps), "examined": 0, "shown": "\#(mark)"}"#)
        #expect(blind.status == 422, "what was not seen is not decided upon")
        let words = try await otto.console(
          "POST", path, #"{"action": "returnToInspector", "seen": \#(steps)}"#)
        #expect(words.status == 422 && words.code == "rule-forbids", "a return needs a reason")

        async let first = otto.console(
          "POST", path,
          #"{"action": "accept", "seen": \#(steps), "examined": 1, "shown": "\#(mark)"}"#)
        async let second = olga.console(
          "POST", path,
          #"{"action": "decline", "reason": "Too dark.", "seen": \#(steps), "shown": "\#(mark)"}"#)
        let answers = [try await first, try await second]
        #expect(answers.map(\.status).sorted() == [200, 409])
        let refused = try #require(answers.first { $0.status == 409 })
        let winner = answers[0].status == 200 ? "otto" : "olga"
        #expect(refused.code == "task-changed" && refused.body.contains(winner))
        let history = try await scene.office.review.view(of: task.id, in: "north").task.history
        #expect(history.count == steps + 1 && history.last?.person.login == winner)

        let anna = try await ConsoleProgram.signedIn("anna", at: site)
        let reopened = try await anna.console(
          "POST", path, #"{"action": "reopen", "reason": "Once more.", "seen": \#(steps + 1)}"#)
        #expect(reopened.status == 200, "\(reopened.body)")
        #expect(try reopened.json()["state"]?.text == "dataProvided")
      }
    }
  }

  @Test("land in several parts is several parts, and a parcel's identifier finds its tasks")
  func parts() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      _ = try await scene.order()
      let orders = try TaskFile.orders(
        fromGeoJSON: Data(
          """
          {"type":"FeatureCollection","features":[{"type":"Feature",
           "properties":{"identifier":"P-2","name":"Islands","inspector":"ines"},
           "geometry":{"type":"MultiPolygon","coordinates":
            [[[[16.62,49.07],[16.63,49.07],[16.63,49.08],[16.62,49.07]]],
             [[[16.64,49.07],[16.65,49.07],[16.65,49.08],[16.64,49.07]]]]}}]}
          """.utf8))
      _ = try await scene.office.orders.addTasks(orders, in: "north", by: "otto")
      try await withSite(scene.office) { site in
        let otto = try await ConsoleProgram.signedIn("otto", at: site)
        let list = try await otto.console("GET", "/tasks?parcel=P-2").json()
        let tasks = try #require(list["tasks"]?.elements)
        #expect(tasks.count == 1)
        let id = try #require(tasks.first?["id"]?.text)
        let geometry = try await otto.console("GET", "/tasks/\(id)").json()["parcel"]?["geometry"]
        #expect(geometry?["type"]?.text == "MultiPolygon")
        #expect(geometry?["coordinates"]?.elements?.count == 2)
      }
    }
  }

  @Test("an order is changed by who has seen it, and by nobody else")
  func orders() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      try await withSite(scene.office) { site in
        let otto = try await ConsoleProgram.signedIn("otto", at: site)
        let ordered = try await otto.console(
          "POST", "/tasks",
          """
          {"name": "Beet", "inspector": "ines", "instructions": "One photo.", "due": "2026-06-30",
           "around": 36, "turn": 8,
           "parcel": {"identifier": "P-7", "geometry": {"type": "Polygon",
            "coordinates": [[[16.62, 49.07], [16.64, 49.07], [16.64, 49.09], [16.62, 49.07]]]}}}
          """)
        #expect(ordered.status == 201, "\(ordered.body)")
        #expect(try ordered.json()["around"]?.wholeNumber == 36)
        #expect(try ordered.json()["turn"]?.wholeNumber == 8)
        let path = try #require(ordered.location).replacing(ConsoleProgram.path, with: "")
        #expect(try ordered.json()["due"]?.text == "2026-06-30T23:59:59.000Z")
        let shown = try await otto.console("GET", path)
        let tag = try #require(shown.header("ETag"))
        #expect(shown.bytes == ordered.bytes && ordered.header("ETag") == tag)
        let known = try await otto.console("GET", path, nil, [("If-None-Match", "\"x\", \(tag)")])
        #expect(known.status == 304 && known.bytes.isEmpty && known.header("ETag") == tag)

        let change = #"{"instructions": null, "name": "Beet, west", "around": null, "turn": 12}"#
        for wrong in [#"{"turn": 5}"#, #"{"around": 3}"#, #"{"around": 121}"#, #"{"turn": "4"}"#] {
          let refused = try await otto.console("PATCH", path, wrong, [("If-Match", tag)])
          #expect(refused.status == 400, "\(wrong): \(refused.body)")
        }
        let unseen = try await otto.console("PATCH", path, change)
        #expect(unseen.status == 428 && unseen.code == "precondition-missing")
        let stale = try await otto.console("PATCH", path, change, [("If-Match", "\"0.0\"")])
        #expect(stale.status == 412 && stale.code == "precondition-failed")
        let weak = try await otto.console("PATCH", path, change, [("If-Match", "W/\(tag)")])
        #expect(weak.status == 412, "a weak tag is no reason to change anything")
        let blank = try await otto.console("PATCH", path, #"{"name": " "}"#, [("If-Match", tag)])
        #expect(blank.status == 400)
        let anna = try await ConsoleProgram.signedIn("anna", at: site)
        #expect(try await anna.console("PATCH", path, change, [("If-Match", tag)]).status == 403)

        let changed = try await otto.console(
          "PATCH", path, change,
          [("If-Match", tag), ("Content-Type", "application/merge-patch+json; charset=utf-8")])
        #expect(changed.status == 200, "\(changed.body)")
        let task = try changed.json()
        #expect(task["name"]?.text == "Beet, west" && task["instructions"] == nil)
        #expect(task["around"] == nil && task["turn"]?.wholeNumber == 12)
        #expect(
          task["due"]?.text == "2026-06-30T23:59:59.000Z" && task["revision"]?.wholeNumber == 2)
        #expect(changed.header("ETag") != tag)
        let again = try await otto.console("PATCH", path, change, [("If-Match", tag)])
        #expect(again.status == 412, "the second with the same tag comes too late")
        let earlier = try #require(try await otto.get(path + "/orders")["orders"]?.elements)
        #expect(earlier.map { $0["name"]?.text } == ["Beet"])
        #expect(earlier.first?["parcel"]?["identifier"]?.text == "P-7")
      }
    }
  }

  @Test("files carry the digest that was sealed, and one that was changed here is found by it")
  func digests() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      let task = try await scene.provided()
      try await withSite(scene.office) { site in
        let otto = try await ConsoleProgram.signedIn("otto", at: site)
        let listed = try #require(
          try await otto.get("/tasks/\(task.id)/photos")["photos"]?.elements?.first)
        let id = try #require(listed["id"]?.text)
        let photo = try await otto.get("/photos/\(id)")
        #expect(photo == listed)
        let digest = try #require(photo["digest"]?.text)
        func field(_ bytes: [UInt8]) -> String { "sha-256=:\(Digest.base64(bytes)):" }
        let file = try await otto.console("GET", "/photos/\(id)/photo.jpg")
        #expect(Digest.hexadecimal(file.bytes) == digest)
        #expect(file.header("Repr-Digest") == field(file.bytes))
        #expect(file.header("ETag") == "\"\(digest)\"")
        let head = try await otto.console("HEAD", "/photos/\(id)/photo.jpg")
        #expect(head.header("Repr-Digest") == field(file.bytes) && head.bytes.isEmpty)

        let seal = try await otto.console("GET", "/photos/\(id)/seal")
        let link = try SealFile(seal.bytes).seal.link
        #expect(link.file == digest && seal.header("Repr-Digest") == field(seal.bytes))
        let raw = try await otto.console("GET", "/photos/\(id)/raw")
        #expect(Digest.hexadecimal(raw.bytes) == link.raw)
        #expect(raw.header("Repr-Digest") == field(raw.bytes))
        for name in [
          "photos/\(id)/preview.jpg", "tasks/\(task.id)/task.kml", "tasks/\(task.id)/bundle.zip",
        ] {
          let answer = try await otto.console("GET", "/" + name)
          #expect(answer.status == 200 && !answer.bytes.isEmpty, "\(name)")
          #expect(answer.header("Repr-Digest") == field(answer.bytes), "\(name)")
        }
        for name in ["photo.jpg", "preview.jpg", "seal", "raw"] {
          let first = try await otto.console("GET", "/photos/\(id)/\(name)")
          let known = try await otto.console(
            "GET", "/photos/\(id)/\(name)", nil,
            [("If-None-Match", try #require(first.header("ETag"), "\(name)"))])
          #expect(known.status == 304 && known.bytes.isEmpty, "\(name)")
        }

        let identifier = try #require(Identifier(id))
        let path = try #require(
          scene.office.photos.path(of: EvidenceName.file(.capture, identifier)))
        var bytes = file.bytes
        bytes[bytes.count - 9] ^= 1
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        let damaged = try await otto.console("GET", "/photos/\(id)/photo.jpg")
        #expect(damaged.header("Repr-Digest") != field(damaged.bytes))
      }
    }
  }
}
