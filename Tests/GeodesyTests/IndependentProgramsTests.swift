import Foundation
import Geodesy
import Positioning
import TestSupport
import Testing
import TimeAndText

/// Comparisons with programs that share no code with ours.
@Suite("Other programs' answers")
struct IndependentProgramsTests {
  private static let planimeter = Program.tool("Planimeter")

  @Test(
    "Qhull peels 3,000 random sets into the same layers",
    .enabled(if: PythonTools.areHere, PythonTools.absence))
  func layers() async throws {
    var generator = SeededGenerator(seed: 1)
    let sets = (0..<3000).map { number in
      // Squares and thin strips of random points, in general position.
      let count = Int.random(in: 3...(number % 10 == 0 ? 200 : 40), using: &generator)
      let flat = number % 3 == 0 ? 0.01 : 1
      return (0..<count).map { _ in
        PlanePoint(
          eastMetres: Double.random(in: -5...5, using: &generator),
          northMetres: flat * Double.random(in: -5...5, using: &generator))
      }
    }
    let text = sets.map { points in
      "[" + points.map { "[\($0.eastMetres),\($0.northMetres)]" }.joined(separator: ",") + "]"
    }.joined(separator: "\n")
    let outcome = try await PythonTools.run(
      "Peel/peel.py", input: Data((text + "\n").utf8))
    try #require(outcome.status == 0, "\(outcome.errors)")
    let lines = outcome.output.split(separator: "\n")
    try #require(lines.count == sets.count)
    for (points, line) in zip(sets, lines) {
      let theirs = try #require(
        JSONSerialization.jsonObject(with: Data(line.utf8)) as? [[Int]])
      let ours = ConvexLayers.peel(points)
      #expect(ours.map { Set($0) } == theirs.map { Set($0.map { points[$0] }) })
    }
  }

  @Test(
    "Planimeter finds the same area of 300 random fields and countries, to 1e-9",
    .enabled(if: planimeter != nil, "no Planimeter: package geographiclib-tools"))
  func areas() async throws {
    var generator = SeededGenerator(seed: 2)
    let rings = try (0..<300).map { number -> [Coordinate] in
      let middle = (
        latitude: Double.random(in: -80...80, using: &generator),
        longitude: Double.random(in: -180...180, using: &generator)
      )
      let size = [0.005, 0.01, 0.1, 1, 8][number % 5]
      // A star about the middle, which never crosses itself.
      let count = Int.random(in: 3...30, using: &generator)
      return try (0..<count).map { corner in
        let angle = 2 * Double.pi * Double(corner) / Double(count)
        let radius = size * Double.random(in: 0.4...1, using: &generator)
        var longitude = middle.longitude + radius * cos(angle)
        if longitude > 180 { longitude -= 360 }
        if longitude < -180 { longitude += 360 }
        return try #require(
          Coordinate(
            latitudeDegrees: middle.latitude + radius * sin(angle), longitudeDegrees: longitude))
      }
    }
    let text = rings.map { ring in
      ring.map { "\($0.latitudeDegrees) \($0.longitudeDegrees)" }.joined(separator: "\n")
    }.joined(separator: "\n\n")
    let outcome = try await Program.run(
      try #require(Self.planimeter), ["-p", "10"], input: Data((text + "\n\n").utf8))
    try #require(outcome.status == 0, "\(outcome.errors)")
    let lines = outcome.output.split(separator: "\n")
    try #require(lines.count == rings.count)
    for (ring, line) in zip(rings, lines) {
      let words = line.split(separator: " ")
      let area = try #require(Double(words.last ?? ""))
      let ours = Geodesic.polygon(ring).areaSquareMetres
      #expect(abs(ours - abs(area)) <= 1e-9 * abs(area), "\(ours) and \(line)")
    }
  }
}
