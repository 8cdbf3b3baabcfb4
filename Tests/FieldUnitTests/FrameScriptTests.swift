import Foundation
import Inspection
import Positioning
import TestSupport
import Testing

/// The camera page computes the frame in the browser, fifty times a second.
@Suite("The script of the frame that leads back")
struct FrameScriptTests {
  private static let node = Program.tool("node")

  private struct Case: Codable {
    var reference: [Double]
    var now: [Double]
    var view: Side
    var earlier: Side
  }

  private struct Side: Codable {
    var width: Double
    var height: Double
    var across: Double
  }

  private struct Answer: Decodable {
    var x: Double
    var y: Double
    var width: Double
    var height: Double
    var turn: Double
    var isInView: Bool
    var angle: Double
  }

  private static func quaternion(_ generator: inout SeededGenerator) throws -> Quaternion {
    func part() -> Double { Double.random(in: -1...1, using: &generator) }
    return try #require(Quaternion(w: part(), x: part(), y: part(), z: part()))
  }

  private static func numbers(_ q: Quaternion) -> [Double] { [q.w, q.x, q.y, q.z] }

  @Test(
    "it draws what the program computes, at 2,000 attitudes",
    .enabled(if: node != nil, "there is no node: scripts/setup.sh --tests installs it"))
  func same() async throws {
    var generator = SeededGenerator(seed: 31)
    var cases: [Case] = []
    var expected: [(NavigationRectangle, RelativeAttitude)] = []
    for index in 0..<2_000 {
      let reference = try Self.quaternion(&generator)
      var now = try Self.quaternion(&generator)
      if index % 2 == 0 {
        now = try #require(
          Quaternion(
            w: reference.w + now.w / 8, x: reference.x + now.x / 8, y: reference.y + now.y / 8,
            z: reference.z + now.z / 8))
      }
      let sides = [
        Side(width: 390, height: 520, across: 52), Side(width: 800, height: 360, across: 66),
      ]
      let (view, earlier) = (sides[index % 2], sides[index / 2 % 2])
      cases.append(
        Case(
          reference: Self.numbers(reference), now: Self.numbers(now), view: view, earlier: earlier))
      let from = try #require(PictureAttitude(device: reference, screenDegrees: 0))
      let to = try #require(PictureAttitude(device: now, screenDegrees: 0))
      let relative = try #require(RelativeAttitude(from: from, to: to))
      func shown(_ side: Side) throws -> NavigationRectangle.View {
        try #require(
          NavigationRectangle.View(
            widthPixels: side.width, heightPixels: side.height, horizontalDegrees: side.across))
      }
      expected.append(
        (
          try NavigationRectangle(relative: relative, in: shown(view), reference: shown(earlier)),
          relative
        ))
    }
    let script = Repository.root.appendingPathComponent("Sources/FieldPages/Files/frame.js")
    let program = """
      import { readFileSync } from "node:fs";
      const text = readFileSync(process.argv[2], "utf8");
      const script = await import("data:text/javascript," + encodeURIComponent(text));
      const cases = JSON.parse(readFileSync(0, "utf8"));
      console.log(JSON.stringify(cases.map(({ reference, now, view, earlier }) => {
        const relative = script.relativeOf(reference, now);
        return { ...script.frameOf(relative, view, earlier), angle: script.partsOf(relative).angle };
      })));
      """
    let outcome = try await withTemporaryDirectory { folder in
      let file = folder.appendingPathComponent("frame.mjs")
      try Data(program.utf8).write(to: file)
      return try await Program.run(
        try #require(Self.node), [file.path, script.path], input: try JSONEncoder().encode(cases))
    }
    try #require(outcome.status == 0, "\(outcome.errors)")
    let answers = try JSONDecoder().decode([Answer].self, from: Data(outcome.output.utf8))
    try #require(answers.count == expected.count)
    #expect(expected.filter { $0.0.isInView }.count > 200)
    for (answer, (frame, relative)) in zip(answers, expected) {
      #expect(answer.isInView == frame.isInView)
      #expect(
        [
          answer.x - frame.x, answer.y - frame.y, answer.width - frame.widthPixels,
          answer.height - frame.heightPixels, answer.turn - frame.turnDegrees,
          answer.angle - relative.angleDegrees,
        ].allSatisfy { abs($0) < 1e-6 })
    }
  }
}
