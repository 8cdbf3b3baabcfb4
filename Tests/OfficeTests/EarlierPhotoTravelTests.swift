import Evidence
import FieldUnit
import Foundation
import Geodesy
import Imagery
import Inspection
import OfficeScenes
import Positioning
import Receivers
import Store
import Sync
import Synchronization
import TestSupport
import Testing
import TimeAndText

@testable import Office
@testable import OfficePages

@Suite("Earlier photos between the office and field units", .timeLimit(.minutes(5)))
struct EarlierPhotoTravelTests {
  private final class Said: Sendable {
    let lines = Mutex<[String]>([])
    var all: [String] { lines.withLock { $0 } }
  }

  /// An office over HTTP, with a shelf for each device.
  private struct Stand: Sendable {
    let scene: OfficeScene
    let link: HTTPOfficeLink
    let said = Said()

    func folder(_ device: String) -> String {
      scene.folder.appendingPathComponent("\(device)/field/earlier-photos").path
    }

    func shelf(
      _ device: String, bytesAtMost: Int = 1 << 20, hasRoom: Bool = true
    ) -> EarlierPhotoShelf {
      EarlierPhotoShelf(
        folder: folder(device), bytesAtMost: bytesAtMost, hasRoom: { hasRoom },
        log: { [said] line in said.lines.withLock { $0.append(line) } })
    }

