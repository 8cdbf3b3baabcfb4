import Foundation
import Geodesy
import Inspection
import Positioning
import Receivers
import Store
import Sync
import TestSupport
import Testing
import TimeAndText

@testable import FieldPages
@testable import FieldUnit

@Suite("The field unit's pages of photo points", .timeLimit(.minutes(5)))
struct PhotoPointPagesTests {
  private func withPoint(
    _ body:
      @escaping @Sendable (FieldPagesTests.Site, FieldScene, Photo, PhotoPoint) async throws
      -> Void
  ) async throws {
    try await FieldPagesTests().withField(hasReceiver: true) { site, scene in
      try await site.signIn()
      let photo = try await scene.capture(scene.request())
      let point = try scene.unit.points.make(
        of: photo.id, name: "Hedge <script>", subject: photo.position.coordinate)
      try await body(site, scene, photo, point)
    }
  }

  @Test(
    "without a photo point the list says how one is made, and a code that is none is refused with what was typed"
  )
  func empty() async throws {
    try await FieldPagesTests().withField { site, _ in
      try await site.signIn()
      let page = try await site.browser.get("/nearby")
      #expect(page.status == 200 && page.body.contains("No photo points on this device yet."))
      #expect(page.body.contains("No recent position"))
      let wrong = try await site.browser.post("/nearby/code", ["code": "ABCD\""])
      #expect(wrong.status == 422 && wrong.body.contains("This is no code of a photo point"))
      #expect(wrong.body.contains("value=\"ABCD&quot;\""))
      var random = SeededGenerator(seed: 1)
      let code = PhotoPointCode(using: &random)
      for text in [code.description, code.labelText(agency: "south")] {
        let foreign = try await site.browser.post("/nearby/code", ["code": text])
        #expect(foreign.status == 422 && foreign.body.contains("is not on this device"))
      }
    }
  }

  @Test("a point's page shows its picture, its way and its tasks, and escapes what people wrote")
  func page() async throws {
    try await withPoint { site, scene, photo, point in
      _ = try scene.tasks()
      let page = try await site.browser.get("/points/\(point.id)")
      #expect(page.status == 200 && page.body.contains("Hedge &lt;script&gt;"))
      #expect(page.body.contains("/points/\(point.id)/reference.jpg"))
      #expect(page.body.contains("Take this view again for &quot;First&quot;"))
      #expect(page.body.contains("Take this view again without a task"))
      #expect(page.body.contains("not yet: the office gives it"))
      let picture = try await site.browser.get("/points/\(point.id)/reference.jpg")
      let own = try DurableFile.read(scene.unit.path(ofPhoto: photo.id))
      #expect(picture.status == 200 && picture.bytes == own)
      let small = try await site.browser.get("/points/\(point.id)/thumbnail.jpg")
      #expect(small.status == 200 && small.bytes.count < own.count)
      #expect(try await site.browser.get("/points/\(point.id)/footing.jpg").status == 404)
      #expect(try await site.browser.get("/points/\(photo.id)").status == 404)
      let list = try await site.browser.get("/nearby")
      #expect(
        list.body.contains("/points/\(point.id)") && list.body.contains("Hedge &lt;script&gt;"))
      // Sixty cards ask at once; each picture is made once and is whole.
      try await withThrowingTaskGroup(of: [UInt8].self) { group in
        for _ in 0..<8 {
          group.addTask { try await site.browser.get("/points/\(point.id)/thumbnail.jpg").bytes }
        }
        for try await bytes in group { #expect(bytes == small.bytes) }
      }
      let camera = try await site.browser.get("/camera?point=\(point.id)")
      #expect(camera.status == 200 && camera.body.contains("data-kind=\"point\""))
      #expect(camera.body.contains("data-point=\"\(point.id)\""))
      #expect(try await site.browser.get("/camera?point=\(photo.id)").status == 404)
      let map = try await site.browser.get("/map/view.json")
      #expect(map.body.contains("\"points\":[{\"at\":"))
      _ = try await site.browser.post("/sign-out")
      for path in ["/nearby", "/points/\(point.id)", "/points/\(point.id)/reference.jpg"] {
        #expect(try await site.browser.get(path).location == "/sign-in")
      }
    }
  }

