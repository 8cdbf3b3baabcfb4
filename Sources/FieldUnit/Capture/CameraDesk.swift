import Inspection
import Positioning
import Synchronization

/// What a page may hand over as a frame, and when.
public struct FrameLimits: Sendable {
  /// So long it has from the shutter on, seconds.
  public var patienceSeconds: Double
  /// So large it may be.
  public var bytesAtMost: Int

  /// Limits from their parts.
  public init(patienceSeconds: Double = 15, bytesAtMost: Int = 64 << 20) {
    self.patienceSeconds = patienceSeconds
    self.bytesAtMost = bytesAtMost
  }
}

/// Who takes a photo just now: one page at a time, whatever browsers are open.
package final class CameraDesk: Sendable {
  /// How a capture that was begun on a page is getting on.
  package enum Status: Sendable {
    case none
    case running(Running)
    case captured(Captured)
    case refused(task: Identifier?, page: String?, words: Wording)

    /// The page that it is about; nil where every page may show it.
    package var page: String? {
      switch self {
      case .none: nil
      case .running(let running): running.page
      case .captured(let captured): captured.page
      case .refused(_, let page, _): page
      }
    }
  }

  /// A capture that goes on.
  package struct Running: Sendable {
    package var task: Identifier?
    /// The task's name; nil for a photo without one.
    package var name: String?
    /// The page that takes the picture itself; nil where a command does.
    package var page: String?
    package var camera: PageCamera?
    package var words: Wording = "stand still"
    /// The countdown, while it runs.
    package var secondsLeft: Double?
    /// Whether the frame is waited for.
    package var isExposing = false
    /// Whether the frame is in.
    package var isSealing = false
    package var run: Task<Void, Never>?
  }

  /// A photo that was taken.
  package struct Captured: Sendable {
    package var photo: Photo
    package var page: String?
    /// Whether it can still be taken again in the place of this one.
    package var canRepeat: Bool
  }

  private struct State {
    /// Counts the captures that were begun here: only the newest one's news are shown.
    var number = 0
    var status = Status.none
  }

  /// What a page may hand over.
  package let limits: FrameLimits
  private let bell: LiveBell
  private let state = Mutex(State())

  package init(bell: LiveBell, limits: FrameLimits = FrameLimits()) {
    self.bell = bell
    self.limits = limits
  }

  /// What there is to show.
  package var status: Status { state.withLock { $0.status } }

  /// Takes the desk for a capture; nil where this page has it already.
  /// - Throws: `FieldUnitError.captureBusy` where another one has it.
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

  /// Changes what is shown of a capture; false where it is over.
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

  /// What became of a capture.
  /// - Returns: false where another one has been begun, or this one closed, since.
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

  /// A page hands its frame over, or says what kept it from it.
  /// - Throws: `FieldUnitError.exposureOver` where nobody waits for it.
  package func hand(_ frame: Result<HandedFrame, FieldUnitError>, forExposure number: String) throws
  {
    guard let camera = camera(forExposure: number) else { throw FieldUnitError.exposureOver }
    try camera.hand(frame)
    state.withLock { state in
      guard case .running(var running) = state.status, running.camera === camera else { return }
      running.isSealing = true
      running.words = "the picture is being sealed"
      state.status = .running(running)
    }
    bell.ring()
  }

  /// Whether a frame of this exposure is waited for.
  package func isExposing(_ number: String) -> Bool { camera(forExposure: number) != nil }

  private func camera(forExposure number: String) -> PageCamera? {
    state.withLock { state in
      guard case .running(let running) = state.status, running.isExposing, !running.isSealing,
        running.camera?.number == number
      else { return nil }
      return running.camera
    }
  }

  /// The photo that was taken has been looked at.
  package func dismiss(_ photo: Identifier) {
    state.withLock { state in
      if case .captured(let captured) = state.status, captured.photo.id == photo {
        state.status = .none
      }
    }
    bell.ring()
  }

  /// Leaves at once, cancels a countdown and keeps nothing, of this page or of nobody's.
  package func close(page: String?) { close { $0 == nil || $0 == page } }

  /// The same whoever has it: the inspector signs out.
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
