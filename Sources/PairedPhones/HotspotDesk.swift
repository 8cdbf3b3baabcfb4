import FieldUnit
import Inspection
import Synchronization
import TimeAndText

/// The state of this device's hotspot, for the pages. Work on it takes seconds, in which pages go on.
package final class HotspotDesk: Sendable {
  /// The stages of a hotspot.
  enum Stage: Hashable, Sendable {
    case down
    case rising
    case up(HotspotAccess)
    case failed(Wording)

    /// Returns the stage after a look at NetworkManager.
    func seen(_ outlook: Hotspot.Outlook, _ access: HotspotAccess) -> Stage {
      switch self {
      // The start that is on its way says how it ends.
      case .rising: self
      case _ where outlook.isUp: .up(access)
      case _ where outlook.isRising: self
      case .up: .failed(HotspotFailure.ended.wording)
      case .down, .failed: self
      }
    }

    /// Returns the stage after a look that found no Wi-Fi for a hotspot.
    func lost(_ failure: HotspotFailure) -> Stage {
      if case .up = self { return .failed(failure.wording) }
      return self
    }
  }

  private let book: HotspotBook
  private let clock: any Timepiece
  private let note: @Sendable (String) -> Void
  private let changed: @Sendable () -> Void
  private let state = Mutex(Stage.down)

  /// Creates a desk.
  /// - Parameters:
  ///   - note: writes a line into the log.
  ///   - changed: called when the stage has changed.
  init(
    keys: String, clock: any Timepiece, note: @escaping @Sendable (String) -> Void,
    changed: @escaping @Sendable () -> Void
  ) {
    book = HotspotBook(keys: keys)
    (self.clock, self.note, self.changed) = (clock, note, changed)
  }

  /// The stage of the hotspot, as it was seen last.
  var stage: Stage { state.withLock { $0 } }

  /// Returns what a hotspot would take.
  /// - Throws: `HotspotFailure`; `FieldUnitError` and `StoreError`.
  func outlook() async throws -> Hotspot.Outlook { try await Hotspot.look(try book.known()) }

  /// Looks whether the hotspot is up: a command, or somebody at the desktop, may have changed it.
  func look() async {
    do {
      // A device that never had one asks nobody.
      guard let access = try access() else { return }
      let outlook = try await Hotspot.look(access)
      move { $0.seen(outlook, access) }
    } catch HotspotFailure.noAnswer {
      // NetworkManager is busy, and says nothing of the hotspot.
    } catch let failure as HotspotFailure {
      move { $0.lost(failure) }
    } catch is CancellationError {
    } catch {
      note("hotspot: \(error)")
    }
  }

  /// The name and password of the hotspot that is up, even if their file has gone meanwhile; else those of
  /// the file.
  private func access() throws -> HotspotAccess? {
    if case .up(let access) = stage { return access }
    return try book.known()
  }

  /// Brings the hotspot up, in the background.
  /// - Parameters:
  ///   - expected: what the person was told.
  ///   - whenUp: called when phones can join.
  func start(expecting expected: Hotspot.Outlook, whenUp: @escaping @Sendable () -> Void) {
    let mayBegin = state.withLock { stage in
      defer { stage = .rising }
      return stage != .rising
    }
    guard mayBegin else { return }
    changed()
    Task { [self] in
      do {
        let access = try book.access(at: clock.deviceTime)
        let outlook = try await Hotspot.start(access, expecting: expected)
        note("hotspot: \(access.name) is up on \(outlook.radio)")
        whenUp()
        move { _ in .up(access) }
      } catch let failure as HotspotFailure {
        note("hotspot: \(failure.wording)")
        move { _ in .failed(failure.wording) }
      } catch {
        note("hotspot: \(error)")
        move { _ in .failed(Self.wording(of: error)) }
      }
    }
  }

  /// Takes the hotspot down.
  func stop() async {
    do {
      if let access = try access() { try await Hotspot.stop(access) }
      move { _ in .down }
    } catch let failure as HotspotFailure {
      move { _ in .failed(failure.wording) }
    } catch {
      note("hotspot: \(error)")
      move { _ in .failed(Self.wording(of: error)) }
    }
  }

  private static func wording(of error: any Error) -> Wording {
    (error as? any Worded)?.wording ?? "\("\(error)")"
  }

  private func move(_ step: (Stage) -> Stage) {
    let (before, next) = state.withLock { stage in
      let before = stage
      stage = step(stage)
      return (before, stage)
    }
    guard before != next else { return }
    if case .up = before, case .failed(let words) = next { note("hotspot: \(words)") }
    changed()
  }
}
