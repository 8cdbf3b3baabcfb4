import Foundation
import GRDB
import Geodesy
import NIOHTTP1
import Store
import Sync
import Synchronization
import TestSupport
import Testing
import TimeAndText

@testable import MapLayers

@Suite("Tiles of map services: fetched once, kept, and never at any price", .timeLimit(.minutes(2)))
struct MapServiceFetchTests {
  private static let place = TileExtract.Place(zoom: 3, x: 4, y: 2)

  private struct Stand: Sendable {
    let folder: String
    let clock: HandClock
    let played: PlayedService

    var service: MapService {
      MapService(
        name: "m", kind: .xyz, title: "M", address: "\(played.origin)/{z}/{x}/{y}.png")
    }

    func tiles(_ service: MapService? = nil, seconds: Int = 20) throws -> ServiceTiles {
      var fetcher = ServiceFetcher(userAgent: "standpoint test")
      fetcher.tileSeconds = seconds
      let service = service ?? self.service
      return ServiceTiles(
        service: service,
        cache: try TileCache(path: folder + "/m.sqlite", mark: service.pictureMark),
        fetcher: fetcher, clock: clock, hasRoom: { true })
    }
  }

  private func withStand(_ body: @escaping @Sendable (Stand) async throws -> Void) async throws {
    try await withTemporaryDirectory { folder in
      try await PlayedService.with { played in
        try await body(Stand(folder: folder.path, clock: HandClock(), played: played))
      }
    }
  }

  @Test("a tile is asked for once however many want it, and again when it is no longer fresh")
  func once() async throws {
    try await withStand { stand in
      stand.played.answer { request in
        request.headers.contains(name: "If-None-Match")
          ? .body(status: 304, [])
          : .body(
            PlayedService.picture(), headers: [("Cache-Control", "max-age=60"), ("ETag", "\"1\"")])
      }
      let tiles = try stand.tiles()
      try await withThrowingTaskGroup(of: LayerTile?.self) { group in
        for _ in 0..<20 { group.addTask { try await tiles.tile(at: Self.place) } }
        for try await tile in group { #expect(tile?.mediaType == "image/png") }
      }
      #expect(stand.played.requests.count == 1)
      #expect(stand.played.requests.first?.headers["User-Agent"] == ["standpoint test"])
      // Another program finds it on the disk.
      #expect(try await stand.tiles().tile(at: Self.place) != nil)
      #expect(stand.played.requests.count == 1)
      stand.clock.pass(seconds: 61)
      #expect(try await tiles.tile(at: Self.place)?.bytes == PlayedService.picture())
      #expect(stand.played.requests.last?.headers["If-None-Match"] == ["\"1\""])
      #expect(stand.played.requests.count == 2)
      // Other settings begin anew.
      var other = stand.service
      other.layer = "other"
      #expect(try stand.tiles(other).keptTile(at: Self.place) == nil)
    }
  }

  @Test(
    "what is no tile is refused with the reason",
    arguments: [
      ("<html><body>Sign in</body></html>", "web page"), ("<!doctype html><p>x", "web page"),
      (
        "<ServiceExceptionReport><ServiceException>No such layer</ServiceException></ServiceExceptionReport>",
        "No such layer"
      ),
      ("<a/>", "XML document"), ("", "empty answer"), ("words", "something else"),
    ])
  func noPicture(_ body: String, _ words: String) async throws {
    try await withStand { stand in
      stand.played.answer { _ in .body(type: "image/png", Array(body.utf8)) }
      await #expect {
        try await stand.tiles().tile(at: Self.place)
      } throws: { "\($0)".contains(words) }
    }
  }

