import Foundation
import Imagery
import Inspection
import Store
import Synchronization

/// Makes the previews of photos in the background: after each sealing; for photos without a preview
/// when a unit begins to work, for example after a restore; and when a page asks before that.
package final class ThumbnailDesk: Sendable {
  /// Makes one preview after the other: a second core is for the receiver and the pages.
  private actor Maker {
    /// Photos whose file is no picture, so that each is tried only once.
    private var unreadable: Set<Identifier> = []

    /// Makes a photo's preview if it is not there.
    /// - Returns: true if the preview is there now.
    func make(_ id: Identifier, _ shelf: ThumbnailShelf) -> Bool {
      if shelf.holds(id) { return true }
      guard !unreadable.contains(id) else { return false }
      do {
        try shelf.make(id)
        return shelf.holds(id)
      } catch is ImageryError {
        unreadable.insert(id)
        return false
      } catch {
        // A full disk or a missing file may be mended later, so that the photo is tried again.
        return false
      }
    }
  }

  private let maker = Maker()
  private let run = Mutex<Task<Void, Never>?>(nil)

  package init() {}

  deinit { run.withLock { $0?.cancel() } }

  /// Makes the previews of all photos that this unit seals from now on, and of those that have
  /// none, the newest first.
  package func follow(_ unit: InspectorUnit) {
    let (maker, shelf) = (maker, unit.thumbnails)
    unit.sealedPhotos.listen { id in
      Task.detached(priority: .utility) {
        _ = await maker.make(id, shelf)
        ProcessMemory.giveBack()
      }
    }
    let next = Task.detached(priority: .utility) {
      let missing: [Identifier]
      do {
        missing = try unit.photosWithFiles()
      } catch {
        // Each preview is also made when a page asks for it.
        return
      }
      for id in missing where !shelf.holds(id) {
        if Task.isCancelled { return }
        _ = await maker.make(id, shelf)
      }
      ProcessMemory.giveBack()
    }
    run.withLock { run in
      run?.cancel()
      run = next
    }
  }

  /// Returns the path of a photo's preview, which is made now if necessary; nil if none can be
  /// made.
  package func path(_ id: Identifier, of unit: InspectorUnit) async -> String? {
    let shelf = unit.thumbnails
    // A preview that is there need not wait for those that are being made.
    if shelf.holds(id) { return shelf.path(id) }
    return await maker.make(id, shelf) ? shelf.path(id) : nil
  }

  /// The picture shown instead of a preview that cannot be made: a frame with a line through it, as
  /// SVG.
  package static let placeholder = """
    <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 320 240" width="320" height="240">
    <rect width="320" height="240" fill="#3d4b54"/>
    <g fill="none" stroke="#eef3f6" stroke-width="8" stroke-linejoin="round">
    <rect x="100" y="72" width="120" height="96" rx="6"/><path d="M108 160 148 116l28 30 16-16 20 30"/>
    <path d="M84 188 236 52" stroke="#ff9e9a"/></g></svg>
    """
}

/// Tells one listener of each photo that has been sealed.
final class SealedPhotoBell: Sendable {
  private let listener = Mutex<(@Sendable (Identifier) -> Void)?>(nil)

  /// Sets the listener, in the place of any earlier one.
  func listen(_ listener: @escaping @Sendable (Identifier) -> Void) {
    self.listener.withLock { $0 = listener }
  }

  /// Tells the listener that a photo is durable: file, seal and row.
  func ring(_ id: Identifier) {
    let listener = listener.withLock { $0 }
    listener?(id)
  }
}
