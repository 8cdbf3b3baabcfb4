import Foundation
import Inspection
import Positioning
import TestSupport
import Testing

/// The viewer turns in the browser; it must show the frame that the circle says.
@Suite("The script that turns a set")
struct SetViewerScriptTests {
  private static let node = Program.tool("node")

  @Test(
    "for any angle it shows the frame that is nearest on the circle, the earlier of two",
    .enabled(if: node != nil, "there is no node: scripts/setup.sh --tests installs it"))
  func nearest() async throws {
    var random = SeededGenerator(seed: 17)
    var cases: [(angles: [Double], angle: Double)] = [
      ([355, 1, 7, 10, 14, 19], 17), ([355, 1, 7, 10, 14, 19], 300), ([350, 10], 0), ([], 5),
    ]
    for _ in 0..<2000 {
      let count = Int.random(in: 1...72, using: &random)
      cases.append(
        (
          (0..<count).map { _ in Double.random(in: 0..<360, using: &random) },
          Double.random(in: -400...800, using: &random)
        ))
    }
    let script = Repository.root.appendingPathComponent("Sources/SetViewing/Files/set-viewer.js")
    let program = """
      import { readFileSync } from "node:fs";
      const text = readFileSync(process.argv[2], "utf8");
      const script = await import("data:text/javascript," + encodeURIComponent(text));
      const cases = JSON.parse(readFileSync(0, "utf8"));
      console.log(JSON.stringify(cases.map(([angles, angle]) => script.nearest(angles, angle))));
      """
    let input = try JSONSerialization.data(
      withJSONObject: cases.map { [$0.angles, $0.angle] as [Any] })
    let outcome = try await withTemporaryDirectory { folder in
      let file = folder.appendingPathComponent("viewer.mjs")
      try Data(program.utf8).write(to: file)
      return try await Program.run(
        try #require(Self.node), [file.path, script.path], input: input)
    }
    try #require(outcome.status == 0, "\(outcome.errors)")
    let answers = try JSONDecoder().decode([Int].self, from: Data(outcome.output.utf8))
    #expect(Array(answers.prefix(4)) == [5, 0, 0, -1])
    for (answer, (angles, angle)) in zip(answers, cases) where !angles.isEmpty {
      let least = angles.map { SectorRing.distanceDegrees($0, angle) }.min() ?? 0
      #expect(abs(SectorRing.distanceDegrees(angles[answer], angle) - least) < 1e-9)
    }
  }
}
