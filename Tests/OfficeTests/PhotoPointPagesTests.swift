import Exports
import Foundation
import Geodesy
import Inspection
import OfficeExporting
import OfficeScenes
import Receivers
import Sync
import TestSupport
import Testing
import TimeAndText

@testable import Office
@testable import OfficePages

@Suite("Photo points at the office", .timeLimit(.minutes(5)))
struct PhotoPointPagesTests {
  /// Makes an office to which an inspector has delivered a task with three photos.
  private func delivered(
    _ folder: URL
  ) async throws -> (scene: OfficeScene, task: Identifier, photos: [Photo]) {
    let scene = try await OfficeScene(folder)
    let task = try await scene.provided(3).id
    let photos = try await scene.office.review.view(of: task, in: "north").photos.map(\.photo)
    try #require(photos.count == 3)
    return (scene, task, photos)
  }

  private func makePoint(
    _ scene: OfficeScene, of photo: Photo, named name: String? = "Gate", after seconds: Double = 0
  ) async throws -> PhotoPoint {
    let made = scene.clock.deviceTime.advanced(bySeconds: seconds)
    let id = Identifier(at: made)
    _ = try await scene.office.points.make(
      PhotoPointOrder(id: id, photo: photo.id, name: name, made: made), by: "otto", own: nil,
      in: "north")
    return try await scene.office.points.point(id, in: "north")
  }

  /// Keeps a photo as a repeat of a point, three days after the reference.
  private func keepRepeat(
    _ scene: OfficeScene, of point: PhotoPoint, _ photo: Photo, digest: String? = nil
  ) async throws {
    var claims = RepeatClaims(
      point: point.id, referenceDigest: digest ?? point.reference.digest, distanceMetres: 1.24)
    claims.distanceUncertaintyMetres95 = 2.5
    claims.angleDegrees = 4.21
    claims.inliers = 130
    claims.displacementPercent = 1
    let kept = ReceivedRepeat(
      photo: photo.id, taken: point.taken.advanced(bySeconds: 3 * 86_400), claims: claims)
    try await scene.office.database.write(in: "north") { try $0.points.keep(kept) }
  }

  @Test("a photo's card makes a photo point, and card, list and log lead to it")
  func making() async throws {
    try await withTemporaryDirectory { folder in
      let (scene, task, photos) = try await delivered(folder)
      try await withSite(scene.office) { site in
        let otto = site.browser()
        try await otto.signIn("otto")
        #expect(try await otto.get("/points").body.contains("There are no photo points yet."))
        let card = "action=\"/photos/\(photos[0].id)/point\""
        #expect(try await otto.get("/tasks/\(task)").body.contains(card))
        let made = try await otto.post("/photos/\(photos[0].id)/point", ["name": " Gate "])
        #expect(made.status == 303)
        let address = try #require(made.location)
        let points = try await scene.office.database.read(in: "north") {
          try $0.points.points(ofPhoto: photos[0].id)
        }
        let point = try #require(points.first)
        #expect(points.count == 1 && point.name == "Gate" && point.maker == "otto")
        #expect(address == "/points/\(point.id)?done=point")
        let page = try await otto.get(address).body
        #expect(page.contains("The photo point is made.") && page.contains("<h1>Gate</h1>"))
        let code = try #require(point.code)
        #expect(page.contains(code.spaced))
        #expect(page.contains("Nobody has repeated the reference photo yet."))

        let link = "<a href=\"/points/\(point.id)\">Gate</a>"
        #expect(try await otto.get("/tasks/\(task)").body.contains(link))
        #expect(try await otto.get("/points").body.contains(link))
        let log = try await otto.get("/log").body
        #expect(log.contains("made the <a href=\"/points/\(point.id)\">photo point</a>"))
        // Inspectors see neither the form nor the point.
        let ines = site.browser()
        try await ines.signIn("ines")
        let own = try await ines.get("/tasks/\(task)").body
        #expect(!own.contains("/points") && !own.contains("/point\""))
      }
    }
  }

