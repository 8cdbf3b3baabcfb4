import Inspection
import Positioning
import Receivers
import Synchronization
import TimeAndText
import Web

/// Holds the one capture at a time that any page or browser may run.
package final class CameraDesk: Sendable {
  /// The state of the capture that was begun on a page.
  package enum Status: Sendable {
    case none
    case running(Running)
    case captured(Captured)
    case refused(task: Identifier?, page: String?, words: Wording)

    /// The page that the state belongs to; nil if every page may show it.
    package var page: String? {
      switch self {
      case .none: nil
      case .running(let running): running.page
      case .captured(let captured): captured.page
      case .refused(_, let page, _): page
      }
    }
  }

  /// A capture in progress.
  package struct Running: Sendable {
    package var task: Identifier?
    /// The task's name; nil for a photo without a task.
    package var name: String?
    /// The page that takes the picture itself; nil if a command does.
    package var page: String?
    package var camera: PageCamera?
    package var words: Wording = "stand still"
    /// The seconds left of the countdown; nil while no countdown runs.
    package var secondsLeft: Double?
    /// True from the shutter on, while the frame is waited for.
    package var isExposing = false
    /// True once the gate has held until the frame was made, and its bytes are waited for.
    package var isSending = false
    /// True once the page's frame is in.
    package var isSealing = false
    package var run: Task<Void, Never>?
  }

  /// A photo that was taken.
  package struct Captured: Sendable {
    package var photo: Photo
    package var page: String?
    /// True if the photo can still be taken again in its place.
    package var canRepeat: Bool
  }

  private struct State {
    /// The number of captures that were begun here: only news of the newest one are shown.
    var number = 0
    var status = Status.none
  }

  /// The limits for a page's frame.
  package let limits: FrameLimits
  /// The machine's clock, by which pages compare theirs.
  package let machine: any Timepiece
  private let bell: LiveBell
  private let state = Mutex(State())

  package init(
    bell: LiveBell, limits: FrameLimits = FrameLimits(), machine: any Timepiece = MachineClock()
  ) {
    (self.bell, self.limits, self.machine) = (bell, limits, machine)
  }

  /// The present state.
  package var status: Status { state.withLock { $0.status } }

  /// Takes the desk for a capture.
  /// - Returns: the number of the capture; nil if this page has the desk already.
  /// - Throws: `FieldUnitError.captureBusy` if another page has it.
  package func begin(_ running: Running) throws -> Int? {
    let number: Int? = try state.withLock { state in
      if case .running(let other) = state.status {
        guard other.page != running.page else { return nil }
        throw FieldUnitError.captureBusy(other.name.map { "for \"\($0)\"" } ?? "without a task")
      }
      state.status = .running(running)
      state.number += 1
      return state.number
    }
    bell.ring()
    return number
  }

  /// Takes the desk for a page's set, which needs the receiver's samples for itself.
  /// - Parameter body: takes the set; it is cancelled when the desk is closed.
  /// - Throws: `FieldUnitError.captureBusy` if another page has the desk.
  package func take(
    _ page: String, for task: InspectionTask?, _ body: @escaping @Sendable () async -> Void
  ) throws {
    guard let number = try begin(Running(task: task?.id, name: task?.name, page: page)) else {
      return
    }
    let run = Task {
      await body()
      end(number, .none)
    }
    if !update(number, { $0.run = run }) { run.cancel() }
  }

  /// Changes the shown state of a capture.
  /// - Returns: false if the capture is over.
  @discardableResult
  func update(_ number: Int, _ change: (inout Running) -> Void) -> Bool {
    let isRunning = state.withLock { state in
      guard number == state.number, case .running(var running) = state.status else { return false }
      change(&running)
      state.status = .running(running)
      return true
    }
    bell.ring()
    return isRunning
  }

  /// Ends a capture with its result.
  /// - Returns: false if the capture was closed since, or another one has begun.
  @discardableResult
  package func end(_ number: Int, _ status: Status) -> Bool {
    let isNews = state.withLock { state in
      guard number == state.number, case .running(let running) = state.status else { return false }
      running.camera?.close()
      state.status = status
      return true
    }
    bell.ring()
    return isNews
  }

  /// Takes a page's frame, or the reason why there is none.
  /// - Throws: `FieldUnitError.exposureOver` if no capture waits for it; `captureRefused` for a frame that
  ///   does not belong to its fix.
  package func hand(_ frame: Result<HandedFrame, FieldUnitError>, forExposure number: String) throws
  {
    guard let camera = camera(forExposure: number) else { throw FieldUnitError.exposureOver }
    try camera.hand(frame)
    beginSealing(camera)
  }

  /// Takes the page's word that its frame is made: see `PageCamera.announce`.
  package func announce(
    _ frame: HandedFrame, _ pieces: FramePieces, forExposure number: String, arrived: ElapsedTime
  ) throws {
    guard let camera = camera(forExposure: number) else { throw FieldUnitError.exposureOver }
    try camera.announce(frame, pieces, arrived: arrived)
  }

  /// Takes bytes of a frame that is made: see `PageCamera.take`.
  package func take(_ piece: [UInt8], at offset: Int, forExposure number: String) throws -> Int {
    guard let camera = camera(forExposure: number) else { throw FieldUnitError.exposureOver }
    let before = camera.received?.bytes ?? 0
    let count = try camera.take(piece, at: offset)
    // Another request may have ended the exposure meanwhile: then nothing is left to be told.
    guard let whole = camera.received?.of else { return count }
    if count == whole { beginSealing(camera) }
    // Pages that only look are told each tenth.
    if before * 10 / whole != count * 10 / whole { bell.ring() }
    return count
  }

  /// Returns the bytes that are here of the frame of an exposure; nil if none is waited for.
  package func received(forExposure number: String) -> Int? {
    camera(forExposure: number).map { $0.received?.bytes ?? 0 }
  }

  private static let sealing: Wording = "the picture is being sealed"

  private func beginSealing(_ camera: PageCamera) {
    state.withLock { state in
      guard case .running(var running) = state.status, running.camera === camera else { return }
      running.isSealing = true
      running.words = Self.sealing
      state.status = .running(running)
    }
    bell.ring()
  }

  /// Returns true if a frame of this exposure is waited for.
  package func isExposing(_ number: String) -> Bool { camera(forExposure: number) != nil }

  private func camera(forExposure number: String) -> PageCamera? {
    state.withLock { state in
      guard case .running(let running) = state.status, running.isExposing, !running.isSealing,
        running.camera?.number == number
      else { return nil }
      return running.camera
    }
  }

  /// Notes that the inspector has looked at the photo that was taken.
  package func dismiss(_ photo: Identifier) {
    state.withLock { state in
      if case .captured(let captured) = state.status, captured.photo.id == photo {
        state.status = .none
      }
    }
    bell.ring()
  }

  /// Closes the camera of one page at once: cancels a countdown, and keeps nothing. A capture that
  /// belongs to no page is closed, too.
  package func close(page: String?) { close { $0 == nil || $0 == page } }

  /// Closes the camera whichever page has it, because the inspector signs out.
  package func closeAll() { close { _ in true } }

  private func close(where isMeant: (_ owner: String?) -> Bool) {
    let running: Running? = state.withLock { state in
      guard isMeant(state.status.page) else { return nil }
      defer { state.status = .none }
      if case .running(let running) = state.status { return running }
      return nil
    }
    running?.run?.cancel()
    running?.camera?.close()
    bell.ring()
  }
}
