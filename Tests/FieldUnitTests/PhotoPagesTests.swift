import Evidence
import Foundation
import Imagery
import Inspection
import NIOHTTP1
import Positioning
import Receivers
import Store
import Sync
import TestSupport
import Testing
import TimeAndText
import Web

@testable import FieldPages
@testable import FieldUnit

@Suite("The pages of tasks, photos and the outbox", .timeLimit(.minutes(5)))
struct PhotoPagesTests {
  private typealias Site = FieldPagesTests.Site

  private func withField(
    _ body: @escaping @Sendable (FieldPagesTests.Site, FieldScene) async throws -> Void
  ) async throws {
    try await FieldPagesTests().withField(body)
  }

  /// Copies the rows of the only photo, each a second older than the one before, without files.
  private static func multiply(_ scene: FieldScene, by count: Int) async throws {
    let script = """
      import sqlite3, sys
      db = sqlite3.connect(sys.argv[1])
      def names(table):
          return [row[1] for row in db.execute(f"PRAGMA table_info({table})")]
      def copy(table, source, changes):
          columns = names(table)
          chosen = ", ".join(changes.get(column, column) for column in columns)
          db.execute(f"INSERT INTO {table} ({', '.join(columns)}) SELECT {chosen} FROM {table} WHERE id = ?", (source,))
      photo = db.execute("SELECT id FROM photo").fetchone()[0]
      last = db.execute("SELECT max(sequence) FROM link").fetchone()[0]
      for number in range(1, int(sys.argv[2]) + 1):
          new = f"'0190a5c0-7d2e-7cc3-98c4-{number:012x}'"
          copy("link", photo, {"id": new, "sequence": str(last + number)})
          copy("photo", photo, {"id": new, "device_time": f"device_time - {1000 * number}"})
      db.commit()
      """
    let outcome = try await Program.run(
      "/usr/bin/python3",
      ["-c", script, scene.data + "/field/standpoint.sqlite", "\(count)"])
    try #require(outcome.status == 0, "\(outcome.errors)")
  }

  // MARK: photos

  @Test("two thousand photos are one list, of one query, whose pictures come when they are seen")
  func manyPhotos() async throws {
    try await withField { site, scene in
      try await site.signIn()
      let photo = try await scene.capture(scene.request())
      try await Self.multiply(scene, by: 2099)
      let watch = ContinuousClock()
      let began = watch.now
      let list = try await site.browser.get("/photos")
      // A debug build that asked for each row would take a minute.
      #expect(watch.now - began < .seconds(10))
      #expect(list.status == 200)
      for part in ["<li class=\"photo-row\"", "loading=\"lazy\"", "width=\"128\" height=\"96\""] {
        #expect(list.body.matches(of: try Regex(part)).count == 2000, "\(part)")
      }
      #expect(list.body.contains("Page 1 of 2") && list.body.contains("href=\"/photos?page=2\""))
      #expect(list.body.contains("Send all 2100 unsent"))
      // All rows share one token of the form.
      #expect(list.body.matches(of: try Regex("name=\"csrf\"")).count < 6)
      for last in ["2", "7", "99999999999999999999", "-1", "x"] {
        let page = try await site.browser.get("/photos?page=\(last)")
        let isSecond = ["2", "7"].contains(last)
        #expect(page.body.contains(isSecond ? "Page 2 of 2" : "Page 1 of 2"), "\(last)")
      }
      // The newest photo is the first.
      let newest = try await site.browser.get("/photos/\(photo.id)")
      #expect(newest.body.contains("Photo 1 of 2100"))
      #expect(newest.body.contains("href=\"/photos/0190a5c0-7d2e-7cc3-98c4-000000000001\">Next"))
    }
  }

