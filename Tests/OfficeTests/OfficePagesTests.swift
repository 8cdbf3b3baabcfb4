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

@Suite("The officers' pages, over real connections", .timeLimit(.minutes(5)))
struct OfficePagesTests {
  // MARK: signing in

  @Test("a wrong password is answered with words, the right one leads to where one wanted to go")
  func signingIn() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      try await withSite(scene.office) { site in
        let browser = site.browser()
        let first = try await browser.get("/log")
        #expect(first.status == 303)
        #expect(first.location == "/sign-in?to=%2Flog")
        let form = try await browser.get("/sign-in?to=%2Flog")
        #expect(form.status == 200)
        #expect(form.body.contains(scene.office.fingerprint))
        let wrong = try await browser.post(
          "/sign-in",
          ["login": "otto", "password": "battery staple", "to": try #require(form.field("to"))])
        #expect(wrong.status == 401)
        #expect(wrong.body.contains("login or password is wrong: check both, then try again"))
        #expect(wrong.body.contains("value=\"otto\""))
        #expect(!wrong.body.contains("battery staple"))
        #expect(browser.sessionToken == nil)
        let right = try await browser.post(
          "/sign-in",
          [
            "login": "otto", "password": OfficeScene.password,
            "to": try #require(wrong.field("to")),
          ])
        #expect(right.status == 303)
        #expect(right.location == "/log")
        #expect(try await browser.get("/log").body.contains("sign-in-refused"))
        let out = try await browser.post("/sign-out")
        #expect(out.location == "/sign-in")
        #expect(browser.sessionToken == nil)
        #expect(try await browser.get("/tasks").location == "/sign-in?to=%2Ftasks")
      }
    }
  }

