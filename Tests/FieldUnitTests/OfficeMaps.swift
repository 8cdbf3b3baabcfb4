import Evidence
import Foundation
import Geodesy
import Sync
import Synchronization
import Web

@testable import FieldPages
@testable import FieldUnit

extension OfficeMapsTests {
  /// The base maps of an office, with a tile for each place, or none at all.
  final class OfficeMaps: Sendable {
    struct State {
      var maps: [MapListMessage.Map] = []
      var tileBytes = 500
      var year = 1
      /// The number of cells that are answered before the connection is cut.
      var cellsLeft = Int.max
      var asked: [String] = []
      var unchanged = 0
      /// The bytes that replace the right ones; nil for the right ones.
      var forged: [UInt8]?
      var status: Int?
    }
    let state = Mutex(State())

    func change(_ body: (inout State) -> Void) { state.withLock { body(&$0) } }
    var asked: [String] { state.withLock { $0.asked } }

    static func map(
      _ name: String = "land", mark: Character = "a", zooms: ClosedRange<Int> = 0...17
    ) -> MapListMessage.Map {
      MapListMessage.Map(
        name: name, title: "Land", attribution: "Survey", mediaType: "image/png", zooms: zooms,
        mark: String(repeating: mark, count: 32))
    }

    func add(to routes: inout Routes) {
      routes.get("/api/v1/maps") { _ in
        let (maps, status) = self.state.withLock { ($0.maps, $0.status) }
        if let status { throw Problem(status: status, code: "internal", detail: "broken") }
        return .json(try WireJSON.bytes(MapListMessage(maps: maps)))
      }
      routes.get("/api/v1/maps/{name}") { request in try self.part(request) }
    }

    private func part(_ request: WebRequest) throws -> WebResponse {
      let name = request.parameters["name"] ?? ""
      let sides = (request.query["box"] ?? "").split(separator: ",").compactMap { Double($0) }
      let zooms = (request.query["zooms"] ?? "").split(separator: "-").compactMap { Int($0) }
      guard sides.count == 4, zooms.count == 2,
        let box = CoordinateBox(
          westDegrees: sides[0], southDegrees: sides[1], eastDegrees: sides[2],
          northDegrees: sides[3]),
        let areas = TileExtract.areas(of: box, zooms: zooms[0]...zooms[1])
      else { throw Problem(status: 400, code: "input-invalid", detail: "no part") }
      let (bytes, mark) = try state.withLock { state -> ([UInt8], String) in
        state.cellsLeft -= 1
        guard state.cellsLeft >= 0, let map = state.maps.first(where: { $0.name == name }) else {
          throw Problem(status: 500, code: "internal", detail: "the connection was cut")
        }
        state.asked.append("\(name) \(request.query["box"] ?? "")")
        if let forged = state.forged { return (forged, map.mark) }
        var tiles: [TileExtract.Tile] = []
        for area in areas where state.tileBytes > 0 {
          for x in area.columns {
            for y in area.rows {
              // Coarse tiles are the same each year.
              let year = area.zoom < 15 ? 1 : state.year
              tiles.append(
                .init(
                  place: .init(zoom: area.zoom, x: x, y: y),
                  bytes: Array("\(area.zoom)/\(x)/\(y) \(year)".utf8)
                    + Array(repeating: 7, count: state.tileBytes)))
            }
          }
        }
        return (TileExtract(tiles: tiles).bytes, map.mark)
      }
      let tag = "\"\(Digest.hexadecimal(bytes))\""
      let isKnown = request.header("If-None-Match") == tag
      if isKnown { change { $0.unchanged += 1 } }
      return
        (isKnown
        ? WebResponse.empty(304) : WebResponse.bytes(bytes, mediaType: TileExtract.mediaType))
        .setting(header: "ETag", to: tag).setting(header: "Standpoint-Mark", to: mark)
    }
  }
}