  @Test(
    "a wrong size, a tile without end, silence, a cut and a redirect elsewhere are refused in time")
  func hostile() async throws {
    try await withStand { stand in
      let origin = stand.played.origin
      for (answer, words) in [
        (.body(PlayedService.picture(size: 44)), "300 × 300"), (.endless, "more than 1 MB"),
        (.body(Array(repeating: 7, count: 50 << 20)), "more than 1 MB"),
        (.silence, "within 1 s"), (.cut, "cannot be reached"),
        (
          .body(status: 302, [], headers: [("Location", "http://elsewhere.example/")]),
          "elsewhere.example"
        ),
        (
          .body(status: 302, [], headers: [("Location", "file:///etc/passwd")]),
          "not an address"
        ),
        (.body(status: 302, [], headers: [("Location", origin + "/again")]), "again and again"),
        (.body(status: 401, []), "asks for a user"), (.body(status: 500, []), "status 500"),
      ] as [(PlayedService.Answer, String)] {
        stand.played.answer { _ in answer }
        await #expect("\(words)") {
          try await stand.tiles(seconds: words == "within 1 s" ? 1 : 20)
            .tile(at: Self.place, isTest: true)
        } throws: { "\($0)".contains(words) }
      }
      let gone = MapService(
        name: "m", kind: .xyz, title: "M", address: "http://127.0.0.1:9/{z}/{x}/{y}")
      await #expect {
        try await stand.tiles(gone).tile(at: Self.place)
      } throws: { "\($0)".contains("nothing is listening") }
    }
  }

  @Test(
    "a redirect within the host is followed, with the password, and a place without a tile is kept")
  func redirect() async throws {
    try await withStand { stand in
      stand.played.answer { request in
        request.uri.hasSuffix("/new")
          ? .tile : .body(status: 301, [], headers: [("Location", "/new")])
      }
      var service = stand.service
      (service.user, service.password) = ("anna", Secret("over the hills"))
      #expect(try await stand.tiles(service).tile(at: Self.place) != nil)
      let basic = "Basic " + Data("anna:over the hills".utf8).base64EncodedString()
      #expect(stand.played.requests.map { $0.headers["Authorization"] } == [[basic], [basic]])
      stand.played.answer { _ in .body(status: 401, []) }
      await #expect {
        try await stand.tiles(service).tile(at: Self.place, isTest: true)
      } throws: { "\($0)".contains("refuses the user") && !"\($0)".contains("hills") }
      stand.played.answer { _ in .body(status: 404, []) }
      let tiles = try stand.tiles()
      let count = stand.played.requests.count
      for _ in 0..<3 { #expect(try await tiles.tile(at: .init(zoom: 1, x: 0, y: 0)) == nil) }
      #expect(stand.played.requests.count == count + 1)
    }
  }

  @Test("a password is sent to no other port, neither after a redirect nor where a template leads")
  func elsewhere() async throws {
    try await withStand { stand in
      try await PlayedService.with { other in
        var service = stand.service
        (service.user, service.password) = ("anna", Secret("over the hills"))
        stand.played.answer { _ in
          .body(status: 302, [], headers: [("Location", other.origin + "/tile.png")])
        }
        await #expect {
          try await stand.tiles(service).tile(at: Self.place, isTest: true)
        } throws: { "\($0)".contains("redirects to \(other.origin)") }
        #expect(other.requests.isEmpty)
        // Without a password the host's other port may answer.
        let bare = try await stand.tiles().tile(at: Self.place, isTest: true)
        #expect(bare != nil)
        var matrix = MapService(
          name: "m", kind: .wmts, title: "M", address: stand.played.origin + "/wmts")
        (matrix.user, matrix.password) = ("anna", Secret("over the hills"))
        (matrix.layer, matrix.matrices) = ("base", [.init(zoom: 3, name: "3")])
        matrix.template = other.origin + "/{TileMatrix}/{TileRow}/{TileCol}.png"
        let tile = try await stand.tiles(matrix).tile(at: Self.place, isTest: true)
        #expect(tile != nil)
        other.answer { _ in .body(status: 401, []) }
        await #expect {
          try await stand.tiles(matrix).tile(at: Self.place, isTest: true)
        } throws: { "\($0)".contains("which is sent to \(stand.played.origin) alone") }
        #expect(other.requests.count == 3)
        #expect(other.requests.allSatisfy { $0.headers["Authorization"].isEmpty })
      }
    }
  }

  @Test("a service that fails is left alone for a while, and old tiles are shown meanwhile")
  func pause() async throws {
    try await withStand { stand in
      stand.played.answer { _ in
        .body(PlayedService.picture(), headers: [("Cache-Control", "max-age=1")])
      }
      let tiles = try stand.tiles()
      _ = try await tiles.tile(at: Self.place)
      stand.clock.pass(seconds: 5)
      stand.played.answer { _ in .body(status: 503, []) }
      #expect(try await tiles.tile(at: Self.place) != nil, "an old tile is better than none")
      #expect(tiles.trouble != nil)
      for x in 0..<2 {
        _ = try? await tiles.tile(at: .init(zoom: 3, x: x, y: 0))
      }
      let count = stand.played.requests.count
      await #expect {
        try await tiles.tile(at: .init(zoom: 3, x: 7, y: 0))
      } throws: { "\($0)".contains("asked again in 15 s") }
      #expect(try await tiles.tile(at: Self.place) != nil)
      #expect(stand.played.requests.count == count)
      stand.clock.pass(seconds: 16)
      stand.played.answer { _ in .tile }
      #expect(try await tiles.tile(at: .init(zoom: 3, x: 7, y: 0)) != nil)
      #expect(tiles.trouble == nil)
    }
  }

  @Test("a part for a device asks for eight tiles at once, and for no more when they are too large")
  func gathered() async throws {
    let places = (0..<100).map { TileExtract.Place(zoom: 7, x: 99 - $0, y: 1) }
    let counts = Mutex((now: 0, most: 0, all: 0))
    @Sendable func tile(_ place: TileExtract.Place) async -> TileExtract.Tile? {
      counts.withLock { counts in
        counts.now += 1
        counts.all += 1
        counts.most = max(counts.most, counts.now)
      }
      for _ in 0..<20 { await Task.yield() }
      counts.withLock { $0.now -= 1 }
      return place.x == 3 ? nil : .init(place: place, bytes: Array(repeating: 7, count: 1000))
    }
    let whole = try await BaseLayer.gathered(places, bytesAtMost: 99_000) { await tile($0) }
    #expect(whole?.tiles.map(\.place.x) == (0..<100).filter { $0 != 3 })
    #expect(counts.withLock { $0.most } <= BaseLayer.tilesAtOnce)
    #expect(counts.withLock { $0.all } == 100)
    counts.withLock { $0 = (0, 0, 0) }
    let part = try await BaseLayer.gathered(places, bytesAtMost: 10_500) { await tile($0) }
    #expect(part == nil)
    #expect(counts.withLock { $0.all } <= 10 + BaseLayer.tilesAtOnce)
    #expect(try await BaseLayer.gathered([]) { await tile($0) }?.tiles.isEmpty == true)
    await #expect(throws: MapServiceError.busy(host: "h")) {
      try await BaseLayer.gathered(places) { _ in throw MapServiceError.busy(host: "h") }
    }
  }

  @Test("the cache has its bound: the oldest tiles go; a damaged one begins anew")
  func bound() throws {
    try withTemporaryDirectory { folder in
      let path = folder.path + "/m.sqlite"
      let clock = HandClock()
      let cache = try TileCache(path: path, mark: "a", bytesAtMost: 1 << 20)
      for x in 0..<600 {
        clock.pass(seconds: 1)
        let tile = LayerTile(bytes: Array(repeating: 7, count: 5000), mediaType: "image/png")
        try cache.keep(
          .init(tile: tile, fresh: clock.deviceTime, tag: nil), of: .init(zoom: 10, x: x, y: 0),
          at: clock.deviceTime)
      }
      #expect(try cache.extent().bytes <= 1 << 20)
      #expect(try cache.entry(of: .init(zoom: 10, x: 0, y: 0)) == nil)
      #expect(try cache.entry(of: .init(zoom: 10, x: 599, y: 0)) != nil)
      try Data("no database".utf8).write(to: URL(fileURLWithPath: path))
      try? FileManager.default.removeItem(atPath: path + "-wal")
      #expect(try TileCache(path: path, mark: "a").extent().tiles == 0)
    }
  }

  @Test("a cache that is busy, or cannot be opened just now, keeps its tiles")
  func busy() throws {
    try withTemporaryDirectory { folder in
      let path = folder.path + "/m.sqlite"
      let tile = LayerTile(bytes: [1, 2, 3], mediaType: "image/png")
      let time = HandClock().deviceTime
      try TileCache(path: path, mark: "a").keep(
        .init(tile: tile, fresh: time, tag: nil), of: Self.place, at: time)
      let other = try DatabaseQueue(path: path)
      try other.inTransaction(.exclusive) { _ in
        #expect {
          try TileCache(path: path, mark: "a", patienceSeconds: 0)
        } throws: { ($0 as? StoreError)?.code == "store-unavailable" }
        return .rollback
      }
      try other.close()
      #expect(try TileCache(path: path, mark: "a").entry(of: Self.place)?.tile == tile)
      for code in [
        ResultCode.SQLITE_BUSY, .SQLITE_LOCKED, .SQLITE_IOERR, .SQLITE_FULL, .SQLITE_CANTOPEN,
        .SQLITE_READONLY, .SQLITE_NOMEM, .SQLITE_ERROR, .SQLITE_SCHEMA,
      ] {
        #expect(!TileCache.saysDamaged(DatabaseError(resultCode: code)), "\(code)")
      }
      for code in [ResultCode.SQLITE_CORRUPT, .SQLITE_NOTADB] {
        #expect(TileCache.saysDamaged(DatabaseError(resultCode: code)), "\(code)")
      }
    }
  }
}

/// A clock that a test sets.
final class HandClock: Timepiece {
  private let milliseconds = Mutex<Int64>(0)

  var elapsed: ElapsedTime { ElapsedTime(milliseconds: milliseconds.withLock { $0 }) }
  var deviceTime: DeviceTime {
    DeviceTime(millisecondsSince1970: 1_700_000_000_000 + elapsed.milliseconds)
  }
  func sleep(until deadline: ElapsedTime) async throws {}
  func pass(seconds: Int64) { milliseconds.withLock { $0 += seconds * 1000 } }
}
