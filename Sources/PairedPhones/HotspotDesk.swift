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
    case failed(HotspotFailure)
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
      guard let access = try book.known() else { return }
      let outlook = try await Hotspot.look(access)
      move { stage in
        switch stage {
        case .rising: stage
        case .failed where !outlook.isUp: stage
        default: outlook.isUp ? .up(access) : .down
        }
      }
    } catch is HotspotFailure {
      move { if case .up = $0 { .down } else { $0 } }
    } catch {
      note("hotspot: \(error)")
    }
  }

  /// Brings the hotspot up, in the background.
  /// - Parameter whenUp: called when phones can join.
  func start(whenUp: @escaping @Sendable () -> Void) {
    let mayBegin = state.withLock { stage in
      defer { stage = .rising }
      return stage != .rising
    }
    guard mayBegin else { return }
    changed()
    Task { [self] in
      do {
        let access = try book.access(at: clock.deviceTime)
        let outlook = try await Hotspot.start(access)
        note("hotspot: \(access.name) is up on \(outlook.radio)")
        whenUp()
        move { _ in .up(access) }
      } catch let failure as HotspotFailure {
        note("hotspot: \(failure.wording)")
        move { _ in .failed(failure) }
      } catch {
        note("hotspot: \(error)")
        move { _ in .failed(.gaveUp(reason: nil)) }
      }
    }
  }

  /// Takes the hotspot down.
  func stop() async {
    do {
      if let access = try book.known() { try await Hotspot.stop(access) }
      move { _ in .down }
    } catch let failure as HotspotFailure {
      move { _ in .failed(failure) }
    } catch {
      note("hotspot: \(error)")
    }
  }

  private func move(_ step: (Stage) -> Stage) {
    let isNew = state.withLock { stage in
      let next = step(stage)
      defer { stage = next }
      return stage != next
    }
    if isNew { changed() }
  }
}
