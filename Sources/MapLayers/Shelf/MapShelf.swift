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
  package static let bytesOfMap = 200_000_000
  /// The further bytes that one map may take for chosen areas.
  static let bytesOfAreas = 1_000_000_000
  /// The beginning of the names of all files that came from the office.
  package static let prefix = "office-"
  package static let ending = ".mbtiles"
  /// The further ending of a file that is made beside an earlier one.
  static let besideEnding = ".new"
  /// The time after a success without further requests while the tasks stay the same, seconds.
  /// After a failure, `retrySeconds` pass without any request.
  package static let hourSeconds = 3600.0
  package static let retrySeconds = 300.0

  package let folder: String
  package let bytesAtMost: Int
  package let clock: any Timepiece
  /// Returns true if the disk has more than its reserve.
  package let hasRoom: @Sendable () -> Bool
  package let log: @Sendable (String) -> Void
  private let state = Mutex(State())

  private struct State {
    var isBringing = false
    /// The boxes and areas of the last complete fetch, and its time; nil before the first.
    var done: (boxes: [DegreeBox], areas: [OfflineArea], time: ElapsedTime)?
    /// The areas of the fetch that runs, or ran last.
    var areas: [OfflineArea] = []
    /// The number of changes of the areas, and that number when the last fetch began.
    var changes = 0
    var changesBegun = 0
    /// The reason why the office could not be asked the last time; nil if it could.
    var trouble: Wording?
    var failed: ElapsedTime?
    /// The last words about each map, so that the same words are logged once.
    var said: [String: String] = [:]
  }

  /// Creates a shelf, and repairs files that were cut off.
  /// - Parameters:
  ///   - folder: the folder of the base maps; it need not exist.
  ///   - bytesAtMost: the most bytes that one map may take of the disk.
  package init(
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
    for name in files() where name.contains(FetchedTiles.makingMark) {
      try? remove("\(folder)/\(name)")
    }
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
  package static func boxes(of tasks: [InspectionTask]) -> [DegreeBox] {
    TaskNeighbourhood.urgent(tasks).flatMap { $0.parcels.flatMap(\.rings).map { DegreeBox($0) } }
  }

  // MARK: when

  /// Returns true if the office may be asked now, and reserves the turn: only one fetch runs at a
  /// time.
  /// - Parameter isAsked: true if a person asks for it, so that an earlier failure does not count.
  package func begin(isAsked: Bool = false) -> Bool {
    let now = clock.elapsed
    return state.withLock { state in
      guard !state.isBringing,
        isAsked || state.failed.map({ abs(now.seconds(since: $0)) >= Self.retrySeconds }) ?? true
      else { return false }
      state.isBringing = true
      state.changesBegun = state.changes
      return true
    }
  }

  /// Returns true if tiles may be missing: the tasks have changed, or the last complete fetch was
  /// an hour ago or more.
  package func isDue(_ boxes: [DegreeBox]) throws -> Bool {
    let now = clock.elapsed
    let areas = try areas().filter { !$0.isStopped }
    let wantsAny = !boxes.isEmpty || !areas.isEmpty
    return state.withLock { state in
      guard let done = state.done, done.boxes == boxes, done.areas == areas else {
        return wantsAny
      }
      return abs(now.seconds(since: done.time)) >= Self.hourSeconds && wantsAny
    }
  }

  /// Notes the areas of the fetch that begins.
  func begin(_ areas: [OfflineArea]) { state.withLock { $0.areas = areas } }

  /// Notes that the areas have changed: a fetch that runs ends, and begins anew.
  func noteChange() { state.withLock { $0.changes += 1 } }

  /// True if the areas have changed since the last fetch began.
  package var isChanged: Bool { state.withLock { $0.changes != $0.changesBegun } }

  /// The most bytes that one map may take: more if areas were chosen.
  var limit: Int {
    state.withLock { $0.areas.isEmpty } ? bytesAtMost : bytesAtMost + Self.bytesOfAreas
  }

  /// The reason why the office could not be asked the last time; nil if it could.
  package var trouble: Wording? { state.withLock { $0.trouble } }
  /// True while cells are being fetched.
  package var isBringing: Bool { state.withLock { $0.isBringing } }

  /// The result of a fetch.
  package enum End {
    case nothingDue, cutOff
    case failed(Wording)
    case done([DegreeBox])
  }

  package func end(_ end: End) {
    let now = clock.elapsed
    state.withLock { state in
      state.isBringing = false
      switch end {
      case .nothingDue, .cutOff: break
      case .failed(let words): (state.failed, state.trouble) = (now, words)
      case .done(let boxes):
        (state.failed, state.trouble) = (nil, nil)
        state.done = (boxes, state.areas, now)
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
