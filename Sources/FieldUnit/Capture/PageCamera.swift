import Inspection
import Receivers
import Synchronization
import TimeAndText
import Web

/// The camera of one exposure, in a page: the capture waits here for the one frame that the page
/// sends.
public final class PageCamera: Sendable {
  /// The name of the exposure, a random token that cannot be guessed.
  public let number = Token.make()
  /// The longest time between the fix and the frame, seconds.
  package let delaySeconds: Double
  private let patienceSeconds: Double
  private let machine: any Timepiece
  private let frames: AsyncStream<Result<HandedFrame, FieldUnitError>>
  private let feed: AsyncStream<Result<HandedFrame, FieldUnitError>>.Continuation
  private let state = Mutex(State())

  private struct State {
    var isOver = false
    var given: HandedFrame?
    /// The moment at which the picture was asked for, and the age of its fix then; nil before.
    var asked: (at: ElapsedTime, fixAgeSeconds: Double)?
  }

  /// Creates a camera that has no frame yet.
  /// - Parameter patienceSeconds: the time that a page has from the shutter to its frame, in real
  ///   seconds, since a camera is a real device.
  /// - Parameter delaySeconds: the longest time between the fix and the frame, seconds.
  /// - Parameter machine: the machine's clock: a replay's would not be the camera's.
  public init(
    patienceSeconds: Double = 15, delaySeconds: Double = FrameTiming.usualLimitSeconds,
    machine: any Timepiece = MachineClock()
  ) {
    (self.patienceSeconds, self.delaySeconds) = (patienceSeconds, delaySeconds)
    self.machine = machine
    (frames, feed) = AsyncStream.makeStream()
  }

  /// The frame that came; nil until then, or if the page could not make one.
  package var given: HandedFrame? { state.withLock { $0.given } }

  /// Notes that the picture is asked for now: no frame can be older.
  func ask(fixAgeSeconds: Double) {
    state.withLock { $0.asked = (machine.elapsed, fixAgeSeconds) }
  }

  /// Takes the page's frame, or the reason why there is none. Only the first call counts.
  /// - Parameter arrived: the machine's time at which the frame's first byte was here.
  /// - Throws: `FieldUnitError.exposureOver` for a second frame, and after the end; `captureRefused` for a
  ///   frame that does not belong to the fix, which ends the exposure.
  package func hand(
    _ frame: Result<HandedFrame, FieldUnitError>, arrived: ElapsedTime? = nil
  ) throws {
    let checked = frame.flatMap { timed($0, arrived: arrived ?? machine.elapsed) }
    let isLate = state.withLock { state in
      guard !state.isOver else { return true }
      (state.isOver, state.given) = (true, try? checked.get())
      return false
    }
    guard !isLate else { throw FieldUnitError.exposureOver }
    feed.yield(checked)
    feed.finish()
    if case .success = frame { _ = try checked.get() }
  }

  private func timed(
    _ frame: HandedFrame, arrived: ElapsedTime
  ) -> Result<HandedFrame, FieldUnitError> {
    guard let asked = state.withLock({ $0.asked }) else { return .failure(.exposureOver) }
    let moments = FrameTiming.Moments(
      fixAgeSeconds: asked.fixAgeSeconds, asked: asked.at, arrived: arrived,
      deviceTime: machine.deviceTime.advanced(
        bySeconds: arrived.seconds(since: machine.elapsed)))
    do {
      var timed = frame
      let timing = try FrameTiming(moments, told: frame.told)
      timed.timing = timing
      guard let refusal = timing.refusal(limitSeconds: delaySeconds) else { return .success(timed) }
      return .failure(.captureRefused([refusal]))
    } catch {
      return .failure(.captureRefused([error.refusal]))
    }
  }

  /// Ends the exposure: no frame is waited for any more.
  package func close() {
    state.withLock { $0.isOver = true }
    feed.finish()
  }

  /// Waits for the frame, and returns its bytes.
  /// - Throws: `FieldUnitError.camera` if none came in time; the page's own reason if it could make
  ///   none.
  package func expose() async throws -> [UInt8] {
    let frames = frames
    let patience = patienceSeconds
    let first = try await withThrowingTaskGroup(of: Result<HandedFrame, FieldUnitError>?.self) {
      group in
      group.addTask {
        for await frame in frames { return frame }
        throw CancellationError()
      }
      group.addTask {
        try await Task.sleep(for: .seconds(patience))
        return nil
      }
      defer { group.cancelAll() }
      return try await group.next() ?? nil
    }
    guard let first else {
      // The frame may have come in this very moment: then it is the photo's.
      let late = state.withLock { state in
        state.isOver = true
        return state.given
      }
      if let late { return late.bytes }
      throw FieldUnitError.camera(
        "the page sent no picture within \(Int(patience)) seconds: it was closed, or its camera hangs"
      )
    }
    return try first.get().bytes
  }
}
