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
import Verification

@testable import Office
@testable import OfficePages

@Suite("Photo points between field units and the office", .timeLimit(.minutes(5)))
struct PhotoPointTravelTests {
  private final class Said: Sendable {
    let lines = Mutex<[String]>([])
    var all: [String] { lines.withLock { $0 } }
  }

  /// An office over HTTP, with a shelf for each device.
  private struct Stand: Sendable {
    let scene: OfficeScene
    let link: HTTPOfficeLink
    let said = Said()

    func shelf(_ device: String, bytesAtMost: Int = 1 << 20, hasRoom: Bool = true)
      -> PhotoPointShelf
    {
      PhotoPointShelf(
        folder: scene.folder.appendingPathComponent("\(device)/field/photo-points").path,
        bytesAtMost: bytesAtMost, hasRoom: { hasRoom },
        log: { [said] line in said.lines.withLock { $0.append(line) } })
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

  /// Makes a point on the first device from a photo that was delivered, and tells the office.
  private func made(_ stand: Stand) async throws -> (unit: InspectorUnit, point: PhotoPoint) {
    _ = try await stand.scene.order()
    let (unit, task) = try await stand.scene.working(photos: 2)
    let photos = try unit.photos(.task(task.id))
    let point = try unit.points.make(
      of: photos[0].id, name: "Hedge", footing: photos[1].id,
      subject: Coordinate(latitudeDegrees: 49.081, longitudeDegrees: 16.631))
    await stand.shelf("tablet").bring(from: unit, over: stand.link)
    #expect(try unit.points.point(point.id).code == nil, "its photo is not at the office yet")
    try unit.provideTask(task.id)
    _ = try await unit.delivery.deliver(over: stand.scene.link)
    await stand.shelf("tablet").bring(from: unit, over: stand.link)
    return (unit, try unit.points.point(point.id))
  }

  @Test(
    "a point made in the field waits for its photo, gets its code, and comes to a colleague with its pictures"
  )
  func travels() async throws {
    try await withStand { stand in
      let (unit, point) = try await made(stand)
      let code = try #require(point.code, "\(stand.said.all)")
      #expect(point.name == "Hedge" && point.parcel == "P-1" && point.subject != nil)
      let kept = try await stand.scene.office.points.point(point.id, in: "north")
      #expect(kept == point)
      #expect(try unit.points.point(named: code.spaced) == point)
      #expect(try unit.points.point(named: code.labelText(agency: "north")) == point)
      #expect(throws: StoreError.self) {
        _ = try unit.points.point(named: code.labelText(agency: "south"))
      }
      // A colleague with a task there gets it; one of another agency, and one without a task, do not.
      _ = try await stand.scene.order("Again", for: "igor")
      let igor = try await stand.scene.unit("igor", on: "phone")
      _ = try await igor.delivery.fetchTasks(over: stand.scene.link)
      let shelf = stand.shelf("phone")
      await shelf.bring(from: igor, over: stand.link)
      #expect(try igor.points.all() == [point], "\(stand.said.all)")
      for name in PhotoPoint.PictureKind.allCases {
        let path = try #require(try shelf.path(of: name, point, on: igor))
        let picture = try JPEGPicture.inspect(DurableFile.read(path))
        #expect(picture.widthPixels == 48 && picture.heightPixels == 32)
      }
      _ = try await stand.scene.order("Rye", for: "sven", in: "south")
      let sven = try await stand.scene.unit("sven", on: "other")
      await stand.shelf("other").bring(from: sven, over: stand.link)
      #expect(try sven.points.all().isEmpty)
      let near = try igor.points.near(
        try #require(Coordinate(latitudeDegrees: 49.0801, longitudeDegrees: 16.6301)))
      #expect(near.map(\.point.id) == [point.id] && near[0].metres < 50)
    }
  }

  @Test("a withdrawn point leaves its maker's device and a colleague's, and comes back")
  func withdrawn() async throws {
    try await withStand { stand in
      let (unit, point) = try await made(stand)
      let task = try await stand.scene.order("Again", for: "igor")
      let igor = try await stand.scene.unit("igor", on: "phone")
      _ = try await igor.delivery.fetchTasks(over: stand.scene.link)
      await stand.shelf("phone").bring(from: igor, over: stand.link)
      #expect(try igor.points.all() == [point])
      let office = stand.scene.office
      try await office.points.set(isWithdrawn: true, point.id, by: "otto", in: "north")
      await stand.shelf("tablet").bring(from: unit, over: stand.link)
      await stand.shelf("phone").bring(from: igor, over: stand.link)
      #expect(try unit.points.all().isEmpty && igor.points.all().isEmpty, "\(stand.said.all)")
      // A task that names the point keeps it on its device.
      try await office.orders.changeOrder(of: task.id, in: "north", by: "otto") {
        $0.repeats = RepeatWish(points: [point.id])
      }
      _ = try await igor.delivery.fetchTasks(over: stand.scene.link)
      await stand.shelf("phone").bring(from: igor, over: stand.link)
      #expect(try igor.points.all().map(\.id) == [point.id])
      try await office.points.set(isWithdrawn: false, point.id, by: "otto", in: "north")
      await stand.shelf("phone").bring(from: igor, over: stand.link)
      #expect(try igor.points.all() == [point])
    }
  }

  @Test("a repeat has its numbers in the sealed record, and stands in the office's series")
  func repeated() async throws {
    try await withStand { stand in
      let (_, point) = try await made(stand)
      let task = try await stand.scene.order("Again", for: "igor")
      let igor = try await stand.scene.unit("igor", on: "phone")
      _ = try await igor.delivery.fetchTasks(over: stand.scene.link)
      await stand.shelf("phone").bring(from: igor, over: stand.link)
      try igor.openTask(task.id)
      let compared = Mutex(0)
      let aim = RepeatAim(at: try igor.points.point(point.id)) { frame in
        compared.withLock { $0 = frame.count }
        return .unlike(matches: 7)
      }
      let photo = try await stand.scene.capture(igor, task.id, 5, repeats: aim)
      #expect(compared.withLock { $0 } > 0)
      let claims = try #require(try igor.points.repetition(ofPhoto: photo.id))
      #expect(claims.point == point.id && claims.inliers == 7)
      #expect(claims.distanceMetres < 20 && claims.distanceUncertaintyMetres95 != nil)
      let report = Verifier.verify(
        try EvidenceFolder(folder: stand.scene.folder.appendingPathComponent("phone").path),
        scope: .whole)
      #expect(report.verdict == .intact, "\(report.findings)")
      try igor.provideTask(task.id)
      _ = try await igor.delivery.deliver(over: stand.scene.link)
      let series = try await stand.scene.office.points.series(of: point.id, in: "north")
      #expect(series.reference?.photo.id == point.reference.photo)
      #expect(series.repeats.map(\.photo.photo.id) == [photo.id])
      let received = try #require(series.repeats.first?.repetition)
      #expect(received.claims.inliers == 7 && received.measured == nil)
      #expect(abs(received.claims.distanceMetres - claims.distanceMetres) < 0.01)
      let other = try await stand.scene.order("Later", for: "igor")
      _ = try await igor.delivery.fetchTasks(over: stand.scene.link)
      try igor.openTask(other.id)
      #expect(throws: InspectionError.photoPoint(.notNamed)) {
        try igor.excuse(point.id, ofTask: other.id, "The gate is locked.")
      }
    }
  }

