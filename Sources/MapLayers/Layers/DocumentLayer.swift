import Dispatch
import Foundation
import Store
import Sync
import Synchronization

/// A base map for a program that draws a document and cannot wait asynchronously. All tiles together
/// that have to be fetched get `patienceSeconds`: after that only kept ones are drawn.
package final class DocumentLayer: Sendable {
  /// The most time for the tiles of one document, seconds.
  static let patienceSeconds = 10.0

  /// The layer.
  package let layer: BaseLayer
  private let end: ContinuousClock.Instant

  /// Begins the drawing of one document.
  package init(_ layer: BaseLayer) {
    self.layer = layer
    end = .now + .seconds(Self.patienceSeconds)
  }

  /// Returns a tile; nil if there is none, or none in time. Never call it on a thread that others
  /// wait for: it blocks.
  package func tile(at place: TileExtract.Place) throws -> [UInt8]? {
    guard case .service(let service) = layer.source else {
      if case .archive(let archive, _) = layer.source {
        return try archive.tile(zoom: place.zoom, x: place.x, y: place.y).map(Array.init)
      }
      return nil
    }
    if let kept = service.keptTile(at: place) { return kept.bytes }
    let seconds = (end - .now) / .seconds(1)
    guard seconds > 0 else { return nil }
    let found = FoundTile()
    let task = Task.detached { [found] in
      // A tile that cannot be fetched is missing in the document, which says so of a whole map.
      let tile = try? await service.tile(at: place)
      found.set(tile?.bytes)
    }
    defer { task.cancel() }
    return found.wait(seconds: seconds)
  }

  /// The one tile that is waited for.
  private final class FoundTile: Sendable {
    private let bytes = Mutex<[UInt8]?>(nil)
    private let isThere = DispatchSemaphore(value: 0)

    func set(_ found: [UInt8]?) {
      bytes.withLock { $0 = found }
      isThere.signal()
    }

    func wait(seconds: Double) -> [UInt8]? {
      guard isThere.wait(timeout: .now() + seconds) == .success else { return nil }
      return bytes.withLock { $0 }
    }
  }
}
