import Foundation
import Inspection
import OfficeExporting
import OfficeScenes
import Receivers
import Store
import Sync
import TestSupport
import Testing

@testable import Enrolment
@testable import Office
@testable import OfficePages

@Suite("Made data for trying and measuring", .timeLimit(.minutes(5)))
struct SeedTests {
  @Test("a seed fills an empty office with as much as was asked for, the same for the same seed")
  func seeds() async throws {
    func names(_ folder: URL, _ seed: UInt64) async throws -> [String] {
      var configuration = OfficeConfiguration(dataDirectory: folder, software: "standpoint test")
      configuration.log = { _ in }
      let clock = try await OfficeScene(folder.appendingPathComponent("other")).clock
      let office = try await OfficeServer.make(configuration: configuration, clock: clock)
      var size = OfficeSeed.Size(photos: 60, tasks: 20)
      (size.pictures, size.pictureWidthPixels) = (2, 80)
      var made = OfficeSeed(office, size, seed: seed)
      try await made.run(password: OfficeScene.password) { _, _ in }
      let tasks = try await office.review.tasks(in: OfficeSeed.agency)
      #expect(tasks.count == 20)
      let photos = try await office.database.read(in: OfficeSeed.agency) {
        try $0.photos.list(.all)
      }
      #expect(photos.count == 60)
      let real = photos.filter { !$0.photo.isSimulated }
      #expect(real.isEmpty, "nobody takes them for photos")
      let first = try #require(photos.first)
      #expect(try office.exports.picture(.thumbnail, of: first.photo).isEmpty == false)
      return tasks.map { "\($0.name) \($0.state) \($0.inspector)" }
    }
    try await withTemporaryDirectory { folder in
      let one = try await names(folder.appendingPathComponent("a"), 5)
      #expect(try await names(folder.appendingPathComponent("b"), 5) == one)
      #expect(try await names(folder.appendingPathComponent("c"), 6) != one)
    }
  }

  @Test("parcels and tracks are made where they are asked for, and leave the rest as it is")
  func extras() async throws {
    func made(
      _ folder: URL, parcels: Int, points: Int
    ) async throws -> (tasks: [String], parcels: [String], office: OfficeServer) {
      var configuration = OfficeConfiguration(dataDirectory: folder, software: "standpoint test")
      configuration.log = { _ in }
      let clock = try await OfficeScene(folder.appendingPathComponent("other")).clock
      let office = try await OfficeServer.make(configuration: configuration, clock: clock)
      var size = OfficeSeed.Size(photos: 0, tasks: 200)
      (size.pictures, size.pictureWidthPixels) = (1, 80)
      (size.parcels, size.trackPoints) = (parcels, points)
      var seed = OfficeSeed(office, size, seed: 5)
      var told: [Int] = []
      try await seed.run(password: OfficeScene.password) { done, all in
        told.append(done)
        #expect(all == 200 + parcels + points)
      }
      #expect(told.last == 200 + parcels + points && told == told.sorted())
      let tasks = try await office.review.tasks(in: OfficeSeed.agency).map { "\($0.id) \($0.name)" }
      let register = try await office.database.read(in: OfficeSeed.agency) { session in
        try session.parcels.page(after: nil, limit: 9999).map {
          "\($0.identifier) \($0.declared.parcel.rings)"
        }
      }
      return (tasks, register, office)
    }
    try await withTemporaryDirectory { folder in
      let plain = try await made(folder.appendingPathComponent("a"), parcels: 0, points: 0)
      let one = try await made(folder.appendingPathComponent("b"), parcels: 2345, points: 4000)
      let two = try await made(folder.appendingPathComponent("c"), parcels: 2345, points: 4000)
      #expect(plain.parcels.isEmpty && one.parcels.count == 2345)
      #expect(one.parcels == two.parcels && one.tasks == two.tasks && one.tasks == plain.tasks)
      let (tracks, kinds) = try await one.office.database.read(in: OfficeSeed.agency) { session in
        (
          try session.tracks.page(isHidden: false, inspector: nil, limit: 99, offset: 0),
          try session.devices.devices(of: nil).count
        )
      }
      #expect(tracks.count == 3 && kinds == 3)
      var whole: [Track] = []
      for track in tracks {
        if let one = try await one.office.review.track(track.id, in: OfficeSeed.agency) {
          whole.append(one)
        }
      }
      #expect(whole.map(\.points.count).sorted() == [400, 1800, 1800])
      let marked = whole.filter(\.isSimulated)
      #expect(marked.count == 3, "nobody takes them for tracks")
    }
  }

  @Test("an office that has an agency is not filled")
  func notEmpty() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      var seed = OfficeSeed(scene.office, OfficeSeed.Size(photos: 1, tasks: 1), seed: 1)
      await #expect(throws: OfficeRefusal.self) {
        try await seed.run(password: OfficeScene.password) { _, _ in }
      }
    }
  }
}