  @Test("nobody makes a point from another's photo, and a repeated message changes nothing")
  func foreign() async throws {
    try await withStand { stand in
      let (unit, point) = try await made(stand)
      let token = try #require(try stand.scene.desk().signedIn()?.token)
      let again = try await stand.link.make(NewPhotoPointMessage(point), token: token)
      #expect(try again.point(in: "north") == point)
      _ = unit
      _ = try await stand.scene.unit("igor", on: "phone")
      let theirs = try #require(try stand.scene.desk("phone").signedIn()?.token)
      var message = NewPhotoPointMessage(point)
      message.id = "0190a0a0-0000-7000-8000-000000000001"
      for wrong in [message, faulty(message) { $0.photo = "x" }, faulty(message) { $0.made = "" }] {
        await #expect(throws: DeliveryError.self) {
          _ = try await stand.link.make(wrong, token: theirs)
        }
      }
      let page = try await stand.scene.office.points.page(
        named: nil, after: nil, limit: 9, in: "north")
      #expect(page.points == [point])
    }
  }

  private func faulty(
    _ message: NewPhotoPointMessage, _ change: (inout NewPhotoPointMessage) -> Void
  ) -> NewPhotoPointMessage {
    var message = message
    change(&message)
    return message
  }

  @Test("pictures stay within their limit, and a disk without room keeps what is here")
  func limits() async throws {
    try await withStand { stand in
      let (_, point) = try await made(stand)
      _ = try await stand.scene.order("Again", for: "igor")
      let igor = try await stand.scene.unit("igor", on: "phone")
      _ = try await igor.delivery.fetchTasks(over: stand.scene.link)
      let full = stand.shelf("phone", hasRoom: false)
      await full.bring(from: igor, over: stand.link)
      #expect(try igor.points.all() == [point])
      #expect(try full.path(of: .reference, point, on: igor) == nil)
      #expect(stand.said.all.last?.contains("no room") == true)
      let tight = stand.shelf("phone", bytesAtMost: 10)
      await tight.bring(from: igor, over: stand.link)
      #expect(try tight.path(of: .reference, point, on: igor) == nil)
      let shelf = stand.shelf("phone")
      await shelf.bring(from: igor, over: stand.link)
      #expect(try shelf.path(of: .reference, point, on: igor) != nil)
    }
  }

