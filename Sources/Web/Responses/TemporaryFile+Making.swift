import Synchronization

extension TemporaryFile {
  /// A check that throws `CancellationError` once no request waits for the file any longer.
  public typealias Tick = @Sendable () throws -> Void

  /// The threads on which files are made. A large file takes minutes of reading, drawing and
  /// packing; on the few threads that answer all requests it would hold up every other answer.
  private static let threads = WorkLane(width: 2)

  /// A flag that is set when the request has ended.
  private final class Ending: Sendable {
    let isEnded = Atomic(false)
  }

  /// Makes a file on threads of its own, so that other requests are answered meanwhile. If the
  /// request ends, the making of its file ends, too.
  /// - Parameters:
  ///   - ending: the extension of the file's name, without a dot.
  ///   - make: writes the file under the path that it gets, and calls `tick` for each thing that it
  ///     reads.
  /// - Returns: the file, and the value that `make` returned.
  /// - Throws: the errors of `make`; `CancellationError` if the request ends.
  public static func made<Made: Sendable>(
    ending: String,
    _ make: @Sendable (_ path: String, _ tick: @escaping Tick) async throws -> Made
  ) async throws -> (file: TemporaryFile, made: Made) {
    let file = TemporaryFile(ending: ending)
    let request = Ending()
    // The thread gets the path and not the file: an unfinished file is removed before `made` throws.
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
  /// Answers with a file that is made for this answer alone, while other requests are answered.
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
