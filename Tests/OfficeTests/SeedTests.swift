import Foundation
import Inspection
import Receivers
import Store
import Sync
import TestSupport
import Testing

@testable import Office

@Suite("Made data for trying and measuring", .timeLimit(.minutes(5)))
struct SeedTests {
  @Test("a seed fills an empty office with as much as was asked for, the same for the same seed")
  func seeds() async throws {
    func names(_ folder: URL, _ seed: UInt64) async throws -> [String] {
      var configuration = OfficeConfiguration(dataDirectory: folder, software: "standpoint test")
      configuration.log = { _ in }
      let clock = try await OfficeScene(folder.appendingPathComponent("other")).clock
      let office = try OfficeServer.make(configuration: configuration, clock: clock)
      var size = OfficeSeed.Size(photos: 60, tasks: 20)
      (size.pictures, size.pictureWidthPixels) = (2, 80)
      var made = OfficeSeed(office, size, seed: seed)
      try await made.run(password: OfficeScene.password) { _, _ in }
      let tasks = try office.tasks(in: OfficeSeed.agency)
      #expect(tasks.count == 20)
      let photos = try office.database.read(in: OfficeSeed.agency) { try $0.photos(.all) }
      #expect(photos.count == 60)
      let real = photos.filter { !$0.photo.isSimulated }
      #expect(real.isEmpty, "nobody takes them for photos")
      let first = try #require(photos.first)
      #expect(try office.picture(.thumbnail, of: first.photo).isEmpty == false)
      return tasks.map { "\($0.name) \($0.state) \($0.inspector)" }
    }
    try await withTemporaryDirectory { folder in
      let one = try await names(folder.appendingPathComponent("a"), 5)
      #expect(try await names(folder.appendingPathComponent("b"), 5) == one)
      #expect(try await names(folder.appendingPathComponent("c"), 6) != one)
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
