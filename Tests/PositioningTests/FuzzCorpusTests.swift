import Foundation
import Positioning
import TestSupport
import Testing
import TimeAndText

/// The inputs that libFuzzer found worth keeping, run once more by every test run.
@Suite("The fuzzer's corpus", .enabled(if: Program.tool("tar") != nil, "there is no tar"))
struct FuzzCorpusTests {
  @Test("each input of the stream's corpus gives the same in one read and in many")
  func stream() async throws {
    try await withTemporaryDirectory { folder in
      let archive = Repository.root.appendingPathComponent("Fuzz/corpus-stream.tar.gz").path
      let outcome = try await Program.run(
        try #require(Program.tool("tar")), ["-xzf", archive, "-C", folder.path])
      try #require(outcome.status == 0, "\(outcome.errors)")
      let inputs = try FileManager.default.contentsOfDirectory(
        at: folder.appendingPathComponent("stream"), includingPropertiesForKeys: nil)
      #expect(inputs.count > 100)
      for input in inputs {
        let bytes = Array(try Data(contentsOf: input))
        guard bytes.count > 1 else { continue }
        let size = 1 + Int(bytes[0])
        let stream = Array(bytes.dropFirst())
        let whole = fixes(stream)
        #expect(fixes(stream, size: size) == whole, "\(input.lastPathComponent)")
        #expect(counts(stream, size: size) == counts(stream), "\(input.lastPathComponent)")
        for fix in whole { #expect((fix.coordinate == nil) == (fix.mode == .none)) }
      }
    }
  }
}
