import Foundation
import Inspection
import Positioning
import TestSupport
import Testing

/// The page judges each frame, and the field unit judges the kept ones again: by the same numbers.
@Suite("The script that judges the frames of a set")
struct SetJudgeScriptTests {
  private static let node = Program.tool("node")
  private static let script = Repository.root.appendingPathComponent(
    "Sources/SetCapture/Files/set-judge.js")

  /// A recorded stream of a device's sensors and of its camera's moments.
  private struct Stream: Encodable {
    struct Event: Encodable {
      var milliseconds: Double
      /// w, x, y, z; nil for a frame.
      var rotation: [Double]?
      var acceleration: Double?
    }

    var sectors: Int
    var screen: Int
    var events: [Event]

    /// Walks round with a hand that shakes, goes back and pauses, and with sensors that fail for a
    /// while.
    init(seed: UInt64) throws {
      var random = SeededGenerator(seed: seed)
      sectors = Int.random(in: 4...72, using: &random)
      screen = [0, 90, 180, 270][Int.random(in: 0..<4, using: &random)]
      events = []
      let hasAcceleration = seed % 3 != 0
      let (lost, pause) = (
        Double.random(in: 3..<15, using: &random), Double.random(in: 3..<15, using: &random)
      )
      let direction = seed % 2 == 0 ? 1.0 : -1
      var turned = 0.0
      var nextFrame = 7.0
      for step in 0..<1000 {
        let time = Double(step) * 20
        let seconds = time / 1000
        let isBack = (10..<12).contains(seconds)
        if abs(seconds - pause) > 1 { turned += direction * (isBack ? -0.4 : 0.4) }
        while nextFrame < time {
          events.append(Event(milliseconds: nextFrame, rotation: nil, acceleration: nil))
          nextFrame += 1000 / 30
        }
        guard abs(seconds - lost) > 0.7 else { continue }
        let orientation = Orientation(
          azimuthDegreesTrue: 300 + turned + Double.random(in: -0.5...0.5, using: &random),
          elevationDegrees: -10 + Double.random(in: -8...8, using: &random),
          rollDegrees: Double.random(in: -8...8, using: &random), source: .deviceSensors,
          screenDegrees: screen)
        let q = try #require(orientation.quaternion)
        events.append(
          Event(
            milliseconds: time, rotation: [q.w, q.x, q.y, q.z],
            acceleration: hasAcceleration ? Double.random(in: 0...3, using: &random) : nil))
      }
    }

    /// Returns the qualities of the kept frames, by sector, as the core judges the same stream.
    func judged() throws -> [Double?] {
      var keeper = SectorKeeper<Int>(ring: SectorRing(count: sectors))
      let samples = try events.compactMap { event -> AttitudeSample? in
        guard let q = event.rotation else { return nil }
        return AttitudeSample(
          milliseconds: event.milliseconds,
          rotation: try #require(Quaternion(w: q[0], x: q[1], y: q[2], z: q[3])),
          accelerationMetresPerSecondSquared: event.acceleration)
      }
      var first: PictureAttitude?
      for (number, event) in events.filter({ $0.rotation == nil }).enumerated() {
        let moment = event.milliseconds
        guard
          let sample = AttitudeSample.at(
            milliseconds: moment, before: samples.last { $0.milliseconds <= moment },
            after: samples.first { $0.milliseconds > moment }),
          let picture = PictureAttitude(device: sample.rotation, screenDegrees: screen),
          let attitude = FrameAttitude(from: first ?? picture, to: picture)
        else { continue }
        let decision = keeper.offer(
          number, attitude,
          accelerationMetresPerSecondSquared: sample.accelerationMetresPerSecondSquared
        ).decision
        if decision != .poor { first = first ?? picture }
      }
      return keeper.sectors.map { $0?.quality.value }
    }
  }

