import Evidence
import Foundation
import Geodesy
import Inspection
import Positioning
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

@Suite("Base maps that come from the office", .timeLimit(.minutes(5)))
struct OfficeMapsTests {
  private struct Stand: Sendable {
    let site: FieldPagesTests.Site
    let scene: FieldScene
    let maps: OfficeMaps
    let said: Mutexed<[String]>

    var folder: String { scene.data + "/field/maps" }
    func files() -> [String] {
      ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted()
    }
    /// Returns a new shelf with these limits.
    func shelf(bytesAtMost: Int = MapShelf.bytesOfMap, hasRoom: Bool = true) -> MapShelf {
      MapShelf(
        folder: folder, clock: scene.clock, bytesAtMost: bytesAtMost, hasRoom: { hasRoom },
        log: { [said] line in said.change { $0.append(line) } })
    }
    func bring(
      _ shelf: MapShelf, round boxes: [DegreeBox], while mayGoOn: @Sendable () -> Bool = { true }
    ) async throws -> Bool {
      let link = try #require(try site.server.link(to: site.address) as? any MapLink)
      return try await shelf.bring(
        round: boxes, from: try site.unit(), over: link, while: mayGoOn)
    }
    func cells(_ name: String = "office-land.mbtiles") throws -> Set<TilePlan.Cell> {
      let map = try FetchedTiles(path: folder + "/" + name)
      defer { map.close() }
      return Set(try map.cells().keys)
    }
  }

  private final class Mutexed<Value: Sendable>: Sendable {
    private let lock: Mutex<Value>
    init(_ value: Value) { lock = Mutex(value) }
    var value: Value { lock.withLock { $0 } }
    func change(_ body: (inout sending Value) -> Void) { lock.withLock { body(&$0) } }
  }

  private static let here = DegreeBox(west: 16.62, south: 49.07, east: 16.63, north: 49.08)
  private static let there = DegreeBox(west: 17.62, south: 49.57, east: 17.63, north: 49.58)

  private func withStand(_ body: @escaping @Sendable (Stand) async throws -> Void) async throws {
    let maps = OfficeMaps()
    try await FieldPagesTests().withField(
      freeBytes: { 100_000_000_000 }, officeHas: { maps.add(to: &$0) }
    ) { site, scene in
      try await site.signIn()
      // The server asks for maps, too: two shelves in one folder would get in each other's way.
      while site.server.isBringingFromOffice { await Task.yield() }
      try await body(Stand(site: site, scene: scene, maps: maps, said: Mutexed([])))
    }
  }

  @Test("after a delivery they come by themselves, and the map shows them")
  func afterDelivery() async throws {
    try await withStand { stand in
      stand.maps.change { $0.maps = [OfficeMaps.map()] }
      let task = try #require(try stand.scene.tasks().first)
      let boxes = MapShelf.boxes(of: [task])
      let wanted = Set(TilePlan.cells(around: boxes, zooms: 0...17))
      while (try? stand.cells()) != wanted {
        try await stand.site.deliver()
        await Task.yield()
      }
      let page = try await stand.site.browser.get("/map")
      #expect(page.body.contains("/map/tiles/office-land/{z}/{x}/{y}"))
      #expect(page.body.contains("Survey"))
      let tile = MapGrid(level: 17).cell(of: try #require(task.parcel?.rings.first?.first))
      let answer = try await stand.site.browser.get(
        "/map/tiles/office-land/17/\(tile.x)/\(tile.y)")
      #expect(answer.status == 200 && answer.type == "image/png")
      #expect(answer.body.hasPrefix("17/\(tile.x)/\(tile.y) 1"))
      // Tasks whose data is provided need no map.
      #expect(!boxes.isEmpty)
      var sent = task
      sent.state = .dataProvided
      #expect(MapShelf.boxes(of: [sent]).isEmpty)
    }
  }

  @Test("what was cut off goes on behind the last cell, and nothing comes twice")
  func resumed() async throws {
    try await withStand { stand in
      stand.maps.change {
        $0.maps = [OfficeMaps.map()]
        $0.cellsLeft = 5
      }
      await #expect(throws: DeliveryError.self) {
        _ = try await stand.bring(stand.shelf(), round: [Self.here])
      }
      #expect(try stand.cells().count == 5, "they are shown already")
      #expect(try TileArchive(path: stand.folder + "/office-land.mbtiles").zooms.lowerBound == 0)
      stand.maps.change { $0.cellsLeft = .max }
      // Another work goes first after two more cells.
      let count = Mutexed(0)
      let isDone = try await stand.bring(stand.shelf(), round: [Self.here]) {
        count.change { $0 += 1 }
        return count.value <= 2
      }
      #expect(!isDone)
      #expect(try stand.cells().count == 7)
      #expect(try await stand.bring(stand.shelf(), round: [Self.here]))
      let wanted = Set(TilePlan.cells(around: [Self.here], zooms: 0...17))
      #expect(try stand.cells() == wanted)
      #expect(try await stand.bring(stand.shelf(), round: [Self.here]))
      #expect(stand.maps.asked.count == wanted.count)
      #expect(Set(stand.maps.asked).count == wanted.count, "each once")
    }
  }