  @Test(
    "a photo becomes a point behind a summary; half a place and a long name are refused, and nothing typed is lost"
  )
  func making() async throws {
    try await withPoint { site, scene, photo, _ in
      let form = try await site.browser.get("/photos/\(photo.id)/point")
      #expect(form.status == 200 && form.body.contains("Make a photo point"))
      let path = "/photos/\(photo.id)/point"
      for fields in [
        ["name": "Gate", "latitude": "49.1"], ["name": "Gate", "latitude": "x", "longitude": "1"],
        ["name": "Gate", "latitude": "91", "longitude": "1"],
      ] {
        let refused = try await site.browser.post(path, fields)
        #expect(refused.status == 422 && refused.body.contains("value=\"Gate\""))
      }
      let long = try await site.browser.post(path, ["name": String(repeating: "a", count: 101)])
      #expect(long.status == 422 && long.body.contains("at most 100 characters"))
      let before = try scene.unit.points.all().count
      #expect(try await site.browser.get(path + "/summary").location == path, "nothing to sum up")
      let entries = ["name": "Gate", "latitude": "49,1", "longitude": "16.6", "footing": ""]
      let on = try await site.browser.post(path, entries)
      #expect(on.location == path + "/summary")
      let summary = try await site.browser.get(path + "/summary")
      #expect(summary.body.contains("<h2>Gate</h2>") && summary.body.contains("Step 4 of 4"))
      #expect(summary.body.contains("Without a photo of the ground."))
      #expect(summary.body.contains("data-fixed=\"[16.6,49.1]\""))
      // Back, everything is still there.
      let back = try await site.browser.get(path)
      #expect(back.body.contains("value=\"Gate\"") && back.body.contains("value=\"49,1\""))
      #expect(try scene.unit.points.all().count == before, "nothing is made before the last button")
      let id = try #require(
        summary.body.firstMatch(of: /name="id" value="([^"]+)"/)?.output.1
      ).description
      let full = entries.merging(["id": id]) { $1 }
      let made = try await site.browser.post(path + "/summary", full)
      let twice = try await site.browser.post(path + "/summary", full)
      #expect(twice.location == made.location, "a form that comes twice makes one point")
      #expect(try await site.browser.get(path + "/summary").location == path, "the draft is gone")
      // The same identifier with another photo is another point: none is lost in silence.
      let second = try await scene.capture(scene.request())
      let elsewhere = try await site.browser.post("/photos/\(second.id)/point/summary", full)
      #expect(elsewhere.location != made.location)
      let half = try await site.browser.post(
        path + "/summary", ["name": "Half", "latitude": "49", "longitude": ""])
      #expect(half.status == 422 && half.body.contains("value=\"Half\""))
      let address = try #require(made.location)
      #expect(address.hasPrefix("/points/") && address.hasSuffix("?done=point"))
      let points = try scene.unit.points.all()
      #expect(points.count == before + 2)
      let point = try #require(
        points.first { $0.name == "Gate" && $0.reference.photo == photo.id })
      #expect(point.subject?.latitudeDegrees == 49.1 && point.reference.photo == photo.id)
      // A photo that is not there, and one of nobody, make no point.
      let none = try await site.browser.get("/photos/\(point.id)/point")
      #expect(none.status == 404)
      let ghost = try await site.browser.post(
        path + "/summary", ["name": "x", "footing": point.id.description])
      #expect(ghost.status == 404)
      #expect(try scene.unit.points.all().count == before + 2)
    }
  }

  @Test(
    "the camera leads from the picture to the ground and to the form; another picture keeps the entries"
  )
  func flow() async throws {
    try await withPoint { site, scene, photo, _ in
      let task = try #require(try scene.tasks().first)
      let camera = try await site.browser.get("/camera?making=yes&task=\(task.id)")
      #expect(camera.body.contains("A new photo point"))
      #expect(camera.body.contains("data-making=\"yes\""))
      #expect(camera.body.contains("name=\"making\" value=\"yes\""))
      let form = ["making": "yes", "task": "\(task.id)"]
      let keep = form.merging(["photo": "\(photo.id)"]) { $1 }
      let ground = try await site.browser.post("/camera/close", keep)
      #expect(ground.location == "/camera?task=\(task.id)&footing=\(photo.id)")
      let closed = try await site.browser.post("/camera/close", form)
      #expect(closed.location == "/tasks/\(task.id)", "closed without a picture")
      let bare = try await site.browser.post("/camera/close", ["making": "yes"])
      #expect(bare.location == "/nearby")
      let second = try await site.browser.get("/camera?task=\(task.id)&footing=\(photo.id)")
      #expect(second.body.contains("Skip") && !second.body.contains("data-camera-label"))
      let path = "/photos/\(photo.id)/point"
      let skip = try await site.browser.post("/camera/close", ["footing": "\(photo.id)"])
      #expect(skip.location == path)
      // The entries wait for another picture.
      let other = try await scene.capture(scene.request())
      let again = try await site.browser.post(path, ["name": "Gate", "go": "picture"])
      #expect(again.location == "/camera?making=yes")
      // Closed without one, the camera leads back to the form; a second close leads to no form.
      let back = try await site.browser.post("/camera/close", ["making": "yes"])
      #expect(back.location == path)
      #expect(try await site.browser.get(path).body.contains("value=\"Gate\""))
      _ = try await site.browser.post(path, ["name": "Gate", "go": "picture"])
      let unrelated = try await site.browser.get("/photos/\(other.id)/point")
      #expect(!unrelated.body.contains("value=\"Gate\""), "no picture was kept yet")
      let kept = try await site.browser.post(
        "/camera/close", ["making": "yes", "photo": "\(other.id)"])
      #expect(kept.location == "/camera?footing=\(other.id)")
      let next = try await site.browser.get("/photos/\(other.id)/point")
      #expect(next.body.contains("value=\"Gate\""))
      let toGround = try await site.browser.post(path, ["name": "Gate", "go": "ground"])
      #expect(toGround.location == "/camera?footing=\(photo.id)")
      let another = try await site.browser.get("/photos/\(other.id)/point")
      #expect(
        !another.body.contains("value=\"Gate\""), "a draft of another photo is not this one's")
    }
  }

  @Test("a pin behind the camera is named before the point is made")
  func doubtfulPin() async throws {
    try await withPoint { site, scene, _, _ in
      var request = scene.request()
      request.aim = CaptureRequest.Aim(headingDegreesTrue: 90)
      let photo = try await scene.capture(request)
      let here = photo.position.coordinate
      for (east, isDoubted) in [(0.001, false), (-0.001, true)] {
        let path = "/photos/\(photo.id)/point"
        _ = try await site.browser.post(
          path,
          [
            "latitude": "\(here.latitudeDegrees)", "longitude": "\(here.longitudeDegrees + east)",
          ])
        let page = try await site.browser.get(path + "/summary")
        #expect(page.body.contains("not in the direction of the lens") == isDoubted)
      }
    }
  }

  @Test("the distance of Nearby is kept, within its limits")
  func radius() async throws {
    try await withPoint { site, _, _, _ in
      for wrong in ["99", "50001", "-1", "", "1e9", "ten"] {
        let refused = try await site.browser.post("/nearby/radius", ["metres": wrong])
        #expect(refused.status == 422)
      }
      let kept = try await site.browser.post("/nearby/radius", ["metres": "700"])
      #expect(kept.location == "/nearby")
      let page = try await site.browser.get("/nearby")
      #expect(page.body.contains("value=\"700\""))
    }
  }

  @Test(
    "a task's photo point wants a repeat or a reason before the task is sent; a strict task refuses a repeat from elsewhere"
  )
  func wished() async throws {
    try await withPoint { site, scene, photo, point in
      var task = try #require(try scene.tasks().first)
      task.repeats = RepeatWish(points: [point.id, point.id], isStrict: true)
      task.revision += 1
      let merged = TaskMerge(device: try scene.unit.task(task.id), office: task)
      try scene.unit.store.write(as: scene.unit.person) {
        try $0.tasks.save(merged, at: scene.clock.deviceTime)
      }
      #expect(try scene.unit.task(task.id).repeats?.points == [point.id])
      let page = try await site.browser.get("/tasks/\(task.id)")
      #expect(page.body.contains("to be photographed again"))
      #expect(page.body.contains("/camera?task=\(task.id)&amp;point=\(point.id)"))
      // The walk ends 30 m from where the point was made to lie.
      var far = point
      far.stand.coordinate = try #require(
        Coordinate(latitudeDegrees: 49.2, longitudeDegrees: 16.63))
      var request = scene.request(task: task.id)
      request.repeats = RepeatAim(at: far) { _ in nil }
      let refusal = await #expect(throws: FieldUnitError.self) {
        _ = try await scene.capture(request)
      }
      #expect("\(refusal.map { "\($0)" } ?? "")".contains("from the earlier place"))
      #expect(try scene.unit.photos(.task(task.id)).isEmpty, "nothing is kept of it")
      _ = photo
      let other = try FieldScene.unit(scene.folder, clock: scene.clock)
      #expect(throws: InspectionError.self) { _ = try other.provideTask(task.id) }
      let blank = try await site.browser.post(
        "/tasks/\(task.id)/points/\(point.id)", ["reason": " "])
      #expect(blank.status == 422)
      let told = try await site.browser.post(
        "/tasks/\(task.id)/points/\(point.id)", ["reason": "The hedge is gone."])
      #expect(told.location == "/tasks/\(task.id)?done=reason")
      #expect(try scene.unit.points.lacking(for: scene.unit.task(task.id)) == 0)
      let shown = try await site.browser.get("/tasks/\(task.id)")
      #expect(shown.body.contains("The hedge is gone."))
    }
  }
}
