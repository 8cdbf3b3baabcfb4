import Foundation
import Geodesy
import Inspection
import Positioning
import Store
import Sync
import Synchronization
import TimeAndText

/// The office's base maps on this device, around the parcels of its tasks. They grow after
/// deliveries, when nothing else goes on, as files `office-NAME.mbtiles` among the maps that people
/// have put there.
package final class MapShelf: Sendable {
  /// The most bytes that one map may take of the disk.
  static let bytesOfMap = 200_000_000
  /// The beginning of the names of all files that came from the office.
  package static let prefix = "office-"
  package static let ending = ".mbtiles"
  /// The time after a success without further requests while the tasks stay the same, seconds.
  /// After a failure, `retrySeconds` pass without any request.
  private static let hourSeconds = 3600.0
  private static let retrySeconds = 300.0

  package let folder: String
  package let bytesAtMost: Int
  package let clock: any Timepiece
  /// Returns true if the disk has more than its reserve.
  package let hasRoom: @Sendable () -> Bool
  package let log: @Sendable (String) -> Void
  private let state = Mutex(State())

  private struct State {
    var isBringing = false
    /// The boxes of the last complete fetch, and its time; nil before the first.
    var done: (boxes: [DegreeBox], time: ElapsedTime)?
    var failed: ElapsedTime?
    /// The last words about each map, so that the same words are logged once.
    var said: [String: String] = [:]
  }

  /// Creates a shelf, and repairs files that were cut off.
  /// - Parameters:
  ///   - folder: the folder of the base maps; it need not exist.
  ///   - bytesAtMost: the most bytes that one map may take of the disk.
  init(
    folder: String, clock: any Timepiece, bytesAtMost: Int = MapShelf.bytesOfMap,
    hasRoom: @escaping @Sendable () -> Bool, log: @escaping @Sendable (String) -> Void
  ) {
    self.folder = folder
    self.clock = clock
    self.bytesAtMost = bytesAtMost
    self.hasRoom = hasRoom
    self.log = log
    recover()
  }

  /// Rolls back writes that were cut off: a program that only reads a map cannot do that, and would
  /// find no map until the office can be reached.
  private func recover() {
    for name in files() where name.hasSuffix(Self.ending + "-journal") {
      let path = folder + "/" + name.dropLast("-journal".count)
      if FileManager.default.fileExists(atPath: path) {
        try? FetchedTiles(path: path).close()
      } else {
        // The map is gone: its journal would be applied to the next map of that name.
        try? DurableFile.remove(path + "-journal")
      }
    }
  }

  /// Returns the names of the files that came from the office, sorted.
  package func files() -> [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted()
      .filter { $0.hasPrefix(Self.prefix) }
  }

  package func path(of map: String) -> String { "\(folder)/\(Self.prefix)\(map)\(Self.ending)" }

  /// Returns the boxes around which tiles are wanted: those of the parcels of editable tasks, the
  /// first due task first.
  static func boxes(of tasks: [InspectionTask]) -> [DegreeBox] {
    func due(_ task: InspectionTask) -> Int64 { task.due?.millisecondsSince1970 ?? .max }
    return tasks.filter(\.state.isEditable).sorted { (due($0), $0.id) < (due($1), $1.id) }
      .flatMap { ($0.parcel?.rings ?? []).map { DegreeBox($0) } }
  }

  // MARK: when

  /// Returns true if the office may be asked now, and reserves the turn: only one fetch runs at a
  /// time.
  package func begin() -> Bool {
    let now = clock.elapsed
    return state.withLock { state in
      guard !state.isBringing,
        state.failed.map({ abs(now.seconds(since: $0)) >= Self.retrySeconds }) ?? true
      else { return false }
      state.isBringing = true
      return true
    }
  }

  /// Returns true if tiles may be missing: the tasks have changed, or the last complete fetch was
  /// an hour ago or more.
  func isDue(_ boxes: [DegreeBox]) -> Bool {
    let now = clock.elapsed
    return state.withLock { state in
      guard let done = state.done, done.boxes == boxes else { return !boxes.isEmpty }
      return abs(now.seconds(since: done.time)) >= Self.hourSeconds && !boxes.isEmpty
    }
  }

  /// The result of a fetch.
  package enum End {
    case nothingDue, cutOff, failed
    case done([DegreeBox])
  }

  package func end(_ end: End) {
    let now = clock.elapsed
    state.withLock { state in
      state.isBringing = false
      switch end {
      case .nothingDue, .cutOff: break
      case .failed: state.failed = now
      case .done(let boxes):
        state.failed = nil
        state.done = (boxes, now)
      }
    }
  }

  /// Logs words about a map, or about all maps if the map is nil. The same words are logged once;
  /// nil words log nothing.
  package func say(_ words: String?, of map: String?) {
    let isNew = state.withLock { state in
      defer { state.said[map ?? ""] = words }
      return state.said[map ?? ""] != words
    }
    guard isNew, let words else { return }
    log(map.map { "base map \($0) of the office: \(words)" } ?? "base maps of the office: \(words)")
  }
}