  @Test("a map that the office has replaced is made anew beside, and takes its place as a whole")
  func replaced() async throws {
    try await withStand { stand in
      stand.maps.change { $0.maps = [OfficeMaps.map()] }
      #expect(try await stand.bring(stand.shelf(), round: [Self.here]))
      let path = stand.folder + "/office-land.mbtiles"
      let wanted = TilePlan.cells(around: [Self.here], zooms: 0...17)
      let fine = try #require(wanted.last)
      func tile() throws -> String {
        let bytes = try TileArchive(path: path).tile(zoom: 15, x: fine.x, y: fine.y)
        return String(decoding: (bytes ?? Data()).prefix(24), as: UTF8.self)
      }
      #expect(try tile().contains("\(fine.y) 1"))
      stand.maps.change {
        $0.maps = [OfficeMaps.map(mark: "b")]
        $0.year = 2
        $0.cellsLeft = wanted.count - 1
      }
      await #expect(throws: DeliveryError.self) {
        _ = try await stand.bring(stand.shelf(), round: [Self.here])
      }
      #expect(try tile().contains("\(fine.y) 1"), "the one of before is shown meanwhile")
      #expect(stand.files() == ["office-land.mbtiles", "office-land.mbtiles.new"])
      stand.maps.change { $0.cellsLeft = .max }
      #expect(try await stand.bring(stand.shelf(), round: [Self.here]))
      #expect(try tile().contains("\(fine.y) 2"))
      #expect(stand.files() == ["office-land.mbtiles"])
      #expect(try stand.cells() == Set(wanted))
      // Only cells that differ were sent again.
      let coarse = wanted.filter { $0.level < 15 }.count
      #expect(stand.maps.state.withLock { $0.unchanged } == coarse)
      let archive = try TileArchive(path: path)
      #expect(try archive.tile(zoom: 0, x: 0, y: 0)?.starts(with: Data("0/0/0 1".utf8)) == true)
      // The office replaces the map while it is fetched: no tiles are mixed.
      stand.maps.change { $0.maps = [OfficeMaps.map(mark: "c")] }
      let isDone = try await stand.bring(stand.shelf(), round: [Self.here]) {
        stand.maps.change { $0.maps = [OfficeMaps.map(mark: "d")] }
        return true
      }
      #expect(!isDone)
      #expect(try FetchedTiles(path: path).mark == String(repeating: "b", count: 32))
    }
  }

  @Test("a map has its bound: what no task needs goes first, and then it is full")
  func bounded() async throws {
    try await withStand { stand in
      stand.maps.change {
        $0.maps = [OfficeMaps.map(zooms: 9...17)]
        $0.tileBytes = 3000
      }
      let first = Set(TilePlan.cells(around: [Self.here], zooms: 9...17))
      let second = Set(TilePlan.cells(around: [Self.there], zooms: 9...17))
      let path = stand.folder + "/office-land.mbtiles"
      #expect(try await stand.bring(stand.shelf(), round: [Self.here]))
      #expect(try stand.cells() == first)
      // The bound has room for the cells of either place, and not for both.
      let bytesOfCell = (FileStatus(ofPath: path)?.bytes ?? 0) / first.count
      let bound = max(first.count, second.count) * bytesOfCell * 14 / 10
      let shelf = stand.shelf(bytesAtMost: bound)
      // Each change of place makes some cells go.
      for (box, wanted) in [(Self.there, second), (Self.here, first), (Self.there, second)] {
        #expect(try await stand.bring(shelf, round: [box]))
        #expect(try wanted.isSubset(of: stand.cells()))
        #expect(FileStatus(ofPath: path)?.bytes ?? 0 <= bound)
      }
      #expect(try !first.isSubset(of: stand.cells()), "else the bound was never reached")
      // A smaller bound never has room for the whole map; the map keeps the cells that it has.
      stand.maps.change { $0.maps = [OfficeMaps.map("small", zooms: 9...17)] }
      let small = stand.shelf(bytesAtMost: 300_000)
      #expect(try await stand.bring(small, round: [Self.here]))
      let kept = try stand.cells("office-small.mbtiles")
      #expect(!kept.isEmpty && kept.isStrictSubset(of: first))
      #expect(stand.said.value.contains { $0.contains("small") && $0.contains("may have") })
      let lines = stand.said.value.count
      #expect(try await stand.bring(small, round: [Self.here]))
      #expect(try stand.cells("office-small.mbtiles") == kept)
      #expect(stand.said.value.count == lines, "it is said once")
      #expect(stand.files() == ["office-land.mbtiles", "office-small.mbtiles"])
    }
  }

  @Test("a list that lacks a map destroys nothing: two a day apart do, and not what a task lies on")
  func missing() async throws {
    try await withStand { stand in
      let (land, other) = ("office-land.mbtiles", "office-other.mbtiles")
      func offer(_ names: String...) {
        stand.maps.change { $0.maps = names.map { OfficeMaps.map($0) } }
      }
      func later(hours: Double) {
        let time = stand.scene.clock.elapsed.advanced(bySeconds: hours * 3600)
        stand.scene.clock.advance(to: time, limit: time)
      }
      // Each call uses a new shelf, as after a restart of the program.
      func expect(
        _ files: [String], round box: DegreeBox, hasRoom: Bool = true, _ words: Comment? = nil,
        at place: SourceLocation = #_sourceLocation
      ) async throws {
        _ = try await stand.bring(stand.shelf(hasRoom: hasRoom), round: [box])
        #expect(stand.files() == files, words, sourceLocation: place)
      }
      let elsewhere = DegreeBox(west: 14.1, south: 50.1, east: 14.11, north: 50.11)
      offer("land", "other")
      try await expect([land, other], round: Self.here)
      offer()
      for _ in 0..<3 {
        try await expect([land, other], round: Self.there, "an empty list within a day")
        later(hours: 1)
      }
      offer("other")
      try await expect([land, other], round: Self.there)
      later(hours: 20)
      offer()
      try await expect([land, other], round: Self.there, "23 hours")
      later(hours: 1)
      // The map "other" was on a list in between.
      try await expect([other], round: Self.there)
      later(hours: 24)
      try await expect([other], round: Self.there, "a task lies on it")
      try await expect([other], round: Self.here)
      try await expect([], round: elsewhere)
      // A short disk keeps no map that the office lists no more.
      offer("land")
      try await expect([land], round: Self.here)
      offer()
      try await expect([land], round: Self.here, hasRoom: false)
      try await expect([land], round: Self.there)
      try await expect([], round: Self.there, hasRoom: false)
    }
  }

  @Test("below the disk's reserve nothing is fetched, and what is here stays")
  func reserve() async throws {
    try await withStand { stand in
      stand.maps.change { $0.maps = [OfficeMaps.map()] }
      #expect(try await stand.bring(stand.shelf(), round: [Self.here]))
      let count = stand.maps.asked.count
      stand.maps.change { $0.maps = [OfficeMaps.map(mark: "b")] }
      let short = stand.shelf(hasRoom: false)
      let isDone = try await stand.bring(short, round: [Self.here, Self.there])
      #expect(isDone)
      #expect(stand.maps.asked.count == count)
      #expect(try FetchedTiles(path: stand.folder + "/office-land.mbtiles").tileCount() > 0)
      #expect(stand.said.value.contains { $0.contains("no room") })
    }
  }

  @Test("hostile lists and tiles harm nothing, and somebody's own maps stay as they are")
  func hostile() async throws {
    try await withStand { stand in
      try BaseMapFixture.write(to: stand.folder + "/own.mbtiles")
      try BaseMapFixture.write(to: stand.folder + "/office-mine.mbtiles")
      let before = try Data(
        contentsOf: URL(fileURLWithPath: stand.folder + "/office-mine.mbtiles"))
      var wrong = OfficeMaps.map("wrong")
      wrong.mostZoom = 99
      var unmarked = OfficeMaps.map("unmarked")
      unmarked.mark = "../x"
      var script = OfficeMaps.map("script")
      script.mediaType = "text/html"
      let list = [
        OfficeMaps.map("../../keys"), OfficeMaps.map(".hidden"), OfficeMaps.map("a/b"), wrong,
        unmarked, script, OfficeMaps.map("own"), OfficeMaps.map("mine"), OfficeMaps.map(),
      ]
      stand.maps.change { $0.maps = list }
      #expect(try await stand.bring(stand.shelf(), round: [Self.here]))
      #expect(
        stand.files() == ["office-land.mbtiles", "office-mine.mbtiles", "own.mbtiles"])
      #expect(
        try Data(contentsOf: URL(fileURLWithPath: stand.folder + "/office-mine.mbtiles"))
          == before)
      #expect(stand.said.value.contains { $0.contains("somebody has put it there") })
      // Bytes that are no part of the map are not kept, and the other maps stay.
      for forged in [
        [], Array("hello".utf8),
        TileExtract(tiles: [.init(place: .init(zoom: 3, x: 0, y: 0), bytes: [1])]).bytes,
      ] {
        stand.maps.change {
          $0.maps = [OfficeMaps.map("bad")]
          $0.forged = forged
        }
        _ = try await stand.bring(stand.shelf(), round: [Self.here])
        #expect(!stand.files().contains("office-bad.mbtiles"), "no tile belongs there")
      }
      #expect(stand.files().contains("own.mbtiles"))
      #expect(stand.files().contains("office-mine.mbtiles"))
    }
  }

  @Test("an office without tiles there leaves no map, and is not asked again")
  func empty() async throws {
    try await withStand { stand in
      stand.maps.change {
        $0.maps = [OfficeMaps.map()]
        $0.tileBytes = 0
      }
      #expect(try await stand.bring(stand.shelf(), round: [Self.here]))
      #expect(stand.files() == ["office-land.mbtiles.new"])
      let count = stand.maps.asked.count
      #expect(try await stand.bring(stand.shelf(), round: [Self.here]))
      #expect(stand.maps.asked.count == count)
      let page = try await stand.site.browser.get("/map")
      #expect(!page.body.contains("office-land"))
    }
  }

  @Test("a failure is said in the log once, and asked about again after a while")
  func failure() async throws {
    try await withStand { stand in
      stand.maps.change { $0.status = 500 }
      _ = try stand.scene.tasks()
      let shelf = stand.shelf()
      let link = try #require(
        try stand.site.server.link(to: stand.site.address) as? any MapLink)
      let unit = try stand.site.unit()
      #expect(shelf.begin())
      await shelf.bringIfDue(from: unit, over: link) { true }
      #expect(stand.said.value.count == 1)
      #expect(!shelf.begin(), "not at once")
      func later(_ seconds: Double) {
        let time = stand.scene.clock.elapsed.advanced(bySeconds: seconds)
        stand.scene.clock.advance(to: time, limit: time)
      }
      later(301)
      #expect(shelf.begin())
      #expect(!shelf.begin(), "one at a time")
      await shelf.bringIfDue(from: unit, over: link) { true }
      #expect(stand.said.value.count == 1)
      later(301)
      stand.maps.change {
        $0.status = nil
        $0.maps = [OfficeMaps.map(zooms: 0...5)]
      }
      #expect(shelf.begin())
      await shelf.bringIfDue(from: unit, over: link) { true }
      #expect(stand.files() == ["office-land.mbtiles"], "\(stand.said.value)")
      // With the same tasks the shelf does not ask for an hour.
      let boxes = MapShelf.boxes(of: try unit.tasks())
      #expect(try !shelf.isDue(boxes) && shelf.isDue(boxes + [Self.there]))
      later(3601)
      #expect(try shelf.isDue(boxes) && !shelf.isDue([]))
    }
  }

  @Test(
    "a chosen area comes beside the tasks' surroundings, is stopped, and is deleted without theirs")
  func area() async throws {
    try await withStand { stand in
      stand.maps.change { $0.maps = [OfficeMaps.map(), OfficeMaps.map("ortho", zooms: 10...17)] }
      let shelf = stand.shelf()
      #expect(try await stand.bring(shelf, round: [Self.here]))
      let around = try stand.cells()
      let box = try #require(
        CoordinateBox(
          westDegrees: 16.60, southDegrees: 49.06, eastDegrees: 16.66, northDegrees: 49.10))
      let area = try OfflineArea(
        id: Identifier(at: stand.scene.clock.deviceTime), title: " Hills ", box: box, finest: 17,
        maps: ["land"])
      let before = try shelf.extent(of: area)
      #expect(before.cellsHere > 0 && before.cellsHere < before.cells && before.tilesToCome > 0)
      #expect(before.bytesToCome < before.tilesToCome * 4000, "as large as those that are here")
      try shelf.add(area)
      #expect(shelf.isChanged)
      #expect(try shelf.isDue([Self.here]), "the area is new")
      // Another program reads the same.
      #expect(try stand.shelf().areas().map(\.title) == ["Hills"])
      let count = Mutexed(0)
      #expect(shelf.begin(isAsked: true))
      let isDone = try await stand.bring(shelf, round: [Self.here]) {
        count.change { $0 += 1 }
        if count.value == 3 { try? shelf.stop(area.id, true) }
        return true
      }
      #expect(!isDone, "stopped in the midst")
      #expect(try shelf.extent(of: area).cellsHere == before.cellsHere + 2)
      #expect(try await stand.bring(stand.shelf(), round: [Self.here]), "and stays so")
      try shelf.stop(area.id, false)
      #expect(try await stand.bring(stand.shelf(), round: [Self.here]))
      #expect(try shelf.extent(of: area).isComplete)
      #expect(
        try stand.cells("office-ortho.mbtiles").isDisjoint(
          with: Set(area.cells(zooms: 15...17)).subtracting(around)))
      let size = FileStatus(ofPath: stand.folder + "/office-land.mbtiles")?.bytes ?? 0
      try shelf.delete(area.id, tasks: [Self.here])
      #expect(try stand.cells() == around)
      #expect(FileStatus(ofPath: stand.folder + "/office-land.mbtiles")?.bytes ?? 0 < size)
      #expect(throws: OfflineAreaError.unknown) { try shelf.stop(area.id, true) }
      // An area outlasts the office's map, as a task does.
      try shelf.add(area)
      #expect(try await stand.bring(stand.shelf(), round: []))
      stand.maps.change { $0.maps = [] }
      _ = try await stand.bring(stand.shelf(hasRoom: false), round: [])
      #expect(stand.files().contains("office-land.mbtiles"))
    }
  }

  @Test("an area that is too large, or one too many, is refused, and a damaged list is said")
  func areaBounds() async throws {
    try await withStand { stand in
      let shelf = stand.shelf()
      func box(_ side: Double) -> CoordinateBox? {
        CoordinateBox(
          westDegrees: 16, southDegrees: 49, eastDegrees: 16 + side, northDegrees: 49 + side)
      }
      let (small, large) = (try #require(box(0.01)), try #require(box(2.5)))
      func area(_ box: CoordinateBox, _ finest: Int) throws -> OfflineArea {
        try OfflineArea(
          id: Identifier(at: stand.scene.clock.deviceTime), title: "a", box: box, finest: finest,
          maps: [])
      }
      #expect(throws: OfflineAreaError.tooLarge) { try area(large, 17) }
      #expect(throws: OfflineAreaError.noSuchDetail) { try area(small, 15) }
      #expect(try area(large, 14).cells(zooms: 0...17).count <= TilePlan.areaCellsAtMost)
      for _ in 0..<OfflineArea.countAtMost { try shelf.add(area(small, 17)) }
      #expect(throws: OfflineAreaError.tooMany) { try shelf.add(area(small, 17)) }
      try Data("{".utf8).write(to: URL(fileURLWithPath: stand.folder + "-areas.json"))
      #expect(throws: StoreError.self) { try shelf.areas() }
    }
  }

  @Test(
    "the area in view is chosen on a page with its size, and fetched while the page shows how far")
  func areaPage() async throws {
    try await withStand { stand in
      let browser = stand.site.browser
      #expect(
        try await browser.get("/map/offline").body.contains("knows no map of your office yet"))
      stand.maps.change { $0.maps = [OfficeMaps.map()] }
      #expect(try await stand.bring(stand.site.server.maps, round: []))
      #expect(try await browser.get("/map").body.contains("href=\"/map/offline\" data-view"))
      let box = "16.60,49.06,16.66,49.10"
      let form = try await browser.get("/map/offline?box=\(box)&zoom=14").body
      #expect(form.contains("at most about") && form.contains("value=\"17\""))
      let wide = try await browser.get("/map/offline?box=10,40,30,60&zoom=5").body
      #expect(wide.contains("too large: zoom in"))
      for bad in ["box=1,2,3", "box=nan,1,2,3", "box=0,0,400,1", "box=%3Cscript%3E"] {
        #expect(
          try await browser.get("/map/offline?\(bad)").body.contains("Choose an area on the map"))
      }
      let refused = try await browser.post(
        "/map/offline", ["box": "10,40,30,60", "finest": "17", "title": "x"])
      #expect(refused.status == 422 && refused.body.contains("too large"))
      // The form keeps the area and its name, so that less detail can be chosen.
      #expect(refused.body.contains("name=\"box\" value=\"10,40,30,60\""))
      #expect(refused.body.contains("name=\"title\" value=\"x\""))
      _ = try await browser.get("/map/offline?box=\(box)")
      #expect(
        try await browser.post("/map/offline", ["box": box, "finest": "17", "title": "Hills"])
          .status
          == 303)
      let shelf = stand.site.server.maps
      let area = try #require(try shelf.areas().first)
      while try !shelf.extent(of: area).isComplete { await Task.yield() }
      #expect(try await browser.get("/map/offline").body.contains("every tile that the office has"))
      for action in ["stop", "continue", "delete"] {
        #expect(try await browser.post("/map/offline/\(area.id)/\(action)").status == 303)
      }
      #expect(try shelf.areas().isEmpty)
      #expect(try await browser.post("/map/offline/\(area.id)/stop").status == 404)
    }
  }

  @Test(
    "a view over the edge of the map is read as the area beyond the antimeridian",
    arguments: [
      ("-181,60,-180.5,61", 179.0, 179.5), ("180.5,60,181,61", -179.5, -179),
      ("179,60,181,61", 179, -179), ("-181,60,-179,61", 179, -179), ("170,60,180,61", 170, 180),
    ])
  func edge(view: String, west: Double, east: Double) throws {
    let box = try #require(OfflinePages.box(view))
    #expect(box.westDegrees == west && box.eastDegrees == east)
  }

  @Test("the live list of areas says that it cannot be read, and never looks empty instead")
  func unreadableAreas() async throws {
    try await withStand { stand in
      let pages = OfflinePages(server: stand.site.server)
      #expect(pages.liveList("").text.contains("You keep no further areas yet."))
      let path = stand.folder + "-areas.json"
      try Data("{".utf8).write(to: URL(fileURLWithPath: path))
      #expect(pages.liveList("").text.contains("The areas cannot be read: the log says why."))
    }
  }

  @Test("a power cut in the midst of writing is taken back at the next start")
  func powerCut() async throws {
    try await withStand { stand in
      stand.maps.change { $0.maps = [OfficeMaps.map(zooms: 0...8)] }
      #expect(try await stand.bring(stand.shelf(), round: [Self.here]))
      let path = stand.folder + "/office-land.mbtiles"
      // The head of a journal in SQLite's file format, of a transaction that changed no page yet.
      let pages = UInt8(clamping: (FileStatus(ofPath: path)?.bytes ?? 0) / 4096)
      let head: [UInt8] =
        [0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, pages]
        + [0, 0, 2, 0, 0, 0, 0x10, 0]
      try Data(head + Array(repeating: 0, count: 512 - head.count)).write(
        to: URL(fileURLWithPath: path + "-journal"))
      #expect(throws: StoreError.self) { try TileArchive(path: path) }
      _ = stand.shelf()
      #expect(try TileArchive(path: path).tile(zoom: 0, x: 0, y: 0) != nil)
      #expect(try await stand.bring(stand.shelf(), round: [Self.here]))
    }
  }

  @Test("a journal that another file has left behind is not played into a new map")
  func foreignJournal() async throws {
    try await withStand { stand in
      stand.maps.change { $0.maps = [OfficeMaps.map(zooms: 0...8)] }
      let path = stand.folder + "/office-land.mbtiles"
      // The head of a journal in SQLite's file format, of a file that had one page.
      let head: [UInt8] =
        [0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 1]
        + [0, 0, 2, 0, 0, 0, 0x10, 0]
      func leaveJournal() throws {
        try DurableFile.makeFolder(stand.folder)
        try Data(head + Array(repeating: 0, count: 512 - head.count)).write(
          to: URL(fileURLWithPath: path + "-journal"))
      }
      let shelf = stand.shelf()
      try leaveJournal()
      #expect(try await stand.bring(shelf, round: [Self.here]))
      #expect(stand.files() == ["office-land.mbtiles"])
      #expect(try stand.cells() == Set(TilePlan.cells(around: [Self.here], zooms: 0...8)))
      // A journal without its map is removed at the next start.
      try DurableFile.remove(path)
      try leaveJournal()
      _ = stand.shelf()
      #expect(stand.files().isEmpty)
    }
  }
}