  @Test("the list finds photo points by a part of their name, by their code and by their parcel")
  func searching() async throws {
    try await withTemporaryDirectory { folder in
      let (scene, _, photos) = try await delivered(folder)
      let gate = try await makePoint(scene, of: photos[0], named: "Gate")
      _ = try await makePoint(scene, of: photos[1], named: "Pond", after: 60)
      try await keepRepeat(scene, of: gate, photos[2])
      try await withSite(scene.office) { site in
        let otto = site.browser()
        try await otto.signIn("otto")
        func found(_ words: String) async throws -> [Bool] {
          let page = try await otto.get("/points?text=\(OfficeBrowser.encoded(words))").body
          return [page.contains(">Gate</a>"), page.contains(">Pond</a>")]
        }
        #expect(try await found("") == [true, true])
        #expect(try await found("gat") == [true, false])
        let code = try #require(gate.code)
        #expect(try await found(code.spaced) == [true, false])
        #expect(try await found(String(code.description.prefix(4))) == [true, false])
        #expect(try await found("P-1") == [true, true])
        #expect(try await found("windmill") == [false, false])
        let all = try await otto.get("/points").body
        #expect(all.contains("2 photo points"))
        #expect(all.contains("src=\"/photos/\(photos[0].id)/thumbnail.jpg\""))
        #expect(all.contains("data-label=\"Number of repeats\">1</td>"))
        let none = try await otto.get("/points?text=windmill").body
        #expect(none.contains("No photo point has this name, code or parcel."))
      }
    }
  }

  @Test("the list goes on after fifty photo points, the newest of which come first")
  func paging() async throws {
    try await withTemporaryDirectory { folder in
      let (scene, _, photos) = try await delivered(folder)
      for number in 0...50 {
        _ = try await makePoint(
          scene, of: photos[0], named: "Place \(number)", after: Double(number))
      }
      try await withSite(scene.office) { site in
        let otto = site.browser()
        try await otto.signIn("otto")
        let first = try await otto.get("/points?text=place").body
        #expect(first.contains(">Place 50</a>") && first.contains(">Place 1</a>"))
        #expect(!first.contains(">Place 0</a>") && !first.contains(">Newest</a>"))
        let match = try #require(first.firstMatch(of: #/href="(\/points\?[^"]+)">Older/#))
        let next = String(match.1).replacing("&amp;", with: "&")
        let second = try await otto.get(next).body
        #expect(second.contains(">Place 0</a>") && !second.contains(">Place 1</a>"))
        #expect(second.contains("href=\"/points?text=place\">Newest</a>"))
        #expect(!second.contains(">Older</a>"))
      }
    }
  }

  @Test("name, parcel and place of the thing can be changed, and wrong entries stay in the form")
  func changing() async throws {
    try await withTemporaryDirectory { folder in
      let (scene, _, photos) = try await delivered(folder)
      let point = try await makePoint(scene, of: photos[0])
      let address = "/points/\(point.id)"
      try await withSite(scene.office) { site in
        let otto = site.browser()
        try await otto.signIn("otto")
        func now() async throws -> PhotoPoint {
          try await scene.office.points.point(point.id, in: "north")
        }
        for (latitude, longitude) in [("91", "16,6"), ("49.1", ""), ("north", "16.6")] {
          let refused = try await otto.post(
            address,
            ["name": "Old gate", "parcel": "P-9", "latitude": latitude, "longitude": longitude])
          #expect(refused.status == 400)
          #expect(refused.body.contains("give latitude (-90 to 90) and longitude (-180 to 180)"))
          for entry in ["Old gate", "P-9", latitude, longitude] {
            #expect(refused.body.contains("value=\"\(entry)\""), "\(entry)")
          }
        }
        #expect(try await now() == point)
        let long = try await otto.post(address, ["name": String(repeating: "x", count: 101)])
        #expect(long.status == 422 && long.body.contains("at most 100 characters"))

        let changed = try await otto.post(
          address,
          ["name": "Old gate", "parcel": "P-9", "latitude": "49,0837", "longitude": "16.6386"])
        #expect(changed.location == "\(address)?done=pointSaved")
        let new = try await now()
        #expect(new.name == "Old gate" && new.parcel == "P-9")
        #expect(new.subject == Coordinate(latitudeDegrees: 49.0837, longitudeDegrees: 16.6386))
        #expect(new.stand == point.stand && new.reference == point.reference)
        let page = try await otto.get("\(address)?done=pointSaved").body
        #expect(page.contains("The photo point is changed."))
        #expect(page.contains("name=\"latitude\"") && page.contains("value=\"49.0837\""))
        #expect(try await otto.get("/log").body.contains("changed the <a href=\"\(address)\">"))

        _ = try await otto.get(address)
        #expect(try await otto.post(address, ["name": ""]).status == 303)
        let empty = try await now()
        #expect(empty.name == nil && empty.parcel == nil && empty.subject == nil)
      }
    }
  }

