import Evidence
import Foundation
import Inspection
import Receivers
import Store
import Sync
import Synchronization
import TestSupport
import Testing
import TimeAndText
import Web

@testable import FieldPages
@testable import FieldUnit
@testable import MapLayers

@Suite("Parcels around tasks that come from the office", .timeLimit(.minutes(5)))
struct NeighbouringParcelsTests {
  /// An office's list of parcels.
  private final class OfficeParcels: Sendable {
    struct State {
      /// The bytes of the list; nil for an office without that address.
      var bytes: [UInt8]?
      /// The tag that replaces the right one; nil for the right one.
      var tag: String?
      var status: Int?
      var asked = 0
      var sent = 0
      var unchanged = 0
    }
    let state = Mutex(State())

    func offer(_ bytes: [UInt8]?, tag: String? = nil, status: Int? = nil) {
      state.withLock { ($0.bytes, $0.tag, $0.status) = (bytes, tag, status) }
    }

    func add(to routes: inout Routes) {
      routes.get("/api/v1/parcels") { request in
        try self.state.withLock { state in
          state.asked += 1
          if let status = state.status {
            throw Problem(status: status, code: "internal", detail: "broken")
          }
          guard let bytes = state.bytes else { throw WebProblem.notFound }
          let tag = "\"\(state.tag ?? Digest.hexadecimal(bytes))\""
          let isKnown = request.header("If-None-Match") == tag
          if isKnown { state.unchanged += 1 } else { state.sent += 1 }
          return (isKnown ? WebResponse.empty(304) : WebResponse.json(bytes))
            .setting(header: "ETag", to: tag)
        }
      }
    }
  }

  private struct Stand: Sendable {
    let site: FieldPagesTests.Site
    let scene: FieldScene
    let parcels: OfficeParcels
    let said = Said()

    var shelf: NeighbourShelf { shelf(hasRoom: true) }
    func shelf(hasRoom: Bool) -> NeighbourShelf {
      NeighbourShelf(
        folder: scene.data + "/field/parcels", clock: scene.clock, hasRoom: { hasRoom },
        log: { [said] line in said.lines.withLock { $0.append(line) } })
    }
    func link() throws -> any ParcelLink {
      try #require(try site.server.link(to: site.address) as? any ParcelLink)
    }
    func here() -> [UInt8]? { shelf.list(of: FieldScene.person) }
    func files() -> [String] {
      ((try? FileManager.default.contentsOfDirectory(atPath: shelf.folder)) ?? []).sorted()
    }
  }

  private final class Said: Sendable {
    let lines = Mutex<[String]>([])
    var all: [String] { lines.withLock { $0 } }
  }

  /// Returns a list with triangles of these names.
  private static func list(
    _ names: String..., schema: String = "standpoint.parcels/1", corner: String = "16.62,49.07"
  ) -> [UInt8] {
    let parcels = names.map {
      "{\"identifier\":\"\($0)\",\"rings\":[[[\(corner)],[16.64,49.07],[16.64,49.09]]]}"
    }
    return Array(
      """
      {"isCut":false,"parcels":[\(parcels.joined(separator: ","))],"schema":"\(schema)"}
      """.utf8)
  }

  private func withStand(_ body: @escaping @Sendable (Stand) async throws -> Void) async throws {
    let parcels = OfficeParcels()
    try await FieldPagesTests().withField(
      freeBytes: { 100_000_000_000 }, officeHas: { parcels.add(to: &$0) }
    ) { site, scene in
      try await site.signIn()
      // The delivery after the sign-in has asked in vain: from now on only the test asks.
      while parcels.state.withLock({ $0.asked }) == 0 { await Task.yield() }
      try await body(Stand(site: site, scene: scene, parcels: parcels))
    }
  }

  @Test("after a delivery they come by themselves, and the map's page has them for their inspector")
  func afterDelivery() async throws {
    try await withStand { stand in
      let empty = try await stand.site.browser.get("/map/parcels.json")
      #expect(try ParcelListMessage.read(empty.bytes) == ParcelListMessage())
      stand.parcels.offer(Self.list("P-1", "P-2"))
      // The tasks have changed, so that the office is asked at once.
      _ = try stand.scene.tasks()
      while stand.here() == nil {
        try await stand.site.deliver()
        await Task.yield()
      }
      let answer = try await stand.site.browser.get("/map/parcels.json")
      #expect(answer.status == 200 && answer.type == "application/json")
      #expect(answer.bytes == Self.list("P-1", "P-2"))
      let page = try await stand.site.browser.get("/map")
      #expect(page.body.contains("data-parcels=\"/map/parcels.json\""))
      #expect(page.body.contains("Neighbouring parcels"))
      // Another inspector of this device, and whoever is not signed in, see none of them.
      let igor = Person(agency: "north", login: "igor", role: .inspector)
      #expect(stand.shelf.list(of: igor) == nil)
      let south = Person(agency: "south", login: "ines", role: .inspector)
      #expect(stand.shelf.list(of: south) == nil)
      _ = try await stand.site.browser.post("/sign-out")
      #expect(try await stand.site.browser.get("/map/parcels.json").location == "/sign-in")
      #expect(stand.here() != nil, "they stay for the next sign-in, as everything of an inspector")
    }
  }

