import Evidence
import Inspection
import Receivers
import Synchronization
import TimeAndText
import Web

/// The camera of one exposure, in a page: the capture waits here for the one frame that the page
/// sends. First comes the word that the frame is made, with its digest, and then its bytes.
public final class PageCamera: Sendable {
  /// The name of the exposure, a random token that cannot be guessed.
  public let number = Token.make()
  /// The longest time between the fix and the frame, seconds.
  package let delaySeconds: Double
  private let limits: FrameLimits
  private let machine: any Timepiece
  private let frames: AsyncStream<Result<HandedFrame, FieldUnitError>>
  private let feed: AsyncStream<Result<HandedFrame, FieldUnitError>>.Continuation
  private let news: AsyncStream<Void>
  private let tell: AsyncStream<Void>.Continuation
  private let state = Mutex(State())

  private struct State {
    var isOver = false
    var given: HandedFrame?
    /// The moment at which the picture was asked for, and the age of its fix then; nil before.
    var asked: (at: ElapsedTime, fixAgeSeconds: Double)?
    /// The frame that is made, without its bytes, and those that are here; nil before.
    var made: (frame: HandedFrame, pieces: FramePieces)?
  }

  /// Creates a camera that has no frame yet.
  /// - Parameter limits: the times that a page has, in real seconds, since a camera is a real device, and
  ///   the largest frame.
  /// - Parameter delaySeconds: the longest time between the fix and the frame, seconds.
  /// - Parameter machine: the machine's clock: a replay's would not be the camera's.
  public init(
    limits: FrameLimits = FrameLimits(), delaySeconds: Double = FrameTiming.usualLimitSeconds,
    machine: any Timepiece = MachineClock()
  ) {
    (self.limits, self.delaySeconds, self.machine) = (limits, delaySeconds, machine)
    (frames, feed) = AsyncStream.makeStream()
    (news, tell) = AsyncStream.makeStream()
  }

  /// The frame that came; nil until then, or if the page could not make one.
  package var given: HandedFrame? { state.withLock { $0.given } }

  /// The bytes of the frame that are here, and all of them; nil until the frame is made.
  package var received: (bytes: Int, of: Int)? {
    state.withLock { $0.made.map { ($0.pieces.received.count, $0.pieces.bytes) } }
  }

  /// Notes that the picture is asked for now: no frame can be older.
  func ask(fixAgeSeconds: Double) {
    state.withLock { $0.asked = (machine.elapsed, fixAgeSeconds) }
  }

  /// Takes the page's word that its frame is made: from now on it cannot be another one.
  /// - Parameter frame: all but the bytes.
  /// - Parameter arrived: the machine's time at which the word was here.
  /// - Throws: `FieldUnitError.exposureOver` for another frame, and after the end; `captureRefused` for a
  ///   frame that does not belong to the fix, which ends the exposure.
  package func announce(
    _ frame: HandedFrame, _ pieces: FramePieces, arrived: ElapsedTime
  ) throws {
    let timed = timed(frame, arrived: arrived)
    if case .failure(let refusal) = timed { try end(.failure(refusal)) }
    let frame = try timed.get()
    let isNews = try state.withLock { state in
      guard !state.isOver else { throw FieldUnitError.exposureOver }
      // The answer to the first word may have been lost: the same word again changes nothing.
      if let made = state.made {
        guard made.pieces.digest == pieces.digest else { throw FieldUnitError.exposureOver }
        return false
      }
      state.made = (frame, pieces)
      return true
    }
    if isNews { tell.finish() }
  }

  /// Takes bytes of the frame that is made. Bytes behind a gap are left: the page begins again where the
  /// others end.
  /// - Returns: the number of bytes that are here.
  /// - Throws: `FieldUnitError.exposureOver` if no frame is made; `picture` for bytes that are not those of
  ///   the frame, which ends the exposure.
  package func take(_ piece: [UInt8], at offset: Int) throws -> Int {
    let (whole, count): (HandedFrame?, Int) = try state.withLock { state in
      guard !state.isOver, var made = state.made else { throw FieldUnitError.exposureOver }
      // The bytes are not copied: nobody else holds them meanwhile.
      state.made = nil
      do throws(FramePieces.Fault) { try made.pieces.take(piece, at: offset) } catch {
        guard error == .gap else { throw FieldUnitError.picture("its bytes do not fit together") }
      }
      state.made = made
      guard made.pieces.areComplete else { return (nil, made.pieces.received.count) }
      var frame = made.frame
      frame.bytes = made.pieces.received
      return (frame, frame.bytes.count)
    }
    guard let whole else { return count }
    guard Digest.hexadecimal(whole.bytes) == state.withLock({ $0.made?.pieces.digest }) else {
      throw FieldUnitError.picture("it is not the picture that was announced")
    }
    try end(.success(whole))
    return count
  }

  /// Takes a whole frame at once, or the reason why there is none. Only the first call counts.
  /// - Throws: `FieldUnitError.exposureOver` for a second frame, and after the end; `captureRefused` for a
  ///   frame that does not belong to the fix, which ends the exposure.
  package func hand(_ frame: Result<HandedFrame, FieldUnitError>) throws {
    let checked = frame.flatMap { timed($0, arrived: machine.elapsed) }
    try end(checked)
    if case .success = frame { _ = try checked.get() }
  }

  private func end(_ outcome: Result<HandedFrame, FieldUnitError>) throws {
    let isLate = state.withLock { state in
      guard !state.isOver else { return true }
      (state.isOver, state.given) = (true, try? outcome.get())
      return false
    }
    guard !isLate else { throw FieldUnitError.exposureOver }
    feed.yield(outcome)
    feed.finish()
    tell.finish()
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
    tell.finish()
  }

  /// Waits until the frame is made, or until there will be none.
  package func made() async {
    for await _ in news {}
  }

  /// Waits for the frame, and returns its bytes.
  /// - Throws: `FieldUnitError.camera` if none came in time, or if its bytes stopped coming; the page's own
  ///   reason if it could make none.
  package func expose() async throws -> [UInt8] {
    let frames = frames
    let first = try await withThrowingTaskGroup(of: Result<HandedFrame, FieldUnitError>?.self) {
      group in
      group.addTask {
        for await frame in frames { return frame }
        throw CancellationError()
      }
      group.addTask {
        try await self.watch()
        return nil
      }
      defer { group.cancelAll() }
      return try await group.next() ?? nil
    }
    if let first { return try first.get().bytes }
    // The frame may have come in this very moment: then it is the photo's.
    close()
    if let given { return given.bytes }
    throw FieldUnitError.camera(
      received.map {
        "the picture stopped coming after \($0.bytes >> 10) of \($0.of >> 10) KiB"
      }
        ?? "the page sent no picture within \(Int(limits.patienceSeconds)) seconds: it was closed, or its camera hangs"
    )
  }

  /// Returns when the page has had its time.
  private func watch() async throws {
    try await Task.sleep(for: .seconds(limits.patienceSeconds))
    var last = -1
    while let received, received.bytes > last {
      last = received.bytes
      try await Task.sleep(for: .seconds(limits.idleSeconds))
    }
  }
}
