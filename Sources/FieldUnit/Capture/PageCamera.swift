import Inspection
import Synchronization
import TimeAndText
import Web

/// A frame that a page has sent, with what the page says about it.
public struct HandedFrame: Sendable {
  /// The JPEG, byte by byte as the browser gave it.
  public var bytes: [UInt8]
  /// The way in which the browser made the frame: a still, or a frame of the live picture; nil if
  /// the page did not say.
  public var making: FrameMaking?
  /// The attitude in which the device was held; nil if its sensors say nothing.
  public var attitude: DeviceAttitude?
  /// True if the camera looks towards the person; nil if the browser does not say.
  public var looksTowardsPerson: Bool?

  /// Creates a frame.
  public init(
    bytes: [UInt8], making: FrameMaking? = nil, attitude: DeviceAttitude? = nil,
    looksTowardsPerson: Bool? = nil
  ) {
    self.bytes = bytes
    self.making = making
    self.attitude = attitude
    self.looksTowardsPerson = looksTowardsPerson
  }
}

/// The camera of one exposure, in a page: the capture waits here for the one frame that the page
/// sends.
public final class PageCamera: Sendable {
  /// The name of the exposure, a random token that cannot be guessed.
  public let number = Token.make()
  private let patienceSeconds: Double
  private let frames: AsyncStream<Result<HandedFrame, FieldUnitError>>
  private let feed: AsyncStream<Result<HandedFrame, FieldUnitError>>.Continuation
  private let state = Mutex<(isOver: Bool, given: HandedFrame?)>((false, nil))

  /// Creates a camera that has no frame yet.
  /// - Parameter patienceSeconds: the time that a page has from the shutter to its frame, in real
  ///   seconds, since a camera is a real device.
  public init(patienceSeconds: Double = 15) {
    self.patienceSeconds = patienceSeconds
    (frames, feed) = AsyncStream.makeStream()
  }

  /// The frame that came; nil until then, or if the page could not make one.
  package var given: HandedFrame? { state.withLock { $0.given } }

  /// Takes the page's frame, or the reason why there is none. Only the first call counts.
  /// - Throws: `FieldUnitError.exposureOver` for a second frame, and after the end.
  package func hand(_ frame: Result<HandedFrame, FieldUnitError>) throws {
    let isLate = state.withLock { state in
      guard !state.isOver else { return true }
      state = (true, try? frame.get())
      return false
    }
    guard !isLate else { throw FieldUnitError.exposureOver }
    feed.yield(frame)
    feed.finish()
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
