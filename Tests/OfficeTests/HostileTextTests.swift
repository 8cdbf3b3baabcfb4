import FieldUnit
import Foundation
import Imports
import Inspection
import NIOHTTP1
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

@Suite("The officers' pages, when what is written is hostile", .timeLimit(.minutes(5)))
struct HostileTextTests {
  @Test(
    "the look-out sees text that was not escaped, and markup that was escaped by mistake",
    arguments: [
      "<p>\(hostileText)</p>", "<p title=\"\"'&\">x</p>", "<p>&lt;p class=&quot;x&quot;&gt;</p>",
      "<ul>&lt;li&gt;</ul>", "<dd>Optional(&quot;x&quot;)</dd>",
    ])
  func lookOut(body: String) {
    let page = Answer(
      status: 200, headers: ["Content-Type": "text/html; charset=utf-8"], bytes: Array(body.utf8))
    withKnownIssue { page.requireClean("a page") }
  }

  @Test("hostile text is text on every page, and no markup of ours is shown as text")
  func hostile() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      try await writeHostile(scene)
      let task = try #require(try await scene.office.review.tasks(in: "north").first)
      let q = OfficeBrowser.encoded(hostileText)
      try await withSite(scene.office) { site in
        let (otto, anna) = (site.browser(), site.browser())
        try await otto.signIn("otto")
        try await anna.signIn("anna")
        _ = try await otto.get("/tasks/\(task.id)")
        let shown: [Answer] = [
          try await otto.get("/tasks"), try await otto.get("/tasks?text=\(q)&page=9"),
          try await otto.get("/tasks?text=zz\(q)&state=\(q)&inspector=\(q)&done=\(q)"),
          try await otto.get("/tasks/\(task.id)"), try await otto.get("/tasks/\(task.id)/order"),
          try await otto.get("/photos"), try await anna.get("/people"),
          try await otto.get("/log"), try await otto.get("/sign-in?to=\(q)&reason=\(q)"),
          try await otto.post(
            "/tasks", ["name": hostileText, "inspector": hostileText, "outline": hostileText]),
          try await otto.post(
            "/tasks/\(task.id)/decide", ["action": "accept", "seen": "0", "reason": hostileText]),
          try await anna.post(
            "/people", ["login": hostileText, "name": hostileText, "role": "officer"]),
        ]
        for (number, page) in shown.enumerated() {
          #expect(page.isPage, "page \(number)")
          #expect(page.body.contains("&lt;script&gt;alert(1)"), "page \(number) does not show it")
        }
        // These pages do not show the text, and must not break either.
        for path in [
          "/tasks/new", "/tasks/\(q)", "/\(q)", "/photos/\(q)/photo.jpg", "/sign-in",
        ] {
          #expect(try await otto.get(path).isPage)
        }
        let eve = site.browser()
        _ = try await eve.get("/sign-in")
        let refused = try await eve.post(
          "/sign-in", ["login": hostileText, "password": hostileText, "to": hostileText])
        #expect(refused.status == 401)
        for name in ["task.pdf", "task.kml", "bundle.zip"] {
          #expect(try await otto.get("/tasks/\(task.id)/\(name)").status == 200)
        }
      }
    }
  }

  /// Writes hostile text wherever an inspector, an officer, an administrator or a device can write.
  private func writeHostile(_ scene: OfficeScene) async throws {
    let order = TaskOrder(
      name: hostileText, type: hostileText, instructions: hostileText, inspector: "ines")
    let id = try await scene.office.orders.addTasks([order], in: "north", by: "otto")[0].id
    try await scene.office.people.addAccount(
      Account(login: "eve", agency: "north", role: .inspector, name: hostileText),
      password: OfficeScene.password, by: "anna")
    let desk = try SignInDesk(
      dataDirectory: scene.folder.appendingPathComponent("tablet"), software: hostileText,
      clock: scene.clock)
    try await desk.signIn(login: "ines", password: OfficeScene.password, over: scene.link)
    let (unit, _) = try await scene.working(photos: 2)
    let photos = try unit.photos(.task(id)).map(\.id)
    try unit.noteTask(id, hostileText)
    try unit.notePhoto(photos[0], hostileText)
    try unit.deletePhoto(photos[1], reason: hostileText)
    let track = try unit.beginTrack(name: hostileText, task: id, source: "", isSimulated: true)
    let point = try unit.photo(photos[0]).position.coordinate
    for second in 0..<3 {
      let time = scene.clock.deviceTime.advanced(bySeconds: Double(second)).gnssTime
      try unit.append(TrackPoint(kind: .recorded, time: time, coordinate: point), to: track.id)
    }
    _ = try unit.finishTrack(track.id, source: nil)
    let alone = try await scene.capture(unit, nil, 9)
    try unit.notePhoto(alone.id, hostileText)
    try unit.sendPhotos([alone.id])
    try unit.provideTask(id)
    _ = try await unit.delivery.deliver(over: scene.link)
    var history = try await scene.office.review.view(of: id, in: "north").task.history.count
    try await scene.office.review.decide(
      .returnToInspector, on: id, by: scene.person("otto"), reason: hostileText, seen: history)
    try await scene.office.orders.changeOrder(of: id, in: "north", by: "otto") { $0.type = nil }
    history += 1
    try await scene.office.review.decide(
      .withdraw, on: id, by: scene.person("otto"), reason: hostileText, seen: history)
    let key = try #require(
      try await scene.office.database.read(in: "north") { try $0.devices.devices(of: "ines") }
        .first?.key)
    try await scene.office.devices.revokeDevice(
      withKey: key, in: "north", reason: hostileText, by: "anna")
  }
}
