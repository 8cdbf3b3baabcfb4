import Inspection
import Positioning
import Synchronization
import Web

/// A frame that a page has handed over, and what it says of it.
public struct HandedFrame: Sendable {
  /// The JPEG, byte by byte as the browser gave it.
  public var bytes: [UInt8]
  /// Still, or a frame of the live picture; nil where the page did not say.
  public var making: FrameMaking?
  /// How the device was held; nil where its sensors say nothing.
  public var attitude: DeviceAttitude?
  /// Whether the camera looks towards the person; nil where the browser does not say.
  public var looksTowardsPerson: Bool?

  /// A frame from its parts.
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

/// The camera of one exposure, in a page: the capture waits here for the one frame that the page hands over.
public final class PageCamera: Sendable {
  /// Names the exposure; nobody who was not told it can guess it.
  public let number = Token.make()
  private let patienceSeconds: Double
  private let frames: AsyncStream<Result<HandedFrame, FieldUnitError>>
  private let feed: AsyncStream<Result<HandedFrame, FieldUnitError>>.Continuation
  private let state = Mutex<(isOver: Bool, given: HandedFrame?)>((false, nil))

  /// A camera that nothing was handed to yet.
  /// - Parameter patienceSeconds: so long a page has from the shutter to its frame; real seconds, since a
  ///   camera is a real device.
  public init(patienceSeconds: Double = 15) {
    self.patienceSeconds = patienceSeconds
    (frames, feed) = AsyncStream.makeStream()
  }

  /// The frame that came; nil before.
  package var given: HandedFrame? { state.withLock { $0.given } }

  /// The page hands its frame over, or what kept it from it: once.
  /// - Throws: `FieldUnitError.exposureOver` for a second one, and after the end.
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

  /// Nothing is waited for any more.
  package func close() {
    state.withLock { $0.isOver = true }
    feed.finish()
  }

  /// Waits for the frame.
  /// - Throws: `FieldUnitError.camera` when none came in time, what the page said that kept it from it.
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
      // It may have come in this very moment: then it is the photo's.
      let late = state.withLock { state in
        state.isOver = true
        return state.given
      }
      if let late { return late.bytes }
      throw FieldUnitError.camera(
        "the page handed none over within \(Int(patience)) seconds: it was closed, or its camera hangs"
      )
    }
    return try first.get().bytes
  }
}
