import Evidence
import Geodesy
import Inspection
import MapLayers
import NIOHTTP1
import Store
import Sync
import Synchronization
import TimeAndText

/// A link to an office that has the parcels around an inspector's tasks. An older office has none.
package protocol ParcelLink: OfficeLink {
  /// Fetches the list of parcels.
  /// - Parameter tag: the digest of the list that is here; nil if none is.
  /// - Returns: the bytes of the list; nil if they are those that are here.
  func parcels(known tag: String?, token: String) async throws -> [UInt8]?
}

extension HTTPOfficeLink: ParcelLink {
  package func parcels(known tag: String?, token: String) async throws -> [UInt8]? {
    try await list(
      "/api/v1/parcels", orThrow: .malformedMessage("its parcels were changed on their way"),
      known: tag,
      token: token)
  }
}

/// The parcels around each inspector's tasks on this device: for each inspector one file, as the
/// office has sent it. They come after deliveries, and nobody sees another's.
package final class NeighbourShelf: Sendable {
  package let folder: String
  private let clock: any Timepiece
  /// Returns true if the disk has more than its reserve.
  private let hasRoom: @Sendable () -> Bool
  private let log: @Sendable (String) -> Void
  private let state = Mutex(State())

  private struct State {
    var isBringing = false
    /// The person and the boxes of the last fetch that went well, and its time; nil before the first.
    var done: (person: Person, boxes: [DegreeBox], time: ElapsedTime)?
    /// The time of the last fetch, if it failed; nil otherwise.
    var failed: ElapsedTime?
    /// The last words, so that the same words are logged once.
    var said: String?
  }

  /// Creates a shelf.
  /// - Parameter folder: the folder of the files; it need not exist.
  package init(
    folder: String, clock: any Timepiece, hasRoom: @escaping @Sendable () -> Bool,
    log: @escaping @Sendable (String) -> Void
  ) {
    (self.folder, self.clock, self.hasRoom, self.log) = (folder, clock, hasRoom, log)
  }

  /// The path of a person's file.
  package func path(of person: Person) -> String { "\(folder)/\(person.folderName).json" }

  /// Returns the bytes of the list that is here for a person; nil if none is. If the list cannot be
  /// read, the log says so, and it is fetched anew after the next delivery.
  package func list(of person: Person) -> [UInt8]? {
    let path = path(of: person)
    guard FileStatus(ofPath: path) != nil else { return nil }
    do {
      let bytes = try DurableFile.read(path)
      _ = try ParcelListMessage.read(bytes)
      return bytes
    } catch {
      say("\(path) cannot be read, and is fetched anew: \(error)")
      state.withLock { $0.done = nil }
      return nil
    }
  }

  // MARK: fetching

  /// Fetches the parcels if the tasks have changed, or if the last fetch was an hour ago. A failure
  /// is only logged; the earlier list stays.
  package func bringIfDue(from unit: InspectorUnit, over link: any ParcelLink) async {
    do {
      let boxes = MapShelf.boxes(of: try unit.tasks())
      guard begin(unit.person, boxes) else { return }
      do {
        try await bring(from: unit, over: link)
        say(nil)
      } catch DeliveryError.olderOffice {
        say(nil)
      } catch {
        end(failed: true)
        throw error
      }
      end(failed: false, (unit.person, boxes))
    } catch {
      say("\(error)")
    }
  }

  /// Fetches the parcels around the tasks of the inspector who is signed in, unless they are here.
  /// - Throws: `DeliveryError` if the office cannot be asked, `SyncError` if its answer is not
  ///   valid, `StoreError`; the earlier list stays then.
  package func bring(from unit: InspectorUnit, over link: any ParcelLink) async throws {
    let path = path(of: unit.person)
    guard hasRoom() else {
      throw StoreError.unwritable(
        path: path, reason: "the disk has no room for it beside a day of photos")
    }
    let office = try OfficeConversation(of: unit, over: link)
    let tag = list(of: unit.person).map { Digest.hexadecimal($0) }
    guard let bytes = try await office.asking({ try await link.parcels(known: tag, token: $0) })
    else { return }
    _ = try ParcelListMessage.read(bytes)
    try DurableFile.makeFolder(folder)
    try DurableFile.replace(path, with: bytes)
  }

  /// Returns true if the office may be asked now, and reserves the turn.
  private func begin(_ person: Person, _ boxes: [DegreeBox]) -> Bool {
    let now = clock.elapsed
    return state.withLock { state in
      func isPast(_ time: ElapsedTime, _ seconds: Double) -> Bool {
        abs(now.seconds(since: time)) >= seconds
      }
      guard !state.isBringing, state.failed.map({ isPast($0, MapShelf.retrySeconds) }) ?? true
      else { return false }
      if let done = state.done, done.person == person, done.boxes == boxes,
        !isPast(done.time, MapShelf.hourSeconds)
      {
        return false
      }
      state.isBringing = true
      return true
    }
  }

  private func end(failed: Bool, _ done: (person: Person, boxes: [DegreeBox])? = nil) {
    let now = clock.elapsed
    state.withLock { state in
      state.isBringing = false
      state.failed = failed ? now : nil
      if let done { state.done = (done.person, done.boxes, now) }
    }
  }

  /// Logs words once; nil words log nothing.
  private func say(_ words: String?) {
    let isNew = state.withLock { state in
      defer { state.said = words }
      return state.said != words
    }
    if isNew, let words { log("neighbouring parcels: \(words)") }
  }
}
