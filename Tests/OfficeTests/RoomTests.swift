import Evidence
import FieldUnit
import Foundation
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

@Suite("Room on the office's disk", .timeLimit(.minutes(5)))
struct RoomTests {
  private static let reserve = 1 << 30

  /// Makes the scene's office once more, on a disk that a test fills.
  private func office(_ scene: OfficeScene, on space: PlannedSpace) async throws -> OfficeServer {
    var configuration = scene.office.configuration
    configuration.freeSpace = space
    configuration.diskReserveBytes = Self.reserve
    return try await OfficeServer.make(configuration: configuration, clock: scene.clock)
  }

  private func pass(_ scene: OfficeScene, seconds: Double) {
    scene.clock.advance(to: scene.clock.elapsed.advanced(bySeconds: seconds), limit: nil)
  }

  @Test("below the reserve nothing new is taken; all of it stays queued, tasks come all the same")
  func fullDisk() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      _ = try await scene.order()
      let (unit, task) = try await scene.working(photos: 2)
      try unit.provideTask(task.id)
      let space = PlannedSpace(Self.reserve - 1)
      let office = try await office(scene, on: space)
      try await withSite(office) { site in
        let link = try HTTPOfficeLink(address: site.origin)
        let second = try await scene.order("Second")
        let waiting = try unit.outbox().map(\.id)
        let error = await #expect(throws: DeliveryError.self) {
          try await unit.delivery.deliver(over: link)
        }
        #expect(error?.code == "office-full" && error?.askedSeconds == 300)
        #expect(try unit.outbox().map(\.id) == waiting)
        let words = try unit.outbox().compactMap(\.lastAnswer)
        #expect(words.contains { $0.contains("its disk is nearly full") }, "\(words)")
        #expect(try unit.task(second.id).name == "Second")
        #expect(try await office.review.view(of: task.id, in: "north").photos.isEmpty)
        let ready = try await site.send("GET", "/health/ready")
        #expect(ready.status == 503 && ready.code == "not-ready")
        // Exactly the reserve is enough.
        space.become(Self.reserve)
        pass(scene, seconds: 2)
        #expect(try await unit.delivery.deliver(over: link).waiting == 0)
        #expect(try await site.send("GET", "/health/ready").status == 200)
        #expect(try await office.review.view(of: task.id, in: "north").photos.count == 2)
        await link.close()
      }
    }
  }

  @Test("a batch whose receipt was lost gets it on a full disk, too: nothing new comes with it")
  func repetition() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      _ = try await scene.order()
      let (unit, task) = try await scene.working(photos: 1)
      try unit.provideTask(task.id)
      // The calls are held, photo, raw window, batch: the office's answer to the last one is lost.
      scene.link.plan([nil, nil, nil, .lostAnswer])
      _ = try? await unit.delivery.deliver(over: scene.link)
      try #require(scene.link.calls.contains("batch"))
      try #require(try await scene.office.review.view(of: task.id, in: "north").photos.count == 1)
      let office = try await office(scene, on: PlannedSpace(0))
      try await withSite(office) { site in
        let link = try HTTPOfficeLink(address: site.origin)
        #expect(try await unit.delivery.deliver(over: link).waiting == 0)
        await link.close()
      }
    }
  }

  @Test("an agency's quota refuses what would be too much, in words, and nobody else's deliveries")
  func quota() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      let office = scene.office
      _ = try await scene.order()
      let (unit, task) = try await scene.working(photos: 2)
      try unit.provideTask(task.id)
      try await office.room.setQuota(bytes: 10, of: "north", by: "test")
      #expect(
        try await office.room.storage(of: "north") == AgencyStorage(storedBytes: 0, quotaBytes: 10))
      #expect(try await office.room.storage(of: "south").quotaBytes == nil)
      try await withSite(office) { site in
        let link = try HTTPOfficeLink(address: site.origin)
        let waiting = try unit.outbox().count
        let error = await #expect(throws: DeliveryError.self) {
          try await unit.delivery.deliver(over: link)
        }
        #expect(error?.code == "office-full" && error?.askedSeconds == 900)
        #expect(error?.description.contains("must allow more") == true)
        #expect(try unit.outbox().count == waiting)
        try await office.room.setQuota(bytes: nil, of: "north", by: "test")
        #expect(try await unit.delivery.deliver(over: link).waiting == 0)
        await link.close()
      }
      // The stored bytes are the bytes of the files that are there.
      let photos = try await office.review.view(of: task.id, in: "north").photos
      let sizes = try photos.flatMap { received in
        try [EvidenceName.file(.capture, received.photo.id), EvidenceName.raw(received.photo.id)]
          .map { try office.photos.bytes(of: $0)?.count ?? 0 }
      }
      #expect(sizes.count == 4 && sizes.allSatisfy { $0 > 0 })
      #expect(try await office.room.storage(of: "north").storedBytes == sizes.reduce(0, +))
      #expect(try await office.room.storage(of: "south").storedBytes == 0)
      // A quota below what is there takes nothing away.
      try await office.room.setQuota(bytes: 0, of: "north", by: "test")
      #expect(try await office.operation.differences().isEmpty)
      #expect(try await office.review.view(of: task.id, in: "north").photos.count == 2)
      let log = try await office.database.read(in: "north") { try $0.log.newest(limit: 50) }
      let details = log.filter { $0.action == "agency-quota" }.compactMap(\.detail)
      #expect(details.sorted() == ["0 bytes", "10 bytes", "none"])
    }
  }

  @Test("files that came under the quota and are too much together are not committed, and stay")
  func together() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      _ = try await scene.order()
      let (unit, task) = try await scene.working(photos: 1)
      try unit.provideTask(task.id)
      // The scene's link brings files without asking for room.
      try await scene.office.room.setQuota(bytes: 1, of: "north", by: "test")
      let outcome = try await unit.delivery.deliver(over: scene.link)
      guard case .refused(let code, _)? = outcome.refusal else {
        Issue.record("\(String(describing: outcome.refusal))")
        return
      }
      #expect(code == "quota-full" && outcome.failed > 0)
      #expect(try await scene.office.review.view(of: task.id, in: "north").photos.isEmpty)
      try await scene.office.room.setQuota(bytes: nil, of: "north", by: "test")
      scene.link.plan([])
      #expect(try await unit.delivery.deliver(over: scene.link).waiting == 0)
      #expect(try await scene.office.review.view(of: task.id, in: "north").photos.count == 1)
    }
  }

  @Test("what brings no file goes on while an office has no room for files")
  func withoutFiles() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      let office = scene.office
      _ = try await scene.order()
      let (unit, task) = try await scene.working(photos: 1)
      try unit.provideTask(task.id)
      #expect(try await unit.delivery.deliver(over: scene.link).waiting == 0)
      try await office.review.decide(
        .returnToInspector, on: task.id, by: scene.person("otto"), reason: "say more",
        seen: try office.review.view(of: task.id, in: "north").task.history.count)
      _ = try await unit.delivery.fetchTasks(over: scene.link)
      // A photo waits first, and behind it a task whose photos are at the office already.
      let standing = try await scene.capture(unit, nil, 7)
      try unit.sendPhotos([standing.id])
      try unit.provideTask(task.id)
      try await office.room.setQuota(bytes: 10, of: "north", by: "test")
      try await withSite(office) { site in
        let link = try HTTPOfficeLink(address: site.origin)
        for round in 1...2 {
          let error = await #expect(throws: DeliveryError.self) {
            try await unit.delivery.deliver(over: link)
          }
          #expect(error?.code == "office-full" && error?.askedSeconds == 900)
          #expect(
            try await office.review.view(of: task.id, in: "north").task.state == .dataProvided)
          let waiting = try unit.outbox()
          #expect(waiting.map(\.id) == [standing.id])
          #expect(waiting.first?.attempts ?? 0 >= round)
          #expect(waiting.first?.lastAnswer?.contains("has no room for files") == true)
        }
        try await office.room.setQuota(bytes: nil, of: "north", by: "test")
        #expect(try await unit.delivery.deliver(over: link).waiting == 0)
        await link.close()
      }
    }
  }

  @Test("files that no batch has claimed count for their agency, across a start, until they go")
  func unclaimed() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      _ = try await scene.unit()
      _ = try await scene.unit("sven", on: "other")
      func key(_ agency: String) async throws -> String {
        try #require(
          try await scene.office.database.read(in: agency) { try $0.devices.devices(of: nil) }
            .first?.key)
      }
      func file(_ byte: UInt8, of agency: String = "north") async throws -> (ReceivedFile, [UInt8])
      {
        let bytes = [UInt8](repeating: byte, count: 60)
        return (ReceivedFile(key: try await key(agency), digest: Digest.hexadecimal(bytes)), bytes)
      }
      func send(_ office: OfficeServer, _ byte: UInt8, of agency: String = "north") async throws {
        let (file, bytes) = try await file(byte, of: agency)
        try await office.room.requireRoom(for: file, length: bytes.count, in: agency)
        _ = try await office.uploads.receive(file, length: bytes.count, at: 0, checksum: nil) {
          body in
          try bytes.withUnsafeBytes(body)
        }
      }
      let first = scene.office
      // A file that comes before anybody sets a quota counts, too.
      try await send(first, 1)
      try await first.room.setQuota(bytes: 150, of: "north", by: "test")
      try await send(first, 2)
      for office in [first, try await OfficeScene(after: scene).office] {
        let error = await #expect(throws: OfficeRefusal.self) { try await send(office, 3) }
        #expect(error?.kind == .quotaFull)
        try await send(office, office === first ? 4 : 5, of: "south")
      }
      // Files that are only announced count together; the same file does not count twice.
      try await first.room.discardReceived(try file(1).0)
      let (third, _) = try await file(3)
      try await first.room.requireRoom(for: third, length: 60, in: "north")
      try await first.room.requireRoom(for: third, length: 60, in: "north")
      await #expect(throws: OfficeRefusal.self) {
        try await first.room.requireRoom(for: try file(6).0, length: 60, in: "north")
      }
      // The announced file never came.
      first.room.noteReceived(third)
      try await first.room.requireRoom(for: try file(6).0, length: 60, in: "north")
    }
  }

  @Test("a quota of no agency, or of less than nothing, is refused")
  func wrongQuota() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      for (agency, bytes, kind) in [
        ("nowhere", 1, OfficeProblem.unknown), ("north", -1, .inputInvalid),
      ] {
        let error = await #expect(throws: OfficeRefusal.self) {
          try await scene.office.room.setQuota(bytes: bytes, of: agency, by: "test")
        }
        #expect(error?.kind == kind)
      }
      await #expect(throws: OfficeRefusal.self) {
        try await scene.office.room.storage(of: "nowhere")
      }
    }
  }

  @Test("the disk is asked once a second, and what changes is said once")
  func askedSeldom() {
    let space = PlannedSpace(100)
    let lines = Mutex<[String]>([])
    let room = DiskRoom(space: space, reserveBytes: 100) { line in
      lines.withLock { $0.append(line) }
    }
    func at(_ milliseconds: Int64) -> ElapsedTime { ElapsedTime(milliseconds: milliseconds) }
    for milliseconds in 0..<1000 { #expect(!room.isLow(at: at(Int64(milliseconds)))) }
    #expect(space.asked == 1)
    space.become(99)
    #expect(!room.isLow(at: at(999)))
    for milliseconds in [1000, 2000, 3000] { #expect(room.isLow(at: at(Int64(milliseconds)))) }
    // A disk that cannot be asked is not taken for full.
    space.become(nil)
    #expect(!room.isLow(at: at(4000)) && room.freeBytes(at: at(4000)) == nil)
    #expect(lines.withLock { $0.count } == 2)
    #expect(FolderFreeSpace(path: "/nowhere/at/all").freeBytes == nil)
    #expect((FolderFreeSpace(path: "/").freeBytes ?? 0) > 0)
  }
}
