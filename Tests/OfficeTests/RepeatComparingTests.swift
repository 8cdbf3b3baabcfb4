import Evidence
import FieldUnit
import Foundation
import Imagery
import Inspection
import Matching
import OfficeScenes
import Store
import Sync
import TestSupport
import Testing
import TimeAndText

@testable import Office
@testable import OfficePages

@Suite("The office compares repeats itself", .timeLimit(.minutes(5)))
struct RepeatComparingTests {
  @Test(
    "a repeat of the same picture is not displaced, one of another cannot be compared, and one without its file says so"
  )
  func compares() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      _ = try await scene.order()
      let (unit, task) = try await scene.working(photos: 0)
      func picture(_ seed: UInt64) throws -> [UInt8] {
        try DemonstrationPicture.jpeg(
          widthPixels: 800, heightPixels: 600, seed: seed, captionLines: [])
      }
      let reference = try await scene.capture(unit, task.id, 1, picture: picture(1))
      let point = try unit.points.make(of: reference.id, name: "Hedge")
      let aim = RepeatAim(at: point) { _ in nil }
      var repeats: [Photo] = []
      for (number, seed) in [UInt64(1), 9, 5].enumerated() {
        repeats.append(
          try await scene.capture(
            unit, task.id, number + 2, picture: picture(seed), repeats: aim))
      }
      try unit.provideTask(task.id)
      _ = try await unit.delivery.deliver(over: scene.link)
      var order = PhotoPointOrder(
        id: point.id, photo: reference.id, name: "Hedge", made: point.made)
      order.parcel = "P-1"
      _ = try await scene.office.points.make(order, by: "ines", own: "ines", in: "north")
      let gone = try #require(
        scene.office.photos.path(of: EvidenceName.file(.capture, repeats[2].id)))
      try FileManager.default.removeItem(atPath: gone)
      let matcher = PictureMatcher(
        program: Program.standpoint, patience: .init(comparison: .seconds(60)))
      let comparing = RepeatComparing(office: scene.office, matcher: matcher)
      #expect(try await comparing.compareArrivals() == 3)
      #expect(try await comparing.compareArrivals() == 0, "nothing is compared twice")
      await matcher.end()
      let series = try await scene.office.points.series(of: point.id, in: "north")
      #expect(Set(series.repeats.map(\.photo.photo.id)) == Set(repeats.map(\.id)))
      let measured = repeats.map { photo in
        series.repeats.first { $0.photo.photo.id == photo.id }?.repetition.measured
      }
      guard case .displaced(let percent, let inliers) = measured[0] else {
        Issue.record("\(measured)")
        return
      }
      #expect(percent < 0.3 && inliers >= 30)
      guard case .unlike = measured[1] else {
        Issue.record("\(measured)")
        return
      }
      #expect(measured[2] == .failed)
    }
  }

  @Test("without the library nothing gets a result, and the reason is thrown")
  func unavailable() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      _ = try await scene.order()
      let (unit, task) = try await scene.working(photos: 1)
      let photo = try #require(try unit.photos(.task(task.id)).first)
      let point = try unit.points.make(of: photo.id, name: nil)
      _ = try await scene.capture(
        unit, task.id, 7, repeats: RepeatAim(at: point) { _ in nil })
      try unit.provideTask(task.id)
      _ = try await unit.delivery.deliver(over: scene.link)
      _ = try await scene.office.points.make(
        PhotoPointOrder(id: point.id, photo: photo.id, name: nil, made: point.made), by: "otto",
        own: nil, in: "north")
      let comparing = RepeatComparing(
        office: scene.office, matcher: PictureMatcher(program: nil))
      await #expect(throws: MatchingError.self) { _ = try await comparing.compareArrivals() }
      let series = try await scene.office.points.series(of: point.id, in: "north")
      #expect(series.repeats.map(\.repetition.measured) == [nil])
    }
  }

  @Test(
    "a repeat is not suspected of being like the photo that it repeats; the same picture without a point is"
  )
  func similar() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      _ = try await scene.order()
      let (unit, task) = try await scene.working(photos: 0)
      func picture(_ caption: String) throws -> [UInt8] {
        try DemonstrationPicture.jpeg(
          widthPixels: 800, heightPixels: 600, seed: 3, captionLines: [caption])
      }
      let reference = try await scene.capture(unit, task.id, 1, picture: picture("one"))
      let point = try unit.points.make(of: reference.id, name: nil)
      try unit.provideTask(task.id)
      _ = try await unit.delivery.deliver(over: scene.link)
      _ = try await scene.office.points.make(
        PhotoPointOrder(id: point.id, photo: reference.id, name: nil, made: point.made),
        by: "otto", own: nil, in: "north")
      _ = try await scene.order("Again")
      _ = try await unit.delivery.fetchTasks(over: scene.link)
      let again = try #require(try unit.tasks().first { $0.name == "Again" })
      try unit.openTask(again.id)
      let repeated = try await scene.capture(
        unit, again.id, 2, picture: picture("two"), repeats: RepeatAim(at: point) { _ in nil })
      let copied = try await scene.capture(unit, again.id, 3, picture: picture("six"))
      try unit.provideTask(again.id)
      _ = try await unit.delivery.deliver(over: scene.link)
      try await scene.office.examiner.examineArrivals()
      let results = try await scene.office.database.read(in: "north") { session in
        try [repeated, copied].map { photo in
          try session.photos.photo(photo.id).checks.first { $0.name == .similar }
        }
      }
      #expect(results[0]?.photos.contains(reference.id) == false)
      #expect(results[1]?.photos.contains(reference.id) == true)
    }
  }
}