  @Test(
    "a photo is shown large with its numbers, has neighbours, a whole screen, a PDF and a place")
  func onePhoto() async throws {
    try await withField { site, scene in
      let browser = site.browser
      try await site.signIn()
      let photo = try await scene.capture(scene.request())
      try await Self.multiply(scene, by: 2)
      let path = "/photos/\(photo.id)"
      let page = try await browser.get(path)
      for words in [
        "<details class=\"overlay\" id=\"overlay\" open>", "Altitude", "Azimuth", "Centroid",
        "20 samples", "href=\"\(path)/full\"", "href=\"/map?photo=\(photo.id)\"",
        "rel=\"next\"", "○ not sent", "href=\"\(path)/delete\"",
      ] {
        #expect(page.body.contains(words), "\(words)")
      }
      #expect(!page.body.contains("rel=\"prev\""), "nothing comes before the first")
      let full = try await browser.get(path + "/full")
      #expect(
        full.body.contains("class=\"full-view") && full.body.contains("/full\" aria-label=\"Next\"")
      )
      let middle = try await browser.get("/photos/0190a5c0-7d2e-7cc3-98c4-000000000001/full")
      #expect(middle.body.contains("rel=\"prev\"") && middle.body.contains("rel=\"next\""))
      let pdf = try await browser.get(path + "/photo.pdf")
      #expect(pdf.type == "application/pdf" && pdf.bytes.starts(with: Array("%PDF".utf8)))
      let kml = try await browser.get(path + "/photo.kml")
      #expect(kml.body.contains("<kml") && kml.body.contains(photo.id.description))
      let question = try await browser.get(path + "/delete")
      #expect(question.body.contains("permanently") && question.body.contains("Keep it"))
      #expect(try await browser.post(path + "/send").location == path + "?done=queued")
      let sent = try await browser.get(path)
      #expect(sent.body.contains("↑ sent, waiting") && !sent.body.contains("/delete\""))
      #expect(try await browser.get(path + "/delete").status == 422)
      let other = "/photos/0190a5c0-7d2e-7cc3-98c4-000000000002"
      #expect(
        try await browser.post(other + "/send", ["from": "list"]).location
          == "/photos?done=queued#photo-0190a5c0-7d2e-7cc3-98c4-000000000002")
      let unknown = "/photos/0190a5c0-7d2e-7cc3-98c4-0000000000ff"
      for part in ["", "/full", "/delete", "/photo.pdf", "/photo.kml", "/thumbnail.jpg"] {
        #expect(try await browser.get(unknown + part).status == 404, "\(part)")
        #expect(try await browser.get("/photos/nonsense" + part).status == 404, "\(part)")
      }
    }
  }

  @Test(
    "previews are kept by the browser; what cannot be read has a frame in its place, kept by nobody"
  )
  func previews() async throws {
    try await withField { site, scene in
      try await site.signIn()
      let photo = try await scene.capture(scene.request())
      try await Self.multiply(scene, by: 1)
      let preview = try await site.browser.get("/photos/\(photo.id)/thumbnail.jpg")
      #expect(preview.type == "image/jpeg")
      #expect(
        preview.headers.first(name: "Cache-Control") == "private, no-cache, must-revalidate")
      #expect(try JPEGPicture.inspect(preview.bytes).widthPixels == 320)
      let missing = try await site.browser.get(
        "/photos/0190a5c0-7d2e-7cc3-98c4-000000000001/thumbnail.jpg")
      #expect(missing.status == 200 && missing.type == "image/svg+xml")
      #expect(missing.headers.first(name: "Cache-Control") == "no-store")
    }
  }

  @Test("pictures that a browser has kept are shown to nobody after sign-out, nor to the next one")
  func picturesAfterSignOut() async throws {
    try await withField { site, scene in
      try await site.signIn()
      let photo = try await scene.capture(scene.request())
      var tags: [String: String] = [:]
      let paths = ["thumbnail.jpg", "photo.jpg"].map { "/photos/\(photo.id)/\($0)" }
      for path in paths {
        let answer = try await site.browser.get(path)
        #expect(answer.status == 200 && answer.type == "image/jpeg")
        let caching = try #require(answer.headers.first(name: "Cache-Control"))
        #expect(caching.contains("private") && caching.contains("no-cache"), "\(path)")
        #expect(!caching.contains("immutable") && !caching.contains("max-age"), "\(path)")
        let tag = try #require(answer.headers.first(name: "ETag"))
        tags[path] = tag
        // A photo that has not changed is not sent again, to a browser that may see it.
        let again = try await site.browser.get(path, [("If-None-Match", tag)])
        #expect(again.status == 304 && again.bytes.isEmpty, "\(path)")
      }
      #expect(Set(tags.values).count == 2, "a photo is not its own preview")
      _ = try await site.browser.get("/sign-out")
      let out = try await site.browser.post("/sign-out")
      #expect(out.headers.first(name: "Clear-Site-Data") == "\"cache\"")
      for path in paths {
        let answer = try await site.browser.get(path, [("If-None-Match", tags[path] ?? "")])
        #expect(answer.status == 303 && answer.location == "/sign-in", "\(path)")
      }
    }
  }

  // MARK: tasks

  @Test("a task shows what it must hold, its photos, and its parcel as a drawing")
  func task() async throws {
    try await withField { site, scene in
      let browser = site.browser
      try await site.signIn()
      let tasks = try scene.tasks()
      let path = "/tasks/\(tasks[0].id)"
      _ = try await browser.get(path)
      _ = try await browser.post(path + "/open")
      let before = try await browser.get(path)
      for words in [
        "href=\"/camera?task=\(tasks[0].id)\"", "○ 1 photo, missing",
        "<path class=\"parcel\"",
        "href=\"/map?task=\(tasks[0].id)\"", "data-live=\"/live/tasks/\(tasks[0].id)/place\"",
        "No recent position: the distance to the parcels is not known.",
      ] {
        #expect(before.body.contains(words), "\(words)")
      }
      let photo = try await scene.capture(scene.request(task: tasks[0].id))
      let after = try await browser.get(path)
      for words in [
        "✓ 1 photo", "/photos/\(photo.id)/thumbnail.jpg", "href=\"/photos/\(photo.id)/full\"",
        "href=\"/photos/\(photo.id)/delete\"", "<circle class=\"place\"",
      ] {
        #expect(after.body.contains(words), "\(words)")
      }
      let bare = try await browser.get("/tasks/\(tasks[1].id)")
      #expect(bare.body.contains("This task has no parcel."))
      _ = try await browser.post(path + "/send")
      let sent = try await browser.get(path)
      #expect(!sent.body.contains("/delete\"") && sent.body.contains("Take back"))
      let pdf = try await browser.get("/photos/\(photo.id)/photo.pdf")
      #expect(pdf.status == 200 && pdf.type == "application/pdf")
    }
  }

  @Test(
    "the list of tasks is sorted and filtered by its address, says what is overdue, and asks the office"
  )
  func taskList() async throws {
    try await withField { site, scene in
      let browser = site.browser
      let now = scene.clock.deviceTime
      var orders = ["Beet", "Apple", "Clover"].map { FieldPagesTests.order($0, at: now) }
      orders[0].due = now.advanced(bySeconds: -86_400)
      orders[1].due = now.advanced(bySeconds: 864_000)
      site.office.order(orders)
      try await site.signIn()
      func names(_ query: String) async throws -> [String] {
        try await browser.get("/tasks" + query).body.matches(
          of: #/<strong>([A-Z][a-z]+)<\/strong>/#
        )
        .map { String($0.1) }
      }
      #expect(try await names("") == ["Beet", "Apple", "Clover"])
      #expect(try await names("?sort=name") == ["Apple", "Beet", "Clover"])
      #expect(try await names("?sort=name&reverse=yes") == ["Clover", "Beet", "Apple"])
      #expect(try await names("?sort=due&reverse=yes") == ["Apple", "Beet", "Clover"])
      #expect(try await names("?text=LOV") == ["Clover"])
      #expect(try await names("?state=open").isEmpty)
      let page = try await browser.get("/tasks?sort=name&state=todo&reverse=yes")
      #expect(page.body.contains("class=\"is-overdue\">⚠ overdue, due 2026-05-31"))
      #expect(page.body.contains("<option value=\"name\" selected>"))
      #expect(page.body.contains("<option value=\"todo\" selected>"))
      #expect(page.body.contains("name=\"reverse\" value=\"yes\" checked"))
      #expect(try await browser.post("/deliver", ["to": "tasks"]).location == "/tasks")
      #expect(try await browser.post("/deliver", ["to": "https://x"]).location == "/outbox")
    }
  }

  // MARK: the outbox

  @Test("the outbox has pages, and says of each thing what it is; receipts name office and digest")
  func outbox() async throws {
    try await withField { site, scene in
      let browser = site.browser
      try await site.signIn()
      #expect(try await browser.get("/outbox/receipts").body.contains("No receipts yet."))
      let photo = try await scene.capture(scene.request())
      try site.unit().sendPhotos([photo.id])
      try await site.deliver()
      let receipt = try #require(try site.unit().delivery.receipts().first)
      let receipts = try await browser.get("/outbox/receipts")
      for words in [
        site.address, receipt.id.description, Digest.hexadecimal(Array(receipt.jws.utf8)),
        "records: 1, files: ",
      ] {
        #expect(receipts.body.contains(words), "\(words)")
      }
      #expect(try await browser.get("/outbox").body.contains("All receipts (1)"))
      // The outbox shows these photos without their files.
      try await Self.multiply(scene, by: 150)
      try site.unit().store.write(as: FieldScene.person) { session in
        for id in try session.photos.identifiers(.standalone) where id != photo.id {
          try session.outbox.insert(
            OutboxEntry(try session.photos.photo(id), queued: scene.clock.deviceTime))
        }
      }
      let first = try await browser.get("/outbox")
      #expect(first.body.contains("150 entries waiting") && first.body.contains("Page 1 of 2"))
      #expect(first.body.matches(of: try Regex("href=\"/photos/0190a5c0")).count == 100)
      let second = try await browser.get("/outbox?page=2")
      #expect(second.body.matches(of: try Regex("href=\"/photos/0190a5c0")).count == 50)
      for page in ["9", "99999999999999999999", "-3"] {
        let rows = try await browser.get("/outbox?page=\(page)").body
          .matches(of: try Regex("href=\"/photos/0190a5c0")).count
        #expect(rows == (page == "9" ? 50 : 100), "\(page)")
      }
    }
  }
}
