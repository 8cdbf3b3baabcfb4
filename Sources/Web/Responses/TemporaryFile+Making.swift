import Synchronization

extension TemporaryFile {
  /// What throws `CancellationError` once nobody waits for the file any longer.
  public typealias Tick = @Sendable () throws -> Void

  /// Threads on which files are made: a large one takes minutes of reading, drawing and packing, and on the few
  /// threads that answer everybody nobody else would be answered meanwhile.
  private static let threads = WorkLane(width: 2)

  /// Whether nobody waits any longer.
  private final class Ending: Sendable {
    let isEnded = Atomic(false)
  }

  /// Makes a file beside everything else that is answered. When the request ends, what is made for it ends, too.
  /// - Parameter make: writes the file under the path that it is given, and calls `tick` for each thing that it
  ///   reads.
  /// - Returns: the file, and what `make` says of it.
  /// - Throws: whatever `make` throws; `CancellationError`.
  public static func made<Made: Sendable>(
    ending: String,
    _ make: @Sendable (_ path: String, _ tick: @escaping Tick) async throws -> Made
  ) async throws -> (file: TemporaryFile, made: Made) {
    let file = TemporaryFile(ending: ending)
    let request = Ending()
    // The thread knows the name alone: a file of which nothing came is gone before anybody hears of it.
    let path = file.path
    let made = try await withTaskCancellationHandler {
      try await threads.runInTurn {
        let tick: Tick = {
          if request.isEnded.load(ordering: .relaxed) { throw CancellationError() }
        }
        try tick()
        return try await make(path, tick)
      }
    } onCancel: {
      request.isEnded.store(true, ordering: .relaxed)
    }
    return (file, made)
  }
}

extension WebResponse {
  /// A file that is made for this answer alone, beside everything else that is answered.
  public static func made(
    ending: String, mediaType: String, fileName: String,
    _ make:
      @Sendable (_ path: String, _ tick: @escaping TemporaryFile.Tick) async throws -> Void
  ) async throws -> WebResponse {
    .file(
      try await TemporaryFile.made(ending: ending, make).file, mediaType: mediaType,
      fileName: fileName)
  }
}