  @Test("an opened point comes to a full shelf before points that nobody has opened")
  func opened() async throws {
    try await withStand { stand in
      let (unit, point) = try await made(stand)
      let newer = try (0..<2).map {
        try unit.points.make(of: try #require(point.footing).photo, name: "Newer \($0)")
      }
      await stand.shelf("tablet").bring(from: unit, over: stand.link)
      _ = try await stand.scene.order("Again", for: "igor")
      let igor = try await stand.scene.unit("igor", on: "phone")
      _ = try await igor.delivery.fetchTasks(over: stand.scene.link)
      let shelf = stand.shelf("phone")
      await shelf.bring(from: igor, over: stand.link)
      #expect(try Set(igor.points.all().map(\.id)) == Set(newer.map(\.id) + [point.id]))
      let paths = try igor.points.all().flatMap { point in
        try PhotoPoint.PictureKind.allCases.compactMap {
          try shelf.path(of: $0, point, on: igor)
        }
      }
      let largest = try paths.map { try DurableFile.read($0).count }.max() ?? 0
      for path in paths { try DurableFile.remove(path) }
      try igor.store.write(as: igor.person) {
        try $0.points.markUsed(point.id, at: stand.scene.clock.deviceTime)
      }
      // There is room for one picture, and for half of another.
      let tight = stand.shelf("phone", bytesAtMost: largest * 3 / 2)
      await tight.bring(from: igor, over: stand.link)
      #expect(try tight.path(of: .reference, point, on: igor) != nil, "\(stand.said.all)")
    }
  }

  @Test("a photo on which a point rests stays on the device when a rule removes delivered photos")
  func kept() async throws {
    try await withStand { stand in
      let (unit, point) = try await made(stand)
      let reference = try unit.store.read(as: unit.person) {
        try $0.points.isReference(point.reference.photo)
      }
      #expect(reference)
      let footing = try #require(point.footing)
      #expect(try unit.store.read(as: unit.person) { try $0.points.isReference(footing.photo) })
      let others = try unit.photos().map(\.id).filter {
        $0 != point.reference.photo && $0 != footing.photo
      }
      for id in others {
        #expect(try !unit.store.read(as: unit.person) { try $0.points.isReference(id) })
      }
    }
  }
}
