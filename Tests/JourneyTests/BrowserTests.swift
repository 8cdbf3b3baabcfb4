import Foundation
import TestSupport
import Testing

@Suite("The pages in a browser", .serialized, .timeLimit(.minutes(5)))
struct BrowserTests {
  private static let isReady =
    PythonTools.areHere && Program.tool("chromium") != nil

  @Test(
    "sign-in, review, Return and the way back to the inspector, in Chromium",
    .enabled(if: isReady, "no .venv or no chromium: scripts/setup.sh --tests installs both"))
  func review() async throws {
    try await withTemporaryDirectory { folder in
      let outcome = try await PythonTools.run(
        "Browser/review.py",
        [Program.standpoint, folder.appendingPathComponent("demo").path])
      #expect(outcome.status == 0, "\(outcome.output)\n\(outcome.errors)")
      #expect(outcome.output.split(separator: "\n").count == 12, "\(outcome.output)")
    }
  }
}
