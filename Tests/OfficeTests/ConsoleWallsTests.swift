import Evidence
import FieldUnit
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
@testable import Web

@Suite(
  "The console for programs: who may what, people, devices, policy, log", .timeLimit(.minutes(5)))
struct ConsoleWallsTests {
  @Test("another agency's things are not there, whatever is asked of them; a device has no console")
  func walls() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      let task = try await scene.provided()
      let view = try await scene.office.review.view(of: task.id, in: "north")
      let photo = try #require(view.photos.first).photo.id
      let mark = Review.mark(of: view.task, view.photos)
      let device = try #require(try scene.desk().signedIn()?.token)
      let key = try #require(
        try await scene.office.database.read(in: "north") { try $0.devices.devices(of: "ines") }
          .first?
          .key)
      try await scene.office.database.writeRegistry {
        try $0.insert(
          Account(login: "adam", agency: "south", role: .administrator, name: "Adam"),
          password: PasswordHash.cheap(for: OfficeScene.password), at: scene.clock.deviceTime)
        try $0.insert(
          Account(login: "root", agency: nil, role: .superAdministrator, name: "Root"),
          password: PasswordHash.cheap(for: OfficeScene.password), at: scene.clock.deviceTime)
      }
      let officers = [
        ("GET", "/tasks/\(task.id)"), ("PATCH", "/tasks/\(task.id)"),
        ("POST", "/tasks/\(task.id)/decisions"), ("GET", "/tasks/\(task.id)/orders"),
        ("GET", "/tasks/\(task.id)/conflicts"), ("GET", "/tasks/\(task.id)/late"),
        ("GET", "/tasks/\(task.id)/photos"),
        ("GET", "/tasks/\(task.id)/tracks"), ("GET", "/tasks/\(task.id)/task.kml"),
        ("GET", "/tasks/\(task.id)/task.pdf"), ("GET", "/tasks/\(task.id)/bundle.zip"),
        ("GET", "/photos/\(photo)"), ("GET", "/photos/\(photo)/photo.jpg"),
        ("GET", "/photos/\(photo)/preview.jpg"), ("GET", "/photos/\(photo)/seal"),
        ("GET", "/photos/\(photo)/raw"), ("GET", "/tasks/\(task.id)/map"),
        ("GET", "/photos/\(photo)/photo.kml"), ("POST", "/photos/\(photo)/assign"),
        ("POST", "/photos/\(photo)/unassign"), ("POST", "/photos/\(photo)/hide"),
        ("POST", "/photos/\(photo)/show"),
      ]
      let administrators = [
        ("GET", "/people/ines"), ("POST", "/people/ines/disable"), ("POST", "/people/ines/enable"),
        ("PUT", "/people/ines/password"), ("POST", "/devices/\(key)/revoke"),
      ]
      // The bodies are complete, so that nothing but the wall says no.
      let bodies = [
        "decisions": #"{"action": "accept", "seen": \#(task.history.count), "shown": "\#(mark)"}"#,
        "\(task.id)": #"{"name": "Taken"}"#,
        "password": #"{"password": "kestrel over wet barley"}"#,
        "revoke": #"{"reason": "lost"}"#,
      ]
      try await withSite(scene.office) { site in
        let sara = try await ConsoleProgram.signedIn("sara", at: site)
        let adam = try await ConsoleProgram.signedIn("adam", at: site)
        let tablet = ConsoleProgram(site: site, token: device)
        for (program, paths) in [(sara, officers), (adam, administrators)] {
          for (method, path) in paths {
            let last = String(path.split(separator: "/").last ?? "")
            let body = method == "GET" ? nil : bodies[last] ?? "{}"
            let answer = try await program.console(method, path, body, [("If-Match", "*")])
            #expect(answer.status == 404 && answer.code == "unknown", "\(method) \(path)")
            let own = try await tablet.console(method, path, body, [("If-Match", "*")])
            #expect(own.status == 403 && own.code == "role-forbidden", "\(method) \(path)")
          }
        }
        for (list, name) in [("/tasks", "tasks"), ("/photos", "photos"), ("/tracks", "tracks")] {
          #expect(try await sara.get(list)[name]?.elements?.isEmpty == true, "\(list)")
        }
        let people = try #require(try await adam.get("/people")["people"]?.elements)
        #expect(people.compactMap { $0["login"]?.text } == ["adam", "sara", "sven"])
        #expect(try await adam.get("/devices")["devices"]?.elements?.isEmpty == true)
        let entries = try #require(try await sara.get("/log")["entries"]?.elements)
        #expect(entries.allSatisfy { $0["person"]?.text != "otto" && $0["person"]?.text != "ines" })
        for path in ["/people", "/devices", "/policy"] {
          #expect(try await sara.console("GET", path).status == 403, "\(path)")
        }
        let root = try await ConsoleProgram.signedIn("root", at: site)
        for (method, path) in officers + administrators {
          let last = String(path.split(separator: "/").last ?? "")
          let body = method == "GET" ? nil : bodies[last] ?? "{}"
          let answer = try await root.console(method, path, body, [("If-Match", "*")])
          #expect(answer.status == 403 && answer.code == "role-forbidden", "\(method) \(path)")
        }
      }
      #expect(try await scene.office.review.view(of: task.id, in: "north").task == task)
    }
  }

  @Test("an administrator's program looks after people and devices, and cannot shut itself out")
  func people() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      _ = try await scene.unit()
      try await withSite(scene.office) { site in
        let anna = try await ConsoleProgram.signedIn("anna", at: site)
        let new =
          #"{"login": "irma", "role": "officer", "name": "Irma", "password": "kestrel over wet barley"}"#
        let added = try await anna.console("POST", "/people", new)
        #expect(added.status == 201 && added.location == ConsoleProgram.path + "/people/irma")
        #expect(!added.body.contains("kestrel"))
        #expect(try await anna.console("POST", "/people", new).code == "login-taken")
        for body in [
          #"{"login": "x", "role": "super-administrator", "password": "kestrel over wet barley"}"#,
          #"{"login": "x y", "role": "officer", "password": "kestrel over wet barley"}"#,
          #"{"login": "x", "role": "officer", "password": "short"}"#, #"{"login": "x"}"#,
        ] {
          let answer = try await anna.console("POST", "/people", body)
          #expect(answer.status == 400 && answer.code == "input-invalid", "\(body)")
        }
        let otto = try await ConsoleProgram.signedIn("otto", at: site)
        let disabled = try await anna.console("POST", "/people/otto/disable")
        #expect(disabled.status == 200)
        #expect(try disabled.json()["disabled"]?.text != nil)
        #expect(try await otto.console("GET", "/me").status == 401, "sessions end with it")
        let enabled = try await anna.console("POST", "/people/otto/enable")
        #expect(try enabled.json()["disabled"] == nil)
        let own = try await anna.console("POST", "/people/anna/disable")
        #expect(own.status == 422 && own.code == "rule-forbids")
        #expect(
          try await anna.console(
            "PUT", "/people/irma/password", #"{"password": "barley over wet kestrel"}"#
          ).status == 204)
        let irma = try await anna.send(
          "POST", "/api/v1/officer-sessions",
          #"{"login": "irma", "password": "barley over wet kestrel"}"#)
        #expect(irma.status == 201)

        let key = try #require(
          try await anna.get("/devices")["devices"]?.elements?.first?["key"]?.text)
        #expect(try await anna.console("POST", "/devices/\(key)/revoke", "{}").status == 400)
        let revoked = try await anna.console(
          "POST", "/devices/\(key)/revoke", #"{"reason": "lost"}"#)
        #expect(try revoked.json()["revokedReason"]?.text == "lost")
      }
    }
  }

  @Test(
    "a policy is laid down upon the revision that was seen, and the log tells it once, page by page"
  )
  func policyAndLog() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      try await withSite(scene.office) { site in
        let anna = try await ConsoleProgram.signedIn("anna", at: site)
        let first = try await anna.console("GET", "/policy")
        #expect(try first.json()["revision"]?.wholeNumber == 0)
        let tag = try #require(first.header("ETag"))
        let policy =
          #"{"surroundings": true, "deliverAhead": false, "removeDeliveredAfterDays": 30}"#
        #expect(try await anna.console("PUT", "/policy", policy).status == 428)
        let laid = try await anna.console("PUT", "/policy", policy, [("If-Match", tag)])
        #expect(laid.status == 200, "\(laid.body)")
        #expect(try laid.json()["revision"]?.wholeNumber == 1)
        let late = try await anna.console("PUT", "/policy", policy, [("If-Match", tag)])
        #expect(late.status == 412 && late.code == "precondition-failed")
        for body in [
          #"{"surroundings": true}"#, #"{"surroundings": 1, "deliverAhead": false}"#,
          #"{"surroundings": true, "deliverAhead": false, "removeDeliveredAfterDays": 3651}"#,
        ] {
          let answer = try await anna.console("PUT", "/policy", body, [("If-Match", "*")])
          #expect(answer.status == 400, "\(body)")
        }
        #expect(
          try await scene.office.policies.policy(of: "north")?.policy.removesDeliveredAfterDays
            == 30)

        for number in 0..<9 { _ = try await scene.order("Beet \(number)") }
        let whole = try #require(try await anna.get("/log?limit=200")["entries"]?.elements)
        var orders = 0
        let pages = try await anna.pages(of: "/log?limit=4", "entries") {
          // Entries that come meanwhile are newer than all that follows.
          if orders < 3 { _ = try await scene.order("later") }
          orders += 1
        }
        #expect(pages == whole)
        let actions = pages.compactMap { $0["action"]?.text }
        #expect(actions.filter { $0 == "policy-set" } == ["policy-set"])
        let numbers = pages.compactMap { $0["number"]?.wholeNumber }
        #expect(numbers == numbers.sorted(by: >))
      }
    }
  }

  @Test("photos and tracks without a task come in pages, the newest first")
  func standalone() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      let unit = try await scene.unit()
      for number in 0..<3 { try await scene.capture(unit, nil, number) }
      let photos = try unit.photos().map(\.id)
      try unit.sendPhotos(photos)
      let point = try unit.photo(photos[0]).position.coordinate
      for name in ["north edge", "south edge"] {
        let track = try unit.beginTrack(name: name, task: nil, source: "", isSimulated: true)
        for second in 0..<3 {
          let time = scene.clock.deviceTime.advanced(bySeconds: Double(second)).gnssTime
          try unit.append(TrackPoint(kind: .recorded, time: time, coordinate: point), to: track.id)
        }
        _ = try unit.finishTrack(track.id, source: nil)
        try unit.sendTracks([track.id])
      }
      _ = try await unit.delivery.deliver(over: scene.link)
      try await withSite(scene.office) { site in
        let otto = try await ConsoleProgram.signedIn("otto", at: site)
        let shown = try await otto.pages(of: "/photos?limit=1", "photos")
        let times = shown.compactMap { $0["deviceTime"]?.text }
        #expect(times.count == 3 && times == times.sorted(by: >))
        #expect(Set(shown.compactMap { $0["id"]?.text }) == Set(photos.map(\.description)))
        #expect(shown.allSatisfy { $0["task"] == nil && $0["verdict"]?.text != nil })
        let tracks = try await otto.pages(of: "/tracks?limit=1", "tracks")
        #expect(Set(tracks.compactMap { $0["name"]?.text }) == ["north edge", "south edge"])
        let id = try #require(tracks.first?["id"]?.text)
        let track = try await otto.get("/tracks/\(id)")
        #expect(track["geometry"]?["type"]?.text == "LineString")
        #expect(track["geometry"]?["coordinates"]?.elements?.count == 3)
        #expect(track["points"]?.wholeNumber == 3)
      }
    }
  }
}