  @Test(
    "a withdrawn point leaves the list and new orders, says so, keeps its series, and comes back")
  func withdrawing() async throws {
    try await withTemporaryDirectory { folder in
      let (scene, _, photos) = try await delivered(folder)
      let point = try await makePoint(scene, of: photos[0])
      try await keepRepeat(scene, of: point, photos[1])
      let code = try #require(point.code).spaced
      try await withSite(scene.office) { site in
        let otto = site.browser()
        try await otto.signIn("otto")
        let address = "/points/\(point.id)"
        #expect(try await otto.get("/points").body.contains("Withdrawn:") == false)
        _ = try await otto.get(address)
        #expect(try await otto.post("\(address)/withdrawal", ["do": "burn"]).status == 400)
        let gone = try await otto.post("\(address)/withdrawal", ["do": "withdraw"])
        #expect(gone.location == "\(address)?done=pointWithdrawn")
        let page = try await otto.get(address).body
        #expect(page.contains("This photo point was withdrawn at"))
        #expect(page.contains("Repeat 1") && !page.contains("Order a repeat"))
        let list = try await otto.get("/points").body
        #expect(!list.contains(">Gate</a>") && list.contains("Withdrawn: 1"))
        #expect(try await otto.get("/points?show=withdrawn").body.contains(">Gate</a>"))
        let sought = try await otto.get("/points?show=withdrawn&text=nothing").body
        #expect(sought.contains("href=\"/points?show=withdrawn\""))
        await #expect(throws: OfficeRefusal.self) {
          _ = try await scene.office.points.points(named: code, in: "north")
        }
        // An order that names it already may still be changed.
        let kept = try await scene.office.points.points(
          named: code, keeping: [point.id], in: "north")
        #expect(kept.map(\.id) == [point.id])
        #expect(try await otto.get("/points").body.contains("All photo points are withdrawn."))
        let back = try await otto.post("\(address)/withdrawal", ["do": "bring-back"])
        #expect(back.location == "\(address)?done=pointBack")
        #expect(try await otto.get("/points").body.contains(">Gate</a>"))
        #expect(try await scene.office.points.points(named: code, in: "north") == [point])
        let empty = try await otto.get("/points?show=withdrawn").body
        #expect(empty.contains("No photo point is withdrawn."))
        let log = try await otto.get("/log").body
        #expect(log.contains("withdrew the <a href=\"\(address)\">"))
        #expect(log.contains("brought the <a href=\"\(address)\">photo point</a> back"))
      }
    }
  }

  @Test("another agency's photo point is not there, and inspectors are refused")
  func walls() async throws {
    try await withTemporaryDirectory { folder in
      let (scene, _, photos) = try await delivered(folder)
      let point = try await makePoint(scene, of: photos[0])
      try await withSite(scene.office) { site in
        for (login, one, all) in [("sara", 404, 200), ("ines", 403, 403)] {
          let browser = site.browser()
          try await browser.signIn(login)
          #expect(try await browser.get("/points").status == all, "\(login)")
          #expect(try await browser.get("/points").body.contains(">Gate</a>") == false)
          for path in ["/points/\(point.id)", "/points/\(point.id)/compare"] {
            #expect(try await browser.get(path).status == one, "\(login): \(path)")
          }
          _ = try await browser.get("/tasks")
          let posts: [(String, [String: String])] = [
            ("/points/\(point.id)", ["name": "Mine"]), ("/photos/\(photos[0].id)/point", [:]),
            ("/points/labels", ["point": point.id.description]),
          ]
          for (path, fields) in posts {
            #expect(try await browser.post(path, fields).status == one, "\(login): \(path)")
          }
        }
        #expect(try await scene.office.points.point(point.id, in: "north") == point)
      }
    }
  }

  @Test("a repeat stands in the series with its numbers, the record's and the office's own")
  func series() async throws {
    try await withTemporaryDirectory { folder in
      let (scene, task, photos) = try await delivered(folder)
      let point = try await makePoint(scene, of: photos[0])
      try await keepRepeat(scene, of: point, photos[1])
      try await withSite(scene.office) { site in
        let otto = site.browser()
        try await otto.signIn("otto")
        func page() async throws -> String { try await otto.get("/points/\(point.id)").body }
        // The claims say 1.24 m and 4.21°: the page shows the office's own numbers.
        let measure = RepeatMeasure(
          from: point.stand, to: try #require(RepeatMeasure.Stand(of: photos[1])))
        let distance = String(format: "%.1f", measure.distanceMetres)
        try #require(distance != "1.2" && measure.attitude == nil)
        let dossier = try await scene.office.exports.dossier(ofTask: task, in: "north")
        let printed = dossier.photos.compactMap(\.repetition).map(\.claims.distanceMetres)
        #expect(printed == [measure.distanceMetres])
        let waiting = try await page()
        for expected in [
          "Repeat 1", "3 days", "\(distance) ± 2.5 m <span class=\"met\">met</span>",
          "<dt>Angle</dt><dd>not known</dd>", "<dd>being compared</dd>",
          "/points/\(point.id)/compare?left=\(photos[0].id)&amp;right=\(photos[1].id)",
          "src=\"/photos/\(photos[1].id)/thumbnail.jpg\"",
        ] {
          #expect(waiting.contains(expected), "\(expected)")
        }
        let said = "The record says 1.0 %."
        let results: [(ReceivedRepeat.Measured, String, Bool)] = [
          (.displaced(percent: 6.5, inliers: 88), "6.5 % of the frame (88 features agree)", true),
          (.displaced(percent: 1.9, inliers: 90), "1.9 % of the frame (90 features agree)", false),
          (.unlike(matches: 12), "cannot be compared (12 matches)", true),
          (.failed, "could not be compared", true),
        ]
        for (measured, words, isOther) in results {
          try await scene.office.database.write(in: "north") {
            try $0.points.keep(measured, ofPhoto: photos[1].id, at: scene.clock.deviceTime)
          }
          let told = try await page()
          #expect(told.contains(words) && told.contains(said) == isOther, "\(words)")
        }
        #expect(try await page().contains("another reference photo") == false)
        let card = "<dt>Repeats</dt><dd><a href=\"/points/\(point.id)\">Gate</a></dd>"
        #expect(try await otto.get("/tasks/\(task)").body.contains(card))
        try await keepRepeat(
          scene, of: point, photos[2], digest: String(repeating: "ab", count: 32))
        #expect(try await page().contains("another reference photo"))
      }
    }
  }

  @Test("two photos of a series are compared, and a photo outside it is not")
  func comparing() async throws {
    try await withTemporaryDirectory { folder in
      let (scene, _, photos) = try await delivered(folder)
      let point = try await makePoint(scene, of: photos[0])
      let address = "/points/\(point.id)/compare"
      try await withSite(scene.office) { site in
        let otto = site.browser()
        try await otto.signIn("otto")
        let alone = try await otto.get(address)
        #expect(alone.status == 422 && alone.body.contains("you need two photos to compare"))
        try await keepRepeat(scene, of: point, photos[1])
        let page = try await otto.get(address).body
        for expected in [
          "data-pair", "Reference photo, ", "Repeat 1, ", "<dt>Distance</dt><dd>",
          "This server cannot compare pictures",
        ] {
          #expect(page.contains(expected), "\(expected)")
        }
        let both = "?left=\(photos[1].id)&right=\(photos[0].id)"
        #expect(try await otto.get(address + both).status == 200)
        #expect(try await otto.get(address + "?left=\(photos[2].id)").status == 404)
        #expect(try await otto.get(address + "?right=nothing").status == 404)
      }
    }
  }

  @Test("labels of no photo point lead back to the list, which says why")
  func noLabels() async throws {
    try await withTemporaryDirectory { folder in
      let (scene, _, photos) = try await delivered(folder)
      _ = try await makePoint(scene, of: photos[0])
      try await withSite(scene.office) { site in
        let otto = site.browser()
        try await otto.signIn("otto")
        let list = try await otto.get("/points").body
        #expect(list.contains("action=\"/points/labels\"") && list.contains(">Print labels<"))
        let answer = try await otto.post("/points/labels")
        #expect(answer.status == 303 && answer.location == "/points?done=nopoints")
        let back = try await otto.get("/points?done=nopoints").body
        #expect(back.contains("Select photo points in the list first."))
        let wrong = try await otto.post("/points/labels", ["point": "nothing"])
        #expect(wrong.status == 400)
      }
    }
  }

  @Test("two repeats that come at once both stand in the series, each with its own numbers")
  func atOnce() async throws {
    try await withTemporaryDirectory { folder in
      let (scene, _, photos) = try await delivered(folder)
      let point = try await makePoint(scene, of: photos[0])
      async let one: Void = keepRepeat(scene, of: point, photos[1])
      async let other: Void = keepRepeat(scene, of: point, photos[2])
      _ = try await (one, other)
      let series = try await scene.office.points.series(of: point.id, in: "north")
      #expect(Set(series.repeats.map(\.photo.photo.id)) == [photos[1].id, photos[2].id])
      #expect(series.repeats.allSatisfy { $0.repetition.claims.inliers == 130 })
    }
  }
}
