import Foundation
import Geodesy
import Imagery
import Inspection
import OfficeScenes
import Receivers
import Store
import Sync
import TestSupport
import Testing
import TimeAndText

@testable import Office
@testable import OfficePages

@Suite("Photo points of archive pictures", .timeLimit(.minutes(5)))
struct ArchivePictureTests {
  private func picture() throws -> [UInt8] {
    try DemonstrationPicture.jpeg(
      widthPixels: 640, heightPixels: 480, seed: 4, captionLines: ["1998"])
  }

  private static let fields = [
    "name": "Old mill", "taken": "1998-05-30", "latitude": "49,08", "longitude": "16.63",
    "uncertainty": "25", "azimuth": "350", "accuracy": "12", "parcel": "P-1",
  ]

  @Test(
    "a picture becomes a point whose place is estimated; devices near it get it, and a backup holds it"
  )
  func made() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      let bytes = try picture()
      try await withSite(scene.office) { site in
        let otto = site.browser()
        try await otto.signIn("otto")
        let first = try await otto.get("/points/new")
        #expect(first.body.contains("Photo point of an archive picture"))
        let id = try scene.office.points.keepArchive(picture: bytes, in: "north")
        let form = try await otto.get("/points/new?picture=\(id)")
        #expect(form.status == 200 && form.body.contains("data-pin-map"))
        #expect(try await otto.get("/points/picture/\(id)").status == 200)
        var fields = Self.fields
        fields["picture"] = id.description
        for (name, wrong) in [
          ("taken", "1998"), ("latitude", "91"), ("longitude", ""), ("uncertainty", "0"),
          ("azimuth", "361"), ("accuracy", "x"), ("name", String(repeating: "a", count: 101)),
        ] {
          var faulty = fields
          faulty[name] = wrong
          let refused = try await otto.post("/points/new", faulty)
          #expect(refused.status == (name == "name" ? 422 : 400), "\(name)")
          #expect(refused.body.contains("data-pin-map"))
        }
        let answer = try await otto.post("/points/new", fields)
        let address = try #require(answer.header("Location"))
        let point = try #require(
          try await scene.office.points.page(named: "mill", after: nil, limit: 5, in: "north")
            .points.first)
        #expect(address == "/points/\(point.id)?done=point")
        #expect(point.pose == .estimated && point.code != nil && point.parcel == "P-1")
        #expect(point.stand.uncertaintyMetres95 == 25)
        #expect(point.stand.orientation?.trustedAzimuthDegrees == 350)
        let page = try await otto.get("/points/\(point.id)")
        #expect(page.body.contains("imported, not sealed"))
        #expect(page.body.contains("<dd>1998-05-30</dd>"), "nobody knows the time of day")
        #expect(page.body.contains("Place and direction are estimated"))
        #expect(try await otto.get("/points/\(point.id)/reference.jpg").status == 200)
        // Another agency sees neither the picture nor the point.
        let sara = site.browser()
        try await sara.signIn("sara")
        #expect(try await sara.get("/points/picture/\(id)").status == 404)
        #expect(try await sara.get("/points/\(point.id)/reference.jpg").status == 404)
        let theirs = try await sara.post("/points/new", fields)
        #expect(theirs.status == 404)
        _ = try await scene.order()
        let ines = scene.person("ines", .inspector)
        let list = try await scene.office.points.points(aroundTasksOf: ines)
        #expect(list.points.map(\.id) == [point.id.description])
        #expect(try await scene.office.operation.differences().isEmpty)
        let backup = folder.appendingPathComponent("backup.tar").path
        let outcome = try await scene.office.operation.backup(to: backup)
        #expect(outcome.differences.isEmpty && outcome.bytes > bytes.count)
      }
    }
  }

  @Test("bytes that are no whole JPEG are refused, and a missing file is told as a difference")
  func hostile() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      let bytes = try picture()
      for wrong in [[], Array("GIF89a".utf8), Array(bytes.prefix(bytes.count / 2))] {
        #expect(throws: OfficeRefusal.self) {
          _ = try scene.office.points.keepArchive(picture: wrong, in: "north")
        }
      }
      let id = try scene.office.points.keepArchive(picture: bytes, in: "north")
      let order = ArchiveOrder(
        picture: id, place: try #require(Coordinate(latitudeDegrees: 49, longitudeDegrees: 16)),
        uncertaintyMetres: 5, taken: scene.clock.deviceTime)
      let point = try await scene.office.points.make(order, by: "otto", in: "north")
      #expect(point.stand.orientation == nil)
      #expect(try await scene.office.points.make(order, by: "otto", in: "north") == point)
      try scene.office.photos.remove(EvidenceName.archive(id, agency: "north"))
      let differences = try await scene.office.operation.differences()
      #expect(differences.map(\.message) == ["it is missing"])
    }
  }
}
