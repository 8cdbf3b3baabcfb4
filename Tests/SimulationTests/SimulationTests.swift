import Foundation
import TestSupport
import Testing

@Suite("A hundred field units and offices on bad networks and disks")
struct SimulationTests {
  /// Runs `simulate` in a process of its own, because it exchanges SQLite's disk, and with low
  /// priority, because its load must not starve the tests that run a real gpsd.
  private func simulate(_ first: String, _ count: String) async throws -> Program.Outcome {
    let words = [Program.product("simulate"), first, count]
    return try await Program.run(
      try #require(Program.tool("nice")), ["-n", "19"] + words,
      environment: ["SWIFT_BACKTRACE": "enable=no"])
  }

  /// Makes a hundred runs, or with `SEED=N` the run that failed.
  @Test(
    "nothing is lost, doubled or called delivered that the office does not hold",
    .timeLimit(.minutes(15)))
  func runs() async throws {
    if let seed = ProcessInfo.processInfo.environment["SEED"] {
      let outcome = try await simulate(seed, "1")
      #expect(outcome.status == 0, "\(outcome.errors)")
      return
    }
    let outcome = try await simulate("0", "100")
    #expect(outcome.status == 0, "\(outcome.errors)")
    // A simulation without faults would prove nothing.
    let pattern =
      #/(\d+) crashes of the field unit, (\d+) of the office, (\d+) restored backups, (\d+) full offices, \d+ calls, (\d+) things/#
    let numbers = try #require(outcome.output.firstMatch(of: pattern), "\(outcome.output)")
    #expect(Int(numbers.1) ?? 0 > 50, "\(outcome.output)")
    #expect(Int(numbers.2) ?? 0 > 25, "\(outcome.output)")
    #expect(Int(numbers.3) ?? 0 > 15, "\(outcome.output)")
    #expect(Int(numbers.4) ?? 0 > 10, "\(outcome.output)")
    #expect(Int(numbers.5) ?? 0 > 200, "\(outcome.output)")
  }

  @Test("what is asked for wrongly is said in one line")
  func usage() async throws {
    let outcome = try await simulate("one", "more")
    #expect(outcome.status == 2 && outcome.errors.hasPrefix("usage: simulate FIRST-SEED COUNT"))
  }
}
