import Foundation
import TestSupport
import Testing

@Suite("The interface of a running office", .serialized, .timeLimit(.minutes(5)))
struct APITests {
  @Test(
    "schemathesis finds no answer that schemas/openapi.yaml does not describe, and none of 5xx",
    .enabled(if: PythonTools.areHere, PythonTools.absence))
  func description() async throws {
    let outcome = try await PythonTools.run(
      "../scripts/test-api.py", [Program.standpoint, "--quick"])
    #expect(outcome.status == 0, "\(outcome.output)\n\(outcome.errors)")
    #expect(
      outcome.output.split(separator: "\n").count { $0.contains(": as described,") } == 6,
      "\(outcome.output)")
  }
}
