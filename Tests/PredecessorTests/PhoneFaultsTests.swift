import Evidence
import Foundation
import GRDB
import Inspection
import OfficeScenes
import Positioning
import Receivers
import Store
import Sync
import TestSupport
import Testing
import TimeAndText

@testable import DeliverySimulation
@testable import Office
@testable import OfficePages
@testable import Predecessor

@Suite("A phone's photo, and a disk that fails", .timeLimit(.minutes(5)))
struct PhoneFaultsTests {
  /// A step that fails while a photo is kept.
  enum Fault: CaseIterable {
    case spooling
    case linking
    case syncing
    case committing
  }

  /// Makes a step fail.
  /// - Returns: the work that makes it whole again.
  private func begin(_ fault: Fault, _ phones: PhoneScene) async throws
    -> @Sendable () async throws -> Void
  {
    let office = phones.office
    if fault == .committing {
      let path = office.configuration.folder.appendingPathComponent("standpoint.sqlite").path
      let database = try DatabaseQueue(path: path)
      try await database.write {
        try $0.execute(
          sql: """
            CREATE TRIGGER fault BEFORE INSERT ON phone_photo
            BEGIN SELECT RAISE(ABORT, 'a fault'); END
            """)
      }
      return { try await database.write { try $0.execute(sql: "DROP TRIGGER fault") } }
    }
    var folder = phones.service.desk.folder
    if fault != .spooling {
      let name = EvidenceName.file(.capture, Identifier(at: phones.scene.clock.deviceTime))
      let path = try #require(office.photos.path(of: name))
      folder = "\(path.dropLast(name.count))\(try #require(name.split(separator: "/").first))"
      // The disk needs a folder that exists.
      try DurableFile.makeFolder(folder)
    }
    let disk = try SimulatedDisk(folder: URL(fileURLWithPath: folder))
    disk.failWrite(fault == .syncing ? 2 : 1)
    return {
      #expect(disk.writes > 0)
      disk.unmount()
    }
  }

  @Test(
    "nothing is left of a photo that a fault met, and sent again it is kept once",
    arguments: Fault.allCases)
  func faults(_ fault: Fault) async throws {
    try await withPhones { phones, site in
      let app = PhoneApp(kind: .android, site: site)
      let user = try await app.logIn()
      let picture = try OfficeScene.picture(3)
      let json = app.photo(picture, user: user)
      let mend = try await begin(fault, phones)
      let refused = try? await app.send(json, user: user)
      try await mend()
      #expect(refused?.message == "the office cannot use its storage: try again later")
      func photos() async throws -> [ReceivedPhoto] {
        try await phones.office.database.read(in: "north") { try $0.photos.list(.standalone) }
      }
      func left() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: phones.service.desk.folder)
      }
      #expect(try await photos().isEmpty)
      #expect(try await phones.office.operation.differences().isEmpty)
      #expect(try left().isEmpty)
      let kept = try await app.send(json, user: user)
      let number = try #require(kept["photo_id"]?.wholeNumber)
      #expect(try await app.send(json, user: user)["photo_id"]?.wholeNumber == number)
      let one = try await photos()
      #expect(one.count == 1)
      let id = try #require(one.first?.photo.id)
      #expect(try phones.office.photos.bytes(of: EvidenceName.file(.capture, id)) == picture)
      #expect(try await phones.office.operation.differences().isEmpty)
      #expect(try left().isEmpty)
    }
  }
}
