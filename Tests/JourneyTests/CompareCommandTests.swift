import Foundation
import Geodesy
import Positioning
import TestSupport
import Testing
import TimeAndText

@Suite("Photos compared in the terminal")
struct CompareCommandTests {
  private func run(_ arguments: [String], data: URL) async throws -> Program.Outcome {
    try await Program.run(
      Program.standpoint, arguments,
      environment: [
        "HOME": "/nonexistent", "XDG_CONFIG_HOME": "/nonexistent", "STANDPOINT_DATA": data.path,
      ])
  }

  private func values(_ outcome: Program.Outcome) throws -> [String: Double] {
    #expect(outcome.status == 0, "\(outcome.errors)")
    return try JSONDecoder().decode([String: Double].self, from: Data(outcome.output.utf8))
  }

  private func capture(_ image: URL, in data: URL, north metres: Double) async throws -> String {
    let origin = try #require(
      Coordinate(latitudeDegrees: 49.08 + metres / 111_200, longitudeDegrees: -16.63))
    let start = try #require(DeviceTime(rfc3339: "2026-06-01T09:30:00Z"))
    let walk = WalkSimulator(origin: origin, start: start, legs: [.stand(seconds: 60)], seed: 3)
    let log = data.appendingPathExtension("\(Int(metres)).nmea")
    try Data(walk.epochs().flatMap(\.self)).write(to: log)
    let outcome = try await run(
      [
        "capture", "--image", image.path, "--gnss", "file://\(log.path)?rate=max",
        "--allow-simulated", "--format", "json",
      ], data: data)
    let photo = try #require(
      try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any])
    return try #require(photo["id"] as? String)
  }

  @Test("two photos are compared by place and picture, two files by picture alone")
  func compare() async throws {
    try await withTemporaryDirectory { folder in
      let data = folder.appendingPathComponent("data")
      let image = folder.appendingPathComponent("picture.jpg")
      _ = try await run(
        ["demo-picture", image.path, "--width", "800", "--height", "600"], data: data)
      let first = try await capture(image, in: data, north: 0)
      let second = try await capture(image, in: data, north: 10)
      let photos = try values(
        try await run(["photo", "compare", first, second, "--format", "json"], data: data))
      let distance = try #require(photos["distanceMetres"])
      #expect(abs(distance - 10) < 1)
      #expect(try #require(photos["distanceUncertaintyMetres95"]) > 0)
      #expect(try #require(photos["inliers"]) >= 30)
      #expect(try #require(photos["displacementPercent"]) < 0.1)
      // Nothing told how the camera was held.
      #expect(photos["angleDegrees"] == nil && photos["pitchDegrees"] == nil)
      let files = try values(
        try await run(["photo", "compare", image.path, first, "--format", "json"], data: data))
      #expect(Set(files.keys) == ["inliers", "displacementPercent"])
      let text = try await run(["photo", "compare", first, second], data: data)
      #expect(text.output.contains("whole angle    unknown"))
      #expect(text.output.contains("% of the frame"))
    }
  }

  @Test("pictures without anything in common are an answer; what cannot be read is refused by name")
  func unlike() async throws {
    try await withTemporaryDirectory { folder in
      let data = folder.appendingPathComponent("data")
      let image = folder.appendingPathComponent("picture.jpg")
      let other = folder.appendingPathComponent("other.jpg")
      _ = try await run(
        ["demo-picture", image.path, "--width", "800", "--height", "600"], data: data)
      _ = try await run(
        ["demo-picture", other.path, "--seed", "9", "--width", "800", "--height", "600"], data: data
      )
      let unlike = try await run(["photo", "compare", image.path, other.path], data: data)
      #expect(unlike.status == 0 && unlike.output.contains("cannot be compared ("))
      try Data("no picture".utf8).write(to: other)
      let unreadable = try await run(["photo", "compare", image.path, other.path], data: data)
      #expect(
        unreadable.status == 2 && unreadable.errors.contains("the later picture cannot be read"))
      let missing = try await run(["photo", "compare", image.path, "0190"], data: data)
      #expect(missing.status == 2 && missing.output == "")
    }
  }
}
