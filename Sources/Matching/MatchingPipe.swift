import Inspection
import Subprocess
import Synchronization

/// The owner's end of the pipes to a worker.
struct MatchingPipe {
  private let writer: StandardInputWriter
  private var output: SubprocessOutputSequence.Iterator
  private var unread: [UInt8] = []

  init(_ worker: Execution<CustomWriteInput, SequenceOutput, StringOutput<UTF8>>) {
    writer = worker.standardInputWriter
    output = worker.standardOutput.makeAsyncIterator()
  }

  /// Has the worker compare two pictures.
  /// - Parameter known: The digest of the earlier picture that the worker has; nil if it has none.
  mutating func compare(
    _ earlier: PictureMatcher.Earlier, with later: [UInt8], known: String?
  ) async -> Result<PictureComparison, MatchingError> {
    if known != earlier.digest {
      switch await ask(.earlier, earlier.bytes) {
      case .success((.done, _)): break
      case .success((.unreadable, _)): return .failure(.unreadable(.earlier))
      case .success((let status, _)): return .failure(Self.fault(status))
      case .failure(let fault): return .failure(fault)
      }
    }
    switch await ask(.later, later) {
    case .success((.done, let comparison)): return .success(comparison)
    case .success((.unreadable, _)): return .failure(.unreadable(.later))
    case .success((let status, _)): return .failure(Self.fault(status))
    case .failure(let fault): return .failure(fault)
    }
  }

  private static func fault(_ status: MatchingWire.Status) -> MatchingError {
    status == .unavailable ? .unavailable(reason: "") : .ended
  }

  private mutating func ask(
    _ request: MatchingWire.Request, _ bytes: [UInt8]
  ) async -> Result<(MatchingWire.Status, PictureComparison), MatchingError> {
    // A worker without its library says so and ends before it reads, and then nothing can be written.
    let isWritten = await write(MatchingWire.head(request, bytes: bytes.count) + bytes)
    guard let answer = await read(), let (status, comparison) = MatchingWire.readAnswer(answer),
      isWritten || status == .unavailable
    else { return .failure(.ended) }
    return .success((status, comparison))
  }

  private func write(_ bytes: [UInt8]) async -> Bool {
    do {
      return try await writer.write(bytes) == bytes.count
    } catch {
      return false
    }
  }

  /// Reads one answer; nil if the worker ends before.
  private mutating func read() async -> [UInt8]? {
    while unread.count < MatchingWire.answerBytes {
      do {
        guard let buffer = try await output.next() else { return nil }
        unread += buffer.withUnsafeBytes { [UInt8]($0) }
      } catch {
        return nil
      }
    }
    defer { unread.removeFirst(MatchingWire.answerBytes) }
    return Array(unread.prefix(MatchingWire.answerBytes))
  }
}

/// An action that happens after a time, unless it is cancelled before.
final class Alarm: Sendable {
  private let task: Task<Void, Never>
  private let state: Rung

  private final class Rung: Sendable {
    let hasRung = Mutex(false)
  }

  init(after time: Duration, _ action: @escaping @Sendable () -> Void) {
    let state = Rung()
    self.state = state
    task = Task {
      do {
        try await Task.sleep(for: time)
      } catch {
        return
      }
      state.hasRung.withLock { $0 = true }
      action()
    }
  }

  /// True if the action has happened.
  var hasRung: Bool { state.hasRung.withLock { $0 } }

  func cancel() { task.cancel() }
}