  @Test("nobody is sent elsewhere after signing in, whatever the address said")
  func noOpenRedirect() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      try await withSite(scene.office) { site in
        for target in ["//evil.example", "https://evil.example", "/\\evil.example", "tasks", ""] {
          let browser = site.browser()
          _ = try await browser.get("/sign-in?to=\(OfficeBrowser.encoded(target))")
          let answer = try await browser.post(
            "/sign-in",
            ["login": "otto", "password": OfficeScene.password, "to": target])
          #expect(answer.status == 303)
          #expect(["/tasks", "/"].contains(answer.location), "\(target): \(answer.location ?? "")")
        }
      }
    }
  }

  @Test("devices do not get in, inspectors and officers do not get to the people")
  func roles() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      let unit = try await scene.unit()
      let device = try #require(try unit.store.signedIn()?.token)
      try await withSite(scene.office) { site in
        let ines = site.browser()
        _ = try await ines.get("/sign-in")
        try await ines.signIn("ines")
        #expect(try await ines.get("/people").status == 403)
        // A browser cannot use a device's session, nor a device a browser's.
        let cookie = ("Cookie", "standpoint-session-\(site.port)=\(device)")
        #expect(try await site.send("GET", "/tasks", [cookie]).status == 403)

        let otto = site.browser()
        try await otto.signIn("otto")
        let people = try await otto.get("/people")
        #expect(people.status == 403)
        #expect(people.body.contains("you need the role administrator; yours is officer"))
        for (path, fields) in [
          ("/people", ["login": "eve", "role": "administrator", "password": "long enough here"]),
          ("/people/anna/disable", [:]), ("/people/anna/password", ["password": "long enough x"]),
          ("/devices/x/revoke", ["reason": "x"]),
        ] {
          #expect(try await otto.post(path, fields).status == 403, "\(path)")
        }
        #expect(try await scene.office.people.accounts(ofAgency: "north").count == 5)
        let anna = site.browser()
        try await anna.signIn("anna")
        for path in ["/tasks/new"] { #expect(try await anna.get(path).status == 403) }
        #expect(try await anna.post("/tasks", ["name": "x"]).status == 403)
      }
    }
  }

  @Test("an ended session leads to signing in, and says why")
  func expired() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      try await withSite(scene.office) { site in
        let browser = site.browser()
        try await browser.signIn("otto")
        let hours = scene.office.configuration.browserSessionSeconds + 1
        scene.clock.advance(to: scene.clock.elapsed.advanced(bySeconds: hours), limit: nil)
        let answer = try await browser.get("/tasks")
        #expect(answer.status == 303)
        let location = try #require(answer.location)
        #expect(location == "/sign-in?to=%2Ftasks&reason=expired")
        #expect(browser.sessionToken == nil)
        let page = try await browser.get(location)
        #expect(page.body.contains("Your session has ended. Sign in again; nothing is lost."))
        // A form cannot be led to the sign-in and back, so it gets the refusal itself.
        let posted = try await browser.post("/people/ines/disable")
        #expect(posted.status == 401)
        #expect(posted.body.contains("session-missing"))
      }
    }
  }

  // MARK: tasks

  @Test("tasks are listed and filtered by words, state and inspector")
  func list() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      try await withSite(scene.office) { site in
        let otto = site.browser()
        try await otto.signIn("otto")
        let empty = try await otto.get("/tasks")
        #expect(empty.body.contains("There are no tasks yet."))
        let ordered = try await otto.post(
          "/tasks",
          [
            "name": "Barley", "inspector": "igor", "identifier": "P-7",
            "outline": "[[16.62,49.07],[16.64,49.07],[16.64,49.09]]", "due": "2026-06-30",
          ])
        #expect(ordered.location?.hasSuffix("?done=ordered") == true)
        #expect(try await otto.get(try #require(ordered.location)).body.contains("P-7"))
        _ = try await scene.order("Beet")
        let all = try await otto.get("/tasks")
        #expect(all.body.contains(">Barley</a>") && all.body.contains(">Beet</a>"))
        #expect(all.body.contains("2 tasks"))
        for (query, has) in [
          ("text=bee", [false, true]), ("inspector=igor", [true, false]),
          ("state=new", [true, true]), ("state=accepted", [false, false]),
          ("text=bar&inspector=ines", [false, false]),
          ("text=&state=&inspector=", [true, true]), ("state=nonsense&page=-3", [true, true]),
        ] {
          let page = try await otto.get("/tasks?\(query)")
          #expect(page.status == 200)
          #expect(
            [">Barley</a>", ">Beet</a>"].map(page.body.contains) == has, "\(query)")
          if has == [false, false] { #expect(page.body.contains("No task matches this filter.")) }
        }
      }
    }
  }

  @Test("what is wrong with an order is said, and what was written stays in the form")
  func orderRefused() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      let task = try await scene.order()
      try await withSite(scene.office) { site in
        let otto = site.browser()
        try await otto.signIn("otto")
        for (fields, words) in [
          (["outline": "here"], "write the parcel outline as"),
          (
            ["outline": "{\"type\":\"FeatureCollection\",\"features\":[{},{}]}"],
            "the outline has 2 features"
          ),
          (["inspector": "sven"], "there is no inspector sven in north"),
          (["due": "tomorrow"], "tomorrow"),
          (["around": "3"], "4 to 120 sectors, not 3"),
          (["around": "all"], "is not a number of pictures"),
          (["turn": "5"], "4, 8 or 12 views, not 5"),
        ] {
          let order = ["name": "Oats", "instructions": "Two photos.", "inspector": "ines"]
          let page = try await otto.post("/tasks", order.merging(fields) { $1 })
          #expect(page.status == 400)
          #expect(page.body.contains(words))
          #expect(page.body.contains("value=\"Oats\"") && page.body.contains("Two photos."))
        }
        for fields in [
          ["name": "", "instructions": "Two photos."],
          ["name": "Oats", "instructions": "Two photos.", "due": "tomorrow"],
          ["name": "Oats", "instructions": "Two photos.", "around": "121"],
        ] {
          let page = try await otto.post("/tasks/\(task.id)/order", fields)
          #expect(page.status == 400)
          #expect(page.body.contains("Two photos."))
        }
        let changed = try await otto.post(
          "/tasks/\(task.id)/order",
          ["name": "Oats", "instructions": "Two photos.", "due": "2026-07-01"])
        #expect(changed.location == "/tasks/\(task.id)?done=changed")
        let page = try await otto.get("/tasks/\(task.id)")
        #expect(page.body.contains("Two photos.") && page.body.contains("One photo."))
        #expect(page.body.contains("2026-07-01"))
      }
    }
  }

  @Test("a task's page shows photos, verdict, checks and history; its files can be taken away")
  func taskPage() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      let task = try await scene.provided(2)
      let view = try await scene.office.review.view(of: task.id, in: "north")
      try await withSite(scene.office) { site in
        let otto = site.browser()
        try await otto.signIn("otto")
        let page = try await otto.get("/tasks/\(task.id)")
        #expect(page.status == 200)
        for words in [
          "Photo 2", "verdict-intact", "m of the parcel lie ahead", "recomputed: 0 mm away",
          "<span>2 photos</span>", "checks passed",
          "wet at the edge",
          "class=\"timeline\"", "state-dataProvided", "value=\"returnToInspector\"", "P-1",
        ] {
          #expect(page.body.contains(words), "\(words)")
        }
        for photo in view.photos.map(\.photo) {
          let file = try await otto.get("/photos/\(photo.id)/photo.jpg")
          #expect(file.status == 200)
          #expect(file.header("Content-Type") == "image/jpeg")
          #expect(file.bytes.count == photo.bytes)
          let preview = try await otto.get("/photos/\(photo.id)/preview.jpg")
          #expect(preview.bytes.starts(with: [0xFF, 0xD8]))
          let alone = try await otto.get("/photos/\(photo.id)")
          #expect(alone.header("Location") == "/tasks/\(task.id)#photo-\(photo.id)")
        }
        for (name, begin, type) in [
          ("task.pdf", "%PDF", "application/pdf"),
          ("task.kml", "<?xml", "application/vnd.google-earth.kml+xml"),
          ("bundle.zip", "PK", "application/zip"),
        ] {
          let file = try await otto.get("/tasks/\(task.id)/\(name)")
          #expect(file.status == 200)
          #expect(file.bytes.starts(with: Array(begin.utf8)))
          #expect(file.header("Content-Type") == type)
          let disposition = try #require(file.header("Content-Disposition"))
          #expect(disposition.hasPrefix("attachment") && disposition.contains(name))
        }
      }
    }
  }

  @Test("Return without a reason keeps the page; with one, the task goes back")
  func returning() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      let task = try await scene.provided()
      try await withSite(scene.office) { site in
        let otto = site.browser()
        try await otto.signIn("otto")
        let seen = try #require(try await otto.get("/tasks/\(task.id)").field("seen"))
        for reason in [nil, "", " \n"] {
          var fields = ["action": "returnToInspector", "seen": seen]
          fields["reason"] = reason
          let page = try await otto.post("/tasks/\(task.id)/decide", fields)
          #expect(page.status == 422)
          #expect(page.body.contains("reason"))
          #expect(page.body.contains("verdict-intact"))
          #expect(page.field("seen") == seen)
        }
        #expect(
          try await scene.office.review.view(of: task.id, in: "north").task.state == .dataProvided)
        let done = try await otto.post(
          "/tasks/\(task.id)/decide",
          ["action": "returnToInspector", "seen": seen, "reason": "blurred"])
        #expect(done.status == 303)
        let page = try await otto.get(try #require(done.location))
        #expect(page.body.contains("The task went back to its inspector."))
        #expect(page.body.contains("<q>blurred</q>"))
        for fields in [["action": "dance", "seen": seen], ["action": "accept"]] {
          #expect(try await otto.post("/tasks/\(task.id)/decide", fields).status == 400)
        }
      }
    }
  }

  @Test(
    "of two officers the second is told who was quicker, and what they wrote stays on the page",
    arguments: ["accept", "returnToInspector"])
  func twoOfficers(first action: String) async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      let task = try await scene.provided()
      try await withSite(scene.office) { site in
        let (otto, olga) = (site.browser(), site.browser())
        try await otto.signIn("otto")
        try await olga.signIn("olga")
        let seen = try #require(try await otto.get("/tasks/\(task.id)").field("seen"))
        #expect(try await olga.get("/tasks/\(task.id)").field("seen") == seen)
        let quick = try await otto.post(
          "/tasks/\(task.id)/decide", ["action": action, "seen": seen, "reason": "quick"])
        #expect(quick.status == 303)
        let late = try await olga.post(
          "/tasks/\(task.id)/decide",
          ["action": "decline", "seen": seen, "reason": "the wrong field, I say"])
        #expect(late.status == 409)
        #expect(late.body.contains("otto has "))
        #expect(late.body.contains("Your decision was not saved"))
        #expect(late.body.contains("the wrong field, I say"))
        #expect(
          try await scene.office.review.view(of: task.id, in: "north").task.history.last?.person
            .login
            == "otto")
      }
    }
  }

  @Test("another agency's task, photo and documents are not there")
  func otherAgency() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      let task = try await scene.provided()
      let photo = try #require(
        try await scene.office.review.view(of: task.id, in: "north").photos.first)
      try await withSite(scene.office) { site in
        let sara = site.browser()
        try await sara.signIn("sara")
        for path in [
          "/tasks/\(task.id)", "/tasks/\(task.id)/order", "/tasks/\(task.id)/task.pdf",
          "/tasks/\(task.id)/task.kml", "/tasks/\(task.id)/bundle.zip",
          "/photos/\(photo.photo.id)/photo.jpg", "/photos/\(photo.photo.id)/preview.jpg",
          "/tasks/nonsense", "/photos/nonsense/photo.jpg", "/nothing/at/all",
        ] {
          let page = try await sara.get(path)
          #expect(page.status == 404, "\(path)")
          #expect(page.isPage, "\(path)")
          #expect(page.body.contains("Code <code>"), "\(path)")
          #expect(!page.body.contains("Beet"), "\(path)")
        }
        let decided = try await sara.post(
          "/tasks/\(task.id)/decide", ["action": "accept", "seen": "\(task.history.count)"])
        #expect(decided.status == 404)
        #expect(try await sara.post("/tasks/\(task.id)/order", ["name": "x"]).status == 404)
        #expect(try await scene.office.review.view(of: task.id, in: "north").task == task)
        #expect(try await !sara.get("/tasks").body.contains("Beet"))
        #expect(try await !sara.get("/log").body.contains(task.id.description))
      }
    }
  }

  // MARK: people

  @Test("an administrator adds and disables people, sets passwords and revokes devices")
  func people() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      _ = try await scene.unit("ines")
      let key = try #require(
        try await scene.office.database.read(in: "north") { try $0.devices.devices(of: "ines") }
          .first?
          .key)
      try await withSite(scene.office) { site in
        let anna = site.browser()
        try await anna.signIn("anna")
        let added = try await anna.post(
          "/people",
          ["login": "oskar", "name": "Oskar", "role": "officer", "password": "a few words here"])
        #expect(added.location == "/people?done=saved")
        let page = try await anna.get("/people?done=saved")
        #expect(page.body.contains("Saved.") && page.body.contains(">Oskar</td>"))
        let taken = try await anna.post(
          "/people",
          ["login": "oskar", "name": "Other", "role": "officer", "password": "a few words here"])
        #expect(taken.status == 409)
        #expect(taken.body.contains("the login oskar is taken"))
        #expect(taken.body.contains("value=\"Other\"") && !taken.body.contains("a few words"))
        for fields in [
          ["login": "x", "role": "super-administrator", "password": "a few words here"],
          ["login": "x", "role": "officer", "password": "short"],
        ] {
          #expect(try await anna.post("/people", fields).status == 400)
        }

        let oskar = site.browser()
        _ = try await oskar.get("/sign-in")
        let password = ["login": "oskar", "password": "a few words here"]
        #expect(try await oskar.post("/sign-in", password).status == 303)
        #expect(try await anna.post("/people/oskar/disable").status == 303)
        #expect(try await oskar.get("/tasks").location?.hasPrefix("/sign-in") == true)
        #expect(
          try await anna.get("/people").body.contains("no, since <time datetime=\"2026-06-01"))
        #expect(try await anna.post("/people/oskar/enable").status == 303)
        let set = try await anna.post("/people/oskar/password", ["password": "other words here"])
        #expect(set.status == 303)
        _ = try await oskar.get("/sign-in")
        #expect(try await oskar.post("/sign-in", password).status == 401)
        // Nobody shuts themselves out, and nobody reaches another agency.
        for path in ["/people/anna/disable", "/people/sara/disable", "/people/otto/promote"] {
          #expect(try await anna.post(path).status == 404, "\(path)")
        }
        #expect(
          try await anna.post("/people/sara/password", ["password": "other words here"]).status
            == 404)

        #expect(try await anna.post("/devices/\(key)/revoke").status == 400)
        let revoked = try await anna.post("/devices/\(key)/revoke", ["reason": "stolen"])
        #expect(revoked.location == "/people?done=saved")
        #expect(try await anna.get("/people").body.contains("revoked: stolen"))
        let log = try await anna.get("/log")
        for action in ["person-added", "person-disabled", "person-enabled", "password-set"] {
          #expect(log.body.contains(action), "\(action)")
        }
        #expect(!log.body.contains("other words here"))
      }
    }
  }
}
