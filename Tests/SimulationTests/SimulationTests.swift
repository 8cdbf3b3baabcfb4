import Foundation
import TestSupport
import Testing

@Suite("A hundred field units and offices on bad networks and disks")
struct SimulationTests {
  /// A process of its own, which everybody else may push aside: SQLite's disk is exchanged in it, and
  /// what it computes must not keep a real gpsd from its sentences.
  private func simulate(_ first: String, _ count: String) async throws -> Program.Outcome {
    let words = [Program.product("simulate"), first, count]
    return try await Program.run(
      try #require(Program.tool("nice")), ["-n", "19"] + words,
      environment: ["SWIFT_BACKTRACE": "enable=no"])
  }

  /// `SEED=N` repeats one run.
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
    // A simulation in which nothing happens would prove nothing.
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
