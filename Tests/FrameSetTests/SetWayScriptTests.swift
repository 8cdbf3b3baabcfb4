import Foundation
import Geodesy
import Positioning
import TestSupport
import Testing

/// The base map below the way must lie where the way is.
@Suite("The script that lays the base map below a way")
struct SetWayScriptTests {
  private static let node = Program.tool("node")

  private struct Asked: Codable {
    var origin: [Double]
    var middle: [Double]
    var across: Double
    var most: Int
  }

  private struct Tile: Codable {
    var url: String
    var left, top, side: Double

    /// The zoom, column and row in the address.
    var name: [Int] { url.split(separator: "/").dropFirst().compactMap { Int($0) } }
  }

  @Test(
    "tiles fill the square, and each lies where its corners are on the Earth",
    .enabled(if: node != nil, "there is no node: scripts/setup.sh --tests installs it"))
  func tiles() async throws {
    var random = SeededGenerator(seed: 19)
    var cases = [
      Asked(origin: [49.08, 16.63], middle: [0, 0], across: 30, most: 19),
      Asked(origin: [49.08, 16.63], middle: [-12, 25], across: 200, most: 17),
      Asked(origin: [-17, 179.99995], middle: [10, 0], across: 60, most: 19),
    ]
    for _ in 0..<300 {
      cases.append(
        Asked(
          origin: [
            Double.random(in: -70...70, using: &random),
            Double.random(in: -180...180, using: &random),
          ],
          middle: (0..<2).map { _ in Double.random(in: -80...80, using: &random) },
          across: Double.random(in: 4...900, using: &random),
          most: Int.random(in: 14...20, using: &random)))
    }
    for (asked, tiles) in zip(cases, try await Self.tiles(cases)) {
      let plane = LocalPlane(
        origin: try #require(
          Coordinate(latitudeDegrees: asked.origin[0], longitudeDegrees: asked.origin[1])))
      try #require((1...36).contains(tiles.count), "\(asked)")
      let half = asked.across / 2
      #expect(tiles.allSatisfy { $0.left <= half && $0.top <= half })
      #expect(try #require(tiles.map(\.left).min()) <= -half)
      #expect(try #require(tiles.map(\.top).min()) <= -half)
      #expect(try #require(tiles.map { $0.left + $0.side }.max()) >= half)
      #expect(try #require(tiles.map { $0.top + $0.side }.max()) >= half)
      for tile in tiles {
        let name = tile.name
        let count = Double(1 << name[0])
        let northWest = try #require(
          Coordinate(
            latitudeDegrees: atan(sinh(.pi * (1 - 2 * Double(name[2]) / count))) * 180 / .pi,
            longitudeDegrees: Double(name[1]) / count * 360 - 180))
        let corner = plane.project(northWest)
        let off = max(
          abs(corner.eastMetres - asked.middle[0] - tile.left),
          abs(corner.northMetres - asked.middle[1] + tile.top))
        // The projection takes the Earth for a sphere: up to 0.7 % of a distance.
        let allowed = 0.01 * (asked.across + tile.side + 160)
        #expect(off <= allowed, "\(asked) \(tile): \(off) m off")
      }
    }
  }

  @Test(
    "a base map whose finest tiles are too small for the square has none",
    .enabled(if: node != nil, "there is no node: scripts/setup.sh --tests installs it"))
  func none() async throws {
    let asked = Asked(origin: [49, 16], middle: [0, 0], across: 900, most: 99)
    #expect(try await Self.tiles([asked], least: 20)[0].isEmpty)
  }

  private static func tiles(_ cases: [Asked], least: Int = 0) async throws -> [[Tile]] {
    let script = Repository.root.appendingPathComponent("Sources/SetCapture/Files/set-way.js")
    let program = """
      import { readFileSync } from "node:fs";
      const text = readFileSync(process.argv[2], "utf8");
      const script = await import("data:text/javascript," + encodeURIComponent(text));
      const cases = JSON.parse(readFileSync(0, "utf8"));
      console.log(JSON.stringify(cases.map(({ origin, middle, across, most }) =>
        script.tilesBelow(origin, middle, across, { url: "t/{z}/{x}/{y}", least: "\(least)", most: `${most}` }))));
      """
    let outcome = try await withTemporaryDirectory { folder in
      let file = folder.appendingPathComponent("way.mjs")
      try Data(program.utf8).write(to: file)
      return try await Program.run(
        try #require(Self.node), [file.path, script.path], input: try JSONEncoder().encode(cases))
    }
    try #require(outcome.status == 0, "\(outcome.errors)")
    return try JSONDecoder().decode([[Tile]].self, from: Data(outcome.output.utf8))
  }
}
