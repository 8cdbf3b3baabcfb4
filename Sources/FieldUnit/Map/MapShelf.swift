import Foundation
import Geodesy
import Inspection
import Positioning
import Store
import Sync
import Synchronization

/// The base maps that this device has of the office, round the parcels of its tasks. They grow after deliveries,
/// beside everything else, as files `office-NAME.mbtiles` among those that somebody has put there.
package final class MapShelf: Sendable {
  /// A map takes no more of the disk, bytes.
  static let bytesOfMap = 200_000_000
  /// What of the office begins with this belongs to this class.
  package static let prefix = "office-"
  package static let ending = ".mbtiles"
  /// After a success nothing is asked for so long while the tasks stay the same, seconds; after a failure
  /// nothing at all.
  private static let hourSeconds = 3600.0
  private static let retrySeconds = 300.0

  package let folder: String
  package let bytesAtMost: Int
  package let clock: any Timepiece
  /// Whether the disk has more than its reserve.
  package let hasRoom: @Sendable () -> Bool
  package let log: @Sendable (String) -> Void
  private let state = Mutex(State())

  private struct State {
    var isBringing = false
    /// Round what everything was there last, and when.
    var done: (boxes: [DegreeBox], time: ElapsedTime)?
    var failed: ElapsedTime?
    /// What was said last of each map, so that it is said once.
    var said: [String: String] = [:]
  }

  /// - Parameters:
  ///   - folder: where base maps lie; it need not be there.
  ///   - bytesAtMost: what one map may take of the disk.
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

  /// What was cut off in the midst of writing is taken back: whoever only reads a map cannot do that, and would
  /// find none until the office can be reached.
  private func recover() {
    for name in files() where name.hasSuffix(Self.ending + "-journal") {
      let path = folder + "/" + name.dropLast("-journal".count)
      if FileManager.default.fileExists(atPath: path) {
        try? FetchedTiles(path: path).close()
      } else {
        // Its map is gone: it would be played into the next one of that name.
        try? DurableFile.remove(path + "-journal")
      }
    }
  }

  /// The names of this class's files.
  package func files() -> [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted()
      .filter { $0.hasPrefix(Self.prefix) }
  }

  package func path(of map: String) -> String { "\(folder)/\(Self.prefix)\(map)\(Self.ending)" }

  /// Round what tiles are wanted: the parcels of the tasks that are still to be done, those that are due
  /// first first.
  static func boxes(of tasks: [InspectionTask]) -> [DegreeBox] {
    func due(_ task: InspectionTask) -> Int64 { task.due?.millisecondsSince1970 ?? .max }
    return tasks.filter(\.state.isEditable).sorted { (due($0), $0.id) < (due($1), $1.id) }
      .flatMap { ($0.parcel?.rings ?? []).map { DegreeBox($0) } }
  }

  // MARK: when

  /// Whether the office may be asked now: one asks at a time.
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

  /// Whether something may be missing: the tasks are others, or the last time is a while ago.
  func isDue(_ boxes: [DegreeBox]) -> Bool {
    let now = clock.elapsed
    return state.withLock { state in
      guard let done = state.done, done.boxes == boxes else { return !boxes.isEmpty }
      return abs(now.seconds(since: done.time)) >= Self.hourSeconds && !boxes.isEmpty
    }
  }

  /// What came of it.
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

  /// Says something of a map, or of all for nil; the same is said once.
  package func say(_ words: String?, of map: String?) {
    let isNew = state.withLock { state in
      defer { state.said[map ?? ""] = words }
      return state.said[map ?? ""] != words
    }
    guard isNew, let words else { return }
    log(map.map { "base map \($0) of the office: \(words)" } ?? "base maps of the office: \(words)")
  }
}

extension FieldServer {
  /// The office's base maps round the tasks. What comes of it harms nothing.
  func bringMaps() async {
    do {
      guard let signIn = try desk.signedIn(), let unit = try unit(),
        let link = try link(to: signIn.office) as? any MapLink, maps.begin()
      else { return }
      await maps.bringIfDue(from: unit, over: link) { [weak self] in
        self?.isIdle(for: unit.person) ?? false
      }
    } catch {
      log.note("base maps: \(error)")
    }
  }

  /// Whether nothing goes on that orbits and tiles would be in the way of: a photo that is taken, or a
  /// delivery.
  func isIdle(for person: Person) -> Bool {
    if case .running = cameraDesk.status { return false }
    do {
      return try !isDeliveryUnderWay && desk.signedIn()?.person == person
    } catch {
      // What can wait does.
      return false
    }
  }
}