    /// Puts a photo of these years ago into the office, so many metres north of the task's parcel.
    @discardableResult
    func add(
      year: Int, metresNorth: Double = 100, agency: String = "north", day: Int = 5
    ) async throws -> Photo {
      let date = try #require(CivilDate(year: year, month: 6, day: day))
      let taken = DeviceTime(millisecondsSince1970: Int64(date.daysSince1970) * 86_400_000)
      let place = try #require(
        Coordinate(
          latitudeDegrees: 49.09 + metresNorth / 111_200, longitudeDegrees: 16.63))
      let picture = try PixelBuffer(
        width: 400, height: 300, colour: Colour(red: UInt8(year % 100), green: 90, blue: 90)
      ).encodeJPEG(quality: 80)
      let photo = Photo(
        id: Identifier(at: taken), agency: agency, inspector: agency == "north" ? "igor" : "sven",
        task: nil, origin: .camera, gnssTime: taken.gnssTime, deviceTime: taken,
        position: PhotoPosition(
          kept: place, ellipsoidalHeightMetres: nil, meanSeaLevelHeightMetres: nil,
          uncertaintyMetres95: 2, method: .fix), standpoint: nil, orientation: nil,
        camera: .assumed(widthPixels: 400, heightPixels: 300),
        fileDigest: Digest.hexadecimal(picture), bytes: picture.count, widthPixels: 400,
        heightPixels: 300, isSimulated: true, delivered: taken)
      try scene.office.photos.write(picture, as: EvidenceName.file(.capture, photo.id))
      try await scene.office.database.write(in: agency) { session in
        try session.photos.insert(
          ReceivedPhoto(
            photo: photo, verdict: .intact, findings: [], revision: nil, imageDigest: nil))
      }
      return photo
    }
  }

  private func withStand(_ body: @escaping @Sendable (Stand) async throws -> Void) async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      try await withSite(scene.office) { site in
        let link = try HTTPOfficeLink(address: "http://127.0.0.1:\(site.port)")
        try await body(Stand(scene: scene, link: link))
        await link.close()
      }
    }
  }

  /// Returns a unit with its task, whose parcel is 16.62…16.64 E, 49.07…49.09 N.
  private func unit(_ stand: Stand) async throws -> InspectorUnit {
    _ = try await stand.scene.order()
    let unit = try await stand.scene.unit()
    _ = try await unit.delivery.fetchTasks(over: stand.scene.link)
    return unit
  }

  @Test(
    "photos of many years around a task come with dates and small pictures, the agency's own only")
  func travels() async throws {
    try await withStand { stand in
      let near = try await [2019, 2021, 2024].asyncMap { try await stand.add(year: $0) }
      let far = try await stand.add(year: 2020, metresNorth: 900)
      let foreign = try await stand.add(year: 2020, agency: "south")
      let hidden = try await stand.add(year: 2020)
      try await stand.scene.office.database.write(in: "north") {
        try $0.photos.setHidden(stand.scene.clock.deviceTime, hidden)
      }
      let unit = try await unit(stand)
      let shelf = stand.shelf("tablet")
      #expect(shelf.clusters(of: unit.person).isEmpty)
      await shelf.bring(from: unit, over: stand.link)
      #expect(stand.said.all == [])
      let clusters = shelf.clusters(of: unit.person)
      #expect(clusters.count == 1 && clusters[0].count == 3 && clusters[0].id == nil)
      #expect(clusters[0].photos.map(\.id) == near.reversed().map { $0.id.description })
      #expect(clusters[0].photos[0].taken == "2024-06-05T00:00:00.000Z")
      for photo in near {
        let path = try #require(shelf.path(ofPhoto: photo.id, of: unit.person))
        let bytes = try DurableFile.read(path)
        let size = try JPEGPicture.inspect(bytes)
        #expect(size.widthPixels == 320 && size.heightPixels == 240)
        #expect(try JPEGMetadata(bytes).exif == nil)
      }
      for other in [far, foreign, hidden] {
        #expect(shelf.path(ofPhoto: other.id, of: unit.person) == nil)
        // Nobody gets at them by their identifiers, either.
        let token = try #require(try stand.scene.desk("tablet").signedIn()?.token)
        await #expect(throws: DeliveryError.self) {
          _ = try await stand.link.smallPicture(ofPhoto: other.id, token: token)
        }
      }
      // A minute behind the end of the last task its surroundings are nobody's business any more.
      let task = try #require(try unit.taskListings().tasks.first)
      try await stand.scene.office.review.decide(
        .withdraw, on: task.id, by: stand.scene.person("otto"), reason: "rain", seen: 0)
      let token = try #require(try stand.scene.desk("tablet").signedIn()?.token)
      _ = try await stand.link.smallPicture(ofPhoto: near[0].id, token: token)
      let later = stand.scene.clock.elapsed.advanced(bySeconds: 60)
      stand.scene.clock.advance(to: later, limit: nil)
      await #expect(throws: DeliveryError.self) {
        _ = try await stand.link.smallPicture(ofPhoto: near[0].id, token: token)
      }
      // Another person on the same device sees none of it.
      #expect(shelf.clusters(of: stand.scene.person("igor", .inspector)).isEmpty)
    }
  }

  @Test("nothing travels twice, and what has left the office's list leaves the device")
  func again() async throws {
    try await withStand { stand in
      let (old, kept) = (try await stand.add(year: 2019), try await stand.add(year: 2022))
      let unit = try await unit(stand)
      await stand.shelf("tablet").bring(from: unit, over: stand.link)
      let path = try #require(stand.shelf("tablet").path(ofPhoto: kept.id, of: unit.person))
      let before = try #require(FileStatus(ofPath: path))
      try await stand.scene.office.database.write(in: "north") {
        try $0.photos.setHidden(stand.scene.clock.deviceTime, old)
      }
      let shelf = stand.shelf("tablet")
      await shelf.bring(from: unit, over: stand.link)
      #expect(shelf.clusters(of: unit.person).map(\.id) == [kept.id.description])
      #expect(shelf.path(ofPhoto: old.id, of: unit.person) == nil)
      #expect(FileStatus(ofPath: path) == before)
      #expect(stand.said.all == [])
    }
  }

  @Test("a damaged list is said and fetched anew; a full shelf and a full disk are said once")
  func troubles() async throws {
    try await withStand { stand in
      let photo = try await stand.add(year: 2019)
      let unit = try await unit(stand)
      await stand.shelf("tablet", hasRoom: false).bring(from: unit, over: stand.link)
      #expect(stand.said.all.count == 1 && stand.said.all[0].contains("no room"))
      await stand.shelf("tablet", bytesAtMost: 100).bring(from: unit, over: stand.link)
      #expect(stand.said.all.count == 2 && stand.said.all[1].contains("no more are fetched"))
      let shelf = stand.shelf("tablet")
      #expect(shelf.clusters(of: unit.person).count == 1)
      #expect(shelf.path(ofPhoto: photo.id, of: unit.person) == nil)
      let folder = try #require(
        try FileManager.default.contentsOfDirectory(atPath: stand.folder("tablet")).first)
      let list = "\(stand.folder("tablet"))/\(folder)/list.json"
      try DurableFile.replace(list, with: Array("{".utf8))
      #expect(shelf.clusters(of: unit.person).isEmpty)
      #expect(stand.said.all.last?.contains("cannot be read, and is fetched anew") == true)
      await shelf.bring(from: unit, over: stand.link)
      #expect(shelf.clusters(of: unit.person).count == 1)
      #expect(shelf.path(ofPhoto: photo.id, of: unit.person) != nil)
    }
  }

  @Test("many photos in one place are counted, and of each year some come")
  func crowded() async throws {
    try await withStand { stand in
      for day in 1...12 { try await stand.add(year: 2025, day: day) }
      for year in 2018...2020 { try await stand.add(year: year) }
      let unit = try await unit(stand)
      let shelf = stand.shelf("tablet")
      await shelf.bring(from: unit, over: stand.link)
      let cluster = try #require(shelf.clusters(of: unit.person).first)
      #expect(cluster.count == 15 && cluster.photos.count == EarlierPhotoRule.shownAtMost)
      let years = Set(cluster.photos.map { $0.taken.prefix(4) })
      #expect(years == ["2025", "2020", "2019", "2018"])
      if PythonTools.areHere {
        let message = try WireJSON.bytes(EarlierPhotosMessage(clusters: [cluster]))
        let cases = "[[\"earlier-photos\",\(String(decoding: message, as: UTF8.self))]]"
        #expect(try await PythonTools.validate(cases: Array(cases.utf8)) == ["ok"])
      }
    }
  }

  @Test("a place with more photos than are read still shows each of its years")
  func veryCrowded() async throws {
    try await withStand { stand in
      // The tree of places has photos of one year side by side: a read that is cut off misses years.
      let years = 2014...2019
      for year in years {
        for number in 0..<60 { try await stand.add(year: year, day: 1 + number % 28) }
      }
      let unit = try await unit(stand)
      let shelf = stand.shelf("tablet")
      await shelf.bring(from: unit, over: stand.link)
      let cluster = try #require(shelf.clusters(of: unit.person).first)
      #expect(cluster.count == 60 * years.count && cluster.count > EarlierPhotoRule.readAtMost)
      #expect(Set(cluster.photos.map { $0.taken.prefix(4) }) == Set(years.map { "\($0)" }))
    }
  }

  @Test("nobody without a device's sign-in gets anything, and a stranger's words end in a refusal")
  func wall() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      try await withSite(scene.office) { site in
        let path = "/api/v1/earlier-photos"
        #expect(try await site.send("GET", path).status == 401)
        for login in ["otto", "ines"] {
          let browser = site.browser()
          try await browser.signIn(login)
          #expect(try await browser.get(path).status == 401, "a page of \(login)")
        }
        _ = try await scene.unit()
        let own = (
          "Authorization", "Bearer \(try #require(try scene.desk("tablet").signedIn()?.token))"
        )
        for id in ["x", "..", "019f81d8-1e3b-7814-8996-eb3362c9895a"] {
          #expect(
            try await site.send("GET", "\(path)/\(id)/small.jpg", [own]).status == 404, "\(id)")
        }
        let none = try await site.send("GET", path, [own])
        #expect(try EarlierPhotosMessage.read(none.bytes) == EarlierPhotosMessage())
        let tag = try #require(none.header("ETag"))
        #expect(try await site.send("GET", path, [own, ("If-None-Match", tag)]).status == 304)
      }
    }
  }
}

extension Array {
  fileprivate func asyncMap<Value>(
    _ make: (Element) async throws -> Value
  ) async throws -> [Value] {
    var made: [Value] = []
    for one in self { made.append(try await make(one)) }
    return made
  }
}
