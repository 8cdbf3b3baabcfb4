import Foundation
import Imagery
import Inspection
import Store
import Synchronization

/// Makes the previews of photos behind everything else: when a photo has been sealed, for those that have
/// none when a unit begins to work, after a restore say, and when a page asks before either has come to
/// it.
package final class ThumbnailDesk: Sendable {
  /// One after the other: a second core is for the receiver and the pages.
  private actor Maker {
    /// What is no picture is looked at once.
    private var unreadable: Set<Identifier> = []

    /// - Returns: whether the preview is there now.
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
        // The disk is full, or the photo's file is not there: that may mend itself.
        return false
      }
    }
  }

  private let maker = Maker()
  private let run = Mutex<Task<Void, Never>?>(nil)

  package init() {}

  deinit { run.withLock { $0?.cancel() } }

  /// From now on each photo that this unit seals gets its preview, and those that have none get theirs,
  /// the newest first.
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
        // Each is made when somebody asks for it, too.
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

  /// Where a photo's preview lies, made now if it has to be; nil where none can be made.
  package func path(_ id: Identifier, of unit: InspectorUnit) async -> String? {
    let shelf = unit.thumbnails
    // What is there is not waited for behind those that are being made.
    if shelf.holds(id) { return shelf.path(id) }
    return await maker.make(id, shelf) ? shelf.path(id) : nil
  }

  /// What stands in for the preview of a picture that cannot be read: a frame with a line through it.
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

  /// Who is told from now on.
  func listen(_ listener: @escaping @Sendable (Identifier) -> Void) {
    self.listener.withLock { $0 = listener }
  }

  /// A photo is durable: file, seal and row.
  func ring(_ id: Identifier) {
    let listener = listener.withLock { $0 }
    listener?(id)
  }
}
