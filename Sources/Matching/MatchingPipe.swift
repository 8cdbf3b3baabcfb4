import Inspection
import Subprocess
import Synchronization

/// The owner's end of the pipes to a worker.
struct MatchingPipe {
  private let writer: StandardInputWriter
  private var output: SubprocessOutputSequence.Iterator
  private var unread: [UInt8] = []

  init(_ writer: StandardInputWriter, _ output: SubprocessOutputSequence.Iterator) {
    self.writer = writer
    self.output = output
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

/// An action that happens after a time, unless it was ended before.
final class Alarm: Sendable {
  private enum State {
    case set, rung, ended
  }

  private final class Shared: Sendable {
    let state = Mutex(State.set)
  }

  private let shared = Shared()
  private let task: Task<Void, Never>

  init(after time: Duration, _ action: @escaping @Sendable () -> Void) {
    let shared = shared
    task = Task {
      do {
        try await Task.sleep(for: time)
      } catch {
        return
      }
      shared.state.withLock { state in
        guard state == .set else { return }
        state = .rung
        action()
      }
    }
  }

  /// Ends the alarm, so that its action can begin no more; returns true if it has happened.
  func end() -> Bool {
    task.cancel()
    return shared.state.withLock { state in
      if state == .set { state = .ended }
      return state == .rung
    }
  }
}
