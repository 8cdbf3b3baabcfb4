import Foundation
import Synchronization
import Testing
import Web

@Suite("Files are made beside everything else that is answered", .timeLimit(.minutes(1)))
struct TemporaryFileMakingTests {
  private final class Seen: Sendable {
    let folder = Mutex("")
    let isBegun = Atomic(false)
  }

  @Test("on threads of their own, where a file may block")
  func thread() async throws {
    @Sendable func hasOwnThreads() -> Bool {
      withUnsafeCurrentTask { $0?.unownedTaskExecutor != nil }
    }
    #expect(!hasOwnThreads())
    let (file, isThere) = try await TemporaryFile.made(ending: "txt") { path, tick in
      try tick()
      try Data([1, 2]).write(to: URL(fileURLWithPath: path))
      return hasOwnThreads()
    }
    #expect(isThere)
    #expect(try Data(contentsOf: URL(fileURLWithPath: file.path)) == Data([1, 2]))
  }

  @Test("and no longer than somebody waits: what was begun goes")
  func cancelled() async throws {
    let seen = Seen()
    let request = Task {
      _ = try await TemporaryFile.made(ending: "txt") { path, tick in
        try Data([1]).write(to: URL(fileURLWithPath: path))
        seen.folder.withLock { $0 = (path as NSString).deletingLastPathComponent }
        seen.isBegun.store(true, ordering: .releasing)
        while true { try tick() }
      }
    }
    while !seen.isBegun.load(ordering: .acquiring) { await Task.yield() }
    request.cancel()
    await #expect(throws: CancellationError.self) { try await request.value }
    let folder = seen.folder.withLock { $0 }
    #expect(!FileManager.default.fileExists(atPath: folder))
  }
}