  /// Runs a program with the script at hand, and returns what it prints.
  private static func run<Answer: Decodable>(
    _ program: String, _ input: some Encodable, as kind: Answer.Type
  ) async throws -> Answer {
    let whole = """
      import { readFileSync } from "node:fs";
      const text = readFileSync(process.argv[2], "utf8");
      const judge = await import("data:text/javascript," + encodeURIComponent(text));
      const input = JSON.parse(readFileSync(0, "utf8"));
      \(program)
      """
    let data = try JSONEncoder().encode(input)
    let outcome = try await withTemporaryDirectory { folder in
      let file = folder.appendingPathComponent("judge.mjs")
      try Data(whole.utf8).write(to: file)
      return try await Program.run(try #require(node), [file.path, script.path], input: data)
    }
    try #require(outcome.status == 0, "\(outcome.errors)")
    return try JSONDecoder().decode(kind, from: Data(outcome.output.utf8))
  }

  /// The answer of the script to one stream.
  private struct Told: Decodable {
    var held: [Double?]
    /// The number of frames that were decided, and the largest number that waited.
    var decided, mostWaiting: Int
  }

  @Test(
    "keeps the frames that the field unit would keep, and holds at most two that wait",
    .enabled(if: node != nil, "there is no node: scripts/setup.sh --tests installs it"))
  func same() async throws {
    let streams = try (1...24).map { try Stream(seed: $0) }
    let answers = try await Self.run(
      """
      const weights = { roll: 1, pitch: 1, acceleration: 1, angle: 1 };
      console.log(JSON.stringify(input.map(({ sectors, screen, events }) => {
        let [offered, decided, mostWaiting] = [0, 0, 0];
        const one = judge.beginJudge({ sectors, weights }, () => { decided += 1; });
        for (const { milliseconds, rotation, acceleration } of events) {
          if (rotation) one.sense({ milliseconds, rotation, acceleration: acceleration ?? null });
          else { offered += 1; one.offer({ milliseconds, screen }); }
          mostWaiting = Math.max(mostWaiting, offered - decided);
        }
        return { held: one.held, decided, mostWaiting };
      })));
      """, streams, as: [Told].self)
    #expect(answers.count == streams.count)
    for (stream, told) in zip(streams, answers) {
      let judged = try stream.judged()
      #expect(told.held.count == judged.count)
      #expect(judged.contains { $0 != nil })
      for (one, other) in zip(told.held, judged) {
        #expect((one == nil) == (other == nil))
        if let one, let other { #expect(abs(one - other) < 1e-9) }
      }
      #expect(told.mostWaiting <= 2)
      #expect(told.decided >= stream.events.filter { $0.rotation == nil }.count - 2)
    }
  }

  /// A state that the inspector is in.
  private struct Seen: Encodable {
    var angle = 0.0, pitch = 0.0, roll = 0.0
    var acceleration: Double? = 0
    var rate = 0.0
  }

  private struct Case: Encodable {
    var seen: Seen?
    var held: [Double?]
    var isWalked = true
  }

  private struct Advice: Decodable, Equatable {
    var code: String
    var degrees: Int?
  }

  @Test(
    "says what to do next",
    .enabled(if: node != nil, "there is no node: scripts/setup.sh --tests installs it"))
  func guidance() async throws {
    // Eight sectors of 45°; those at 0, 45 and 90° hold a frame.
    let begun: [Double?] = [0.9, 0.9, 0.9, nil, nil, nil, nil, nil]
    let almost: [Double?] = [0.9, 0.9, 0.9, 0.9, 0.9, 0.9, 0.9, nil]
    let whole: [Double?] = almost.map { $0 ?? 0.5 }
    let cases: [(Case, Advice)] = [
      (Case(seen: nil, held: begun), Advice(code: "sensors")),
      (Case(seen: Seen(), held: whole), Advice(code: "whole")),
      (Case(seen: Seen(pitch: 9), held: begun), Advice(code: "down")),
      (Case(seen: Seen(pitch: -9), held: begun), Advice(code: "up")),
      (Case(seen: Seen(roll: -9), held: begun), Advice(code: "level")),
      (Case(seen: Seen(acceleration: 2), held: begun), Advice(code: "slower")),
      (Case(seen: Seen(rate: -200), held: begun), Advice(code: "slower")),
      (Case(seen: Seen(angle: 130), held: begun), Advice(code: "here")),
      // From 90° the next empty sector is 45° on, clockwise: to the left of whoever walks round.
      (Case(seen: Seen(angle: 90), held: begun), Advice(code: "left", degrees: 45)),
      (
        Case(seen: Seen(angle: 90), held: begun, isWalked: false),
        Advice(code: "right", degrees: 45)
      ),
      (Case(seen: Seen(angle: 5), held: almost), Advice(code: "right", degrees: 50)),
      (Case(seen: Seen(angle: 135, rate: 5), held: almost), Advice(code: "left", degrees: 180)),
      // Of two that are as near, the one ahead counts.
      (Case(seen: Seen(angle: 45, rate: -3), held: begun), Advice(code: "right", degrees: 90)),
      (Case(seen: Seen(angle: 45, rate: 3), held: begun), Advice(code: "left", degrees: 90)),
    ]
    let answers = try await Self.run(
      """
      console.log(JSON.stringify(input.map(({ seen, held, isWalked }) =>
        judge.guidance(seen ?? null, held.map((one) => one ?? null), judge.ringOf(held.length), isWalked))));
      """, cases.map(\.0), as: [Advice].self)
    for (answer, (_, expected)) in zip(answers, cases) { #expect(answer == expected) }
    #expect(answers.count == cases.count)
  }

  @Test(
    "a picture that does not arrive leaves its sector empty, and without the first all angles begin anew",
    .enabled(if: node != nil, "there is no node: scripts/setup.sh --tests installs it"))
  func givenBack() async throws {
    let held = try await Self.run(
      """
      const weights = { roll: 1, pitch: 1, acceleration: 1, angle: 1 };
      const all = [];
      let kept = null;
      const one = judge.beginJudge({ sectors: 4, weights }, (_, decision) => { kept = decision; });
      const at = (milliseconds, azimuth) => {
        one.sense({ milliseconds: milliseconds - 1, rotation: judge.rotationOf(-azimuth, 80, 0), acceleration: 0 });
        one.offer({ milliseconds, screen: 0 });
        one.sense({ milliseconds: milliseconds + 1, rotation: judge.rotationOf(-azimuth, 80, 0), acceleration: 0 });
        all.push(`${kept.answer} ${kept.sector} ${kept.isFirst}`);
      };
      at(0, 50);
      at(100, 140);
      one.giveBack(1, null, false);
      at(200, 140);
      one.giveBack(1, null, true);
      one.giveBack(0, null, true);
      at(300, 230);
      console.log(JSON.stringify(all));
      """, 0, as: [String].self)
    #expect(held == ["kept 0 true", "kept 1 false", "kept 1 false", "kept 0 true"])
  }
}