  @Test("a list that is here does not travel again, and a changed one replaces it whole")
  func replaced() async throws {
    try await withStand { stand in
      let (unit, link, shelf) = (try stand.site.unit(), try stand.link(), stand.shelf)
      stand.parcels.offer(Self.list("P-1"))
      for _ in 0..<3 { try await shelf.bring(from: unit, over: link) }
      #expect(stand.parcels.state.withLock { ($0.sent, $0.unchanged) } == (1, 2))
      stand.parcels.offer(Self.list("P-2"))
      try await shelf.bring(from: unit, over: link)
      #expect(stand.here() == Self.list("P-2"))
      #expect(stand.files().count == 1, "nothing half-written is left")
      // A damaged file is said, shown as none, and fetched anew.
      let path = shelf.path(of: unit.person)
      try Data(Self.list("P-2").dropLast(9)).write(to: URL(fileURLWithPath: path))
      #expect(stand.here() == nil)
      #expect(stand.said.all.last?.contains("cannot be read, and is fetched anew") == true)
      try await shelf.bring(from: unit, over: link)
      #expect(stand.here() == Self.list("P-2"))
    }
  }

  @Test("hostile and failed answers leave the earlier list, and an older office is no error")
  func hostile() async throws {
    try await withStand { stand in
      let (unit, link, shelf) = (try stand.site.unit(), try stand.link(), stand.shelf)
      stand.parcels.offer(Self.list("P-1"))
      try await shelf.bring(from: unit, over: link)
      let many = (0...TaskNeighbourhood.parcelsAtMost).map {
        "{\"identifier\":\"\($0)\",\"rings\":[[[1,1],[1,2],[2,2]]]}"
      }.joined(separator: ",")
      let wrong = [
        Self.list("P-2", schema: "standpoint.parcels/2"), Self.list("P-2", corner: "NaN,49"),
        Self.list("P-2", corner: "1e999,49"), Self.list("P-2", corner: "181,49"),
        Self.list("P-2", corner: "16"), Self.list("P-2", "P-2"), Self.list(""), [],
        Array("{\"schema\":\"standpoint.parcels/1\",\"isCut\":false,\"parcels\":[\(many)]}".utf8),
        Self.list("P-2") + [UInt8](repeating: 0x20, count: ParcelListMessage.bytesAtMost),
        Array("hello".utf8),
      ]
      for bytes in wrong {
        stand.parcels.offer(bytes)
        await #expect(throws: (any Error).self, "\(bytes.count) bytes") {
          try await shelf.bring(from: unit, over: link)
        }
        #expect(stand.here() == Self.list("P-1"))
      }
      stand.parcels.offer(Self.list("P-2"), tag: "other")
      await #expect(throws: SyncError.self, "bytes of another digest") {
        try await shelf.bring(from: unit, over: link)
      }
      stand.parcels.offer(Self.list("P-2"))
      await #expect(throws: StoreError.self, "the disk is short") {
        try await stand.shelf(hasRoom: false).bring(from: unit, over: link)
      }
      stand.parcels.offer(nil, status: 500)
      await #expect(throws: DeliveryError.self) { try await shelf.bring(from: unit, over: link) }
      #expect(stand.here() == Self.list("P-1") && stand.said.all.isEmpty)
      // An office that has no such address.
      stand.parcels.offer(nil)
      await shelf.bringIfDue(from: unit, over: link)
      #expect(stand.here() == Self.list("P-1") && stand.said.all.isEmpty)
    }
  }

  @Test(
    "the office is asked once an hour, at once for other tasks, and not at once after a failure")
  func due() async throws {
    try await withStand { stand in
      let (unit, link, shelf) = (try stand.site.unit(), try stand.link(), stand.shelf)
      func asked() -> Int { stand.parcels.state.withLock { $0.sent + $0.unchanged } }
      func wait(_ seconds: Double) {
        stand.scene.clock.advance(
          to: stand.scene.clock.elapsed.advanced(bySeconds: seconds), limit: nil)
      }
      stand.parcels.offer(nil, status: 500)
      await shelf.bringIfDue(from: unit, over: link)
      #expect(stand.said.all.count == 1)
      stand.parcels.offer(Self.list("P-1"))
      let before = asked()
      await shelf.bringIfDue(from: unit, over: link)
      #expect(asked() == before, "too soon after the failure")
      wait(MapShelf.retrySeconds)
      for _ in 0..<2 { await shelf.bringIfDue(from: unit, over: link) }
      #expect(asked() == before + 1 && stand.here() == Self.list("P-1"))
      _ = try stand.scene.tasks()
      for _ in 0..<2 { await shelf.bringIfDue(from: unit, over: link) }
      #expect(asked() == before + 2)
      wait(MapShelf.hourSeconds)
      await shelf.bringIfDue(from: unit, over: link)
      #expect(asked() == before + 3)
    }
  }
}
