import Evidence
import FieldUnit
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

@testable import Office

@Suite("A row that cannot be read is not a row that is not there", .timeLimit(.minutes(5)))
struct UnreadableRowTests {
  /// The damage of a disk to all rows of a table's column, which can be mended.
  private struct Damage {
    let database: DatabaseQueue
    let table: String
    let column: String
    private var before: [String: DatabaseValue] = [:]

    init(_ table: String, _ column: String, in scene: OfficeScene) throws {
      (self.table, self.column) = (table, column)
      database = try DatabaseQueue(
        path: scene.office.configuration.folder.appendingPathComponent("standpoint.sqlite").path)
    }

    mutating func strike(_ value: String) throws {
      before = try database.write { [table, column] database in
        let rows = try Row.fetchAll(database, sql: "SELECT id, \(column) AS old FROM \(table)")
        try database.execute(sql: "UPDATE \(table) SET \(column) = ?", arguments: [value])
        return Dictionary(uniqueKeysWithValues: rows.map { ($0["id"], $0["old"]) })
      }
    }

    func mend() throws {
      try database.write { [table, column, before] database in
        for (id, value) in before {
          try database.execute(
            sql: "UPDATE \(table) SET \(column) = ? WHERE id = ?", arguments: [value, id])
        }
      }
    }
  }

  private func receipts(_ scene: OfficeScene) async throws -> Int {
    var count = 0
    try await scene.office.database.read(in: "north") { session in
      for device in try session.devices.devices(of: nil) {
        try session.deliveries.forEachReceipt(ofKey: device.key) { _, _ in count += 1 }
      }
    }
    return count
  }

  @Test(
    "a task that cannot be read: no receipt, no photo without its task, and the device comes again")
  func taskOfABatch() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      _ = try await scene.order()
      let (unit, task) = try await scene.working(photos: 1)
      try unit.provideTask(task.id)
      var damage = try Damage("task", "parcel_rings", in: scene)
      // The value holds no rings, but the row is there.
      try damage.strike("[[7]]")
      let isRefused: Bool
      do {
        isRefused = try await unit.delivery.deliver(over: scene.link).refusal != nil
      } catch {
        isRefused = true
      }
      #expect(isRefused)
      #expect(try await receipts(scene) == 0)
      #expect(
        try await scene.office.database.read(in: "north") { try $0.photos.list(.all) }.isEmpty)
      #expect(try unit.outbox().isEmpty == false)

      try damage.mend()
      #expect(try await unit.delivery.deliver(over: scene.link).waiting == 0)
      let photos = try await scene.office.review.view(of: task.id, in: "north").photos
      #expect(photos.count == 1)
      #expect(try await receipts(scene) > 0)
    }
  }

  /// Delivers a photo without a task, and returns it with its field unit.
  private func delivered(_ scene: OfficeScene) async throws -> (unit: InspectorUnit, photo: Photo) {
    let unit = try await scene.unit()
    let photo = try await scene.capture(unit, nil, 1)
    try unit.sendPhotos([photo.id])
    _ = try await unit.delivery.deliver(over: scene.link)
    return (unit, photo)
  }

  @Test("a photo that cannot be read: a note on it is not receipted as somebody else's")
  func photoOfANote() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      let (_, photo) = try await delivered(scene)
      let before = try await receipts(scene)
      var forger = try await Forger(scene, device: "tablet", after: photo.id)
      try forger.note("wet at the edge", on: "photo", photo.id)
      var damage = try Damage("photo", "method", in: scene)
      try damage.strike("no method")
      var copy = forger
      await #expect(throws: StoreError.self) { try await copy.deliver() }
      #expect(try await receipts(scene) == before)

      try damage.mend()
      try await forger.deliver()
      #expect(
        try await scene.office.database.read(in: "north") { try $0.photos.photo(photo.id) }.photo
          .note
          == "wet at the edge")
    }
  }

  @Test("a photo that cannot be read is not said to be held, and not said to be unknown")
  func held() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      let (_, photo) = try await delivered(scene)
      let visitor = try await scene.office.sessions.visitor(
        withToken: try scene.desk().signedIn()?.token)
      let question = HeldQuestion(things: [HeldQuestion.Thing(id: photo.id.description)])
      var damage = try Damage("photo", "method", in: scene)
      try damage.strike("no method")
      await #expect(throws: StoreError.self) {
        try await scene.office.deliveries.held(question, from: visitor)
      }
      try damage.mend()
      #expect(
        try await scene.office.deliveries.held(question, from: visitor).things.first?.state == .held
      )
    }
  }

  @Test(
    "a photo or its task that cannot be read: no verdict, and it is looked at again",
    arguments: [("photo", "method", "no method"), ("task", "parcel_rings", "[[7]]")])
  func examination(table: String, column: String, value: String) async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      _ = try await scene.order()
      let (unit, task) = try await scene.working(photos: 1)
      try unit.provideTask(task.id)
      scene.link.examine(false)
      _ = try await unit.delivery.deliver(over: scene.link)
      var damage = try Damage(table, column, in: scene)
      try damage.strike(value)
      _ = try? await scene.office.examiner.examineArrivals()
      try damage.mend()
      #expect(
        try await scene.office.review.view(of: task.id, in: "north").photos.first?.verdict == nil)
      #expect(try await scene.office.examiner.examineArrivals() == 1)
      #expect(
        try await scene.office.review.view(of: task.id, in: "north").photos.first?.verdict != nil)
    }
  }
}
