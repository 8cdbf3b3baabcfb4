import Foundation
import TestSupport
import Testing

@Suite("The demonstration", .serialized, .timeLimit(.minutes(10)))
struct DemoTests {
  private func demo(_ arguments: [String]) async throws -> Program.Outcome {
    try await Program.run(Program.standpoint, ["demo", "--headless"] + arguments)
  }

  @Test("two runs with one seed tell the same story but for ids and byte counts")
  func story() async throws {
    try await withTemporaryDirectory { folder in
      var outcomes: [Program.Outcome] = []
      for name in ["first", "second"] {
        let path = folder.appendingPathComponent(name).path
        outcomes.append(try await demo(["--out", path, "--rate", "200"]))
      }
      for outcome in outcomes { #expect(outcome.status == 0, "\(outcome.errors)") }
      let stories = outcomes.map { outcome in
        outcome.output.split(separator: "\n").dropFirst().map {
          $0.replacing(#/\d+ bytes/#, with: "… bytes")
        }
      }
      #expect(stories[0] == stories[1], "\(outcomes.map(\.errors))")
      let story = stories[0].joined(separator: "\n")
      for words in [
        "New → Open", "Order with items: \"Sugar beet at the lane\" asks for crop-photo (shot)",
        "With \"Sugar beet at the lane\" came its attachment last-year.jpg",
        "Answered: \"Which crop grows there?\" Sugar beet", "not asked then: which",
        "Capture while walking refused: moving at", "20 samples",
        "photo for a task captured", "inside the parcel", "standalone photo captured",
        "Track \"Round the parcel\"", "m² ±", "2 tasks fetched: New", "The office is stopped",
        "Data provided, locked; 3 entries", "3 batches, 3 entries",
        "their receipts name 7 records and 4 files",
        "The officer returned one item of \"Sugar beet at the lane\": Returned, crop-photo",
        "the other 2 are accepted, and locked",
        "another photo for the task captured", "Returned → Data provided",
        "The officer accepted: Accepted", "KML written", "PDF of the task", "Bundle of the task",
        "Verified the bundle alone, trusting the office's fingerprint: intact, issuer trusted, 7 seals",
        "Verified all files of both sides: intact, issuer trusted, 10 seals",
      ] {
        #expect(story.contains(words), "\(words) is not in:\n\(story)")
      }
      // The simulated field has 3 261 m².
      let area = try #require(story.firstMatch(of: #/closed (\d+) m² ± (\d+) m²/#))
      let (measured, error) = (Double(area.1) ?? 0, Double(area.2) ?? 0)
      #expect(abs(measured - 3261) <= error)
    }
  }

  @Test("a folder that is not its own is refused, and left alone")
  func notOurs() async throws {
    try await withTemporaryDirectory { folder in
      let file = folder.appendingPathComponent("thesis.txt")
      try Data("years of work".utf8).write(to: file)
      let outcome = try await demo(["--out", folder.path])
      #expect(outcome.status == 2)
      #expect(outcome.errors.contains("not from a demonstration"))
      #expect(FileManager.default.fileExists(atPath: file.path))
    }
  }

  private static let recording = "data/gnss/field/open-stationary.nmea"

  @Test(
    "a recorded log is played the same way; what it cannot show is said",
    .enabled(
      if: Repository.shared(recording) != nil, "the recordings are not beside the repository"))
  func recorded() async throws {
    let log = try #require(Repository.shared(Self.recording))
    try await withTemporaryDirectory { folder in
      let outcome = try await demo(
        ["--out", folder.appendingPathComponent("out").path, "--rate", "200", "--log", log.path])
      #expect(outcome.status == 0, "\(outcome.errors)")
      #expect(outcome.output.contains("capture while walking: not in this log"))
      #expect(outcome.output.contains("photo for a task captured at 21:0"))
      #expect(outcome.output.contains("intact"))
    }
  }

  @Test("a log without a fix is refused with one line")
  func withoutFix() async throws {
    try await withTemporaryDirectory { folder in
      let log = folder.appendingPathComponent("none.nmea")
      try Data("$GPGGA,,,,,,0,,,,,,,,*66\r\n".utf8).write(to: log)
      let outcome = try await demo([
        "--out", folder.appendingPathComponent("o").path, "--log", log.path,
      ])
      #expect(outcome.status == 1)
      #expect(outcome.errors.contains("holds no fix"))
    }
  }

  @Test("a port in use is said, with what to do")
  func portInUse() async throws {
    try await withTemporaryDirectory { folder in
      // The script holds the port for as long as the demonstration tries.
      let script = """
        import socket, subprocess, sys
        s = socket.socket(); s.bind(('127.0.0.1', 0)); s.listen()
        sys.exit(subprocess.call([sys.argv[1], 'demo', '--headless', '--out', sys.argv[2],
          '--gpsd-port', str(s.getsockname()[1])]))
        """
      let python = try #require(Program.tool("python3"), "python3 is not installed")
      let outcome = try await Program.run(
        python, ["-c", script, Program.standpoint, folder.appendingPathComponent("o").path])
      #expect(outcome.status == 3)
      #expect(outcome.errors.contains("the port is in use"))
    }
  }
}
