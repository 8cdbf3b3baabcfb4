import Foundation
import Geodesy
import Positioning
import Store
import Synchronization
import TimeAndText

/// The orbits that the device keeps in `orbits/` below its data directory, for a sky without a
/// network.
///
/// Reading never keeps a caller waiting: files that are new or have changed are read in the
/// background, and the orbits read earlier count until then. A file that cannot be read harms none
/// of the others.
public final class OrbitShelf: Sendable {
  /// The origin of a file. There is one file of each format from a person and from the address, and
  /// one of each name from the office; a newer file takes the older one's place.
  package enum Origin: Sendable {
    case person
    case address
    case office(name: String)
  }

  /// The largest file that is accepted, bytes.
  package static let maximumBytes = 32 * 1024 * 1024
  /// The largest file that is read from the folder, bytes; a person may have put it there.
  private static let maximumStoredBytes = 64 * 1024 * 1024
  private static let maximumFiles = 32
  /// The time between two looks at the folder while the sky is shown, seconds.
  private static let lookSeconds = 10.0

  package let folder: String
  package let clock: any Timepiece
  /// The address from which orbits are fetched once a day; nil for none.
  package let address: String?
  /// The file that remembers the last fetch from the address.
  package let memory: String
  /// The file that remembers since when the office's lists lack orbits that are here.
  package let missed: String
  /// Returns true if the disk has more than its reserve.
  package let hasRoom: @Sendable () -> Bool
  /// Returns the time of now for orbits: the receiver's time if it gives one.
  package let time: @Sendable () async -> DeviceTime
  private let state = Mutex(State())

  private struct State {
    var read: [String: Read] = [:]
    var stored = StoredOrbits()
    var looked: ElapsedTime?
    /// The last place of the receiver, and its time; nil before the first position.
    var place: (coordinate: Coordinate, time: DeviceTime)?
    var isBringing = false
    var brought: ElapsedTime?
    /// The digests of the office's useless files, with the elapsed time until which they are not
    /// fetched again; nil means never again.
    var useless: [String: ElapsedTime?] = [:]
  }

  /// A file with its contents as they were read.
  private struct Read: Sendable {
    var mark: Mark
    var file: StoredOrbitFile
    var orbits: [SatelliteOrbit]
  }

  /// A mark that changes with a file's contents. It also changes each hour, because of several
  /// broadcasts of a satellite the one nearest in time counts.
  private struct Mark: Hashable, Sendable {
    var bytes: Int
    var changed: Date
    var hour: Int64
  }

  /// Creates a shelf that has read nothing.
  /// - Parameters:
  ///   - folder: the folder of the files.
  ///   - memories: the folder for what is remembered of fetching.
  ///   - address: the address from which orbits are fetched once a day; nil for none.
  ///   - hasRoom: returns true if the disk has more than its reserve.
  ///   - time: returns the time of now for orbits; nil uses the device's time.
  package init(
    folder: String, memories: String, address: String?, clock: any Timepiece,
    hasRoom: @escaping @Sendable () -> Bool, time: (@Sendable () async -> DeviceTime)?
  ) {
    (self.folder, self.address, self.clock) = (folder, address, clock)
    memory = memories + "/orbits-fetched"
    missed = memories + "/orbits-missed"
    self.hasRoom = hasRoom
    self.time = time ?? { clock.deviceTime }
  }

  /// The stored orbits, as far as they have been read.
  package var stored: StoredOrbits { state.withLock { $0.stored } }

  /// Returns the stored orbits. If the last look at the folder was a while ago, another one begins
  /// in the background.
  /// - Parameter time: roughly now: of each satellite, the orbit nearest to it counts.
  package func look(near time: DeviceTime) -> StoredOrbits {
    let now = clock.elapsed
    let (stored, isDue) = state.withLock { state in
      let isDue =
        !state.stored.isReading
        && state.looked.map { abs(now.seconds(since: $0)) >= Self.lookSeconds } ?? true
      if isDue {
        state.looked = now
        state.stored.isReading = true
      }
      return (state.stored, isDue)
    }
    if isDue { Task.detached(priority: .utility) { self.readAll(near: time) } }
    return stored
  }

  /// Looks at the folder now, and reads the files that are new in it.
  /// - Parameter time: roughly now; nil is the device's time.
  package func read(near time: DeviceTime? = nil) {
    state.withLock { $0.looked = clock.elapsed }
    readAll(near: time ?? clock.deviceTime)
  }

  private func readAll(near time: DeviceTime) {
    let known = state.withLock { $0.read }
    var read: [String: Read] = [:]
    for (name, mark) in listing(at: time) {
      if let one = known[name], one.mark == mark {
        read[name] = one
      } else {
        read[name] = self.read(name, mark, at: time)
      }
    }
    let files = read.values.map(\.file).sorted { $0.name < $1.name }
    let orbits = SatelliteOrbit.nearest(read.values.flatMap(\.orbits), to: time)
    state.withLock { state in
      state.read = read
      state.stored.files = files
      state.stored.orbits = orbits
      state.stored.isReading = false
    }
  }

  private func listing(at time: DeviceTime) -> [(String, Mark)] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.sorted().filter { !$0.hasPrefix(".") && !$0.hasSuffix(".new") }
      .prefix(Self.maximumFiles).compactMap { name in
        guard
          let status = try? FileManager.default.attributesOfItem(atPath: folder + "/" + name),
          status[.type] as? FileAttributeType == .typeRegular,
          let bytes = (status[.size] as? NSNumber)?.intValue,
          let changed = status[.modificationDate] as? Date
        else { return nil }
        return (
          name,
          Mark(bytes: bytes, changed: changed, hour: time.millisecondsSince1970 / 3_600_000)
        )
      }
  }

  private func read(_ name: String, _ mark: Mark, at time: DeviceTime) -> Read {
    var file = StoredOrbitFile(name: name)
    guard mark.bytes <= Self.maximumStoredBytes else {
      file.problem = OrbitRefusal.tooLarge(megabytes: Self.maximumStoredBytes >> 20).wording
      return Read(mark: mark, file: file, orbits: [])
    }
    guard let bytes = FileManager.default.contents(atPath: folder + "/" + name) else {
      let problem: Wording = "it cannot be read: check its permissions"
      file.problem = problem
      return Read(mark: mark, file: file, orbits: [])
    }
    do throws(OrbitFileError) {
      let contents = try OrbitFile(Array(bytes), near: time)
      // A day of broadcasts holds each satellite some fifty times.
      let orbits = SatelliteOrbit.nearest(contents.orbits, to: time)
      file.describe(contents, orbits)
      return Read(mark: mark, file: file, orbits: orbits)
    } catch {
      file.problem = error.wording
      return Read(mark: mark, file: file, orbits: [])
    }
  }

  // MARK: keeping

  /// Stores a file once it has been read and is of use; it takes the earlier file's place in one
  /// step.
  /// - Parameter time: roughly now.
  /// - Returns: a description of the file.
  /// - Throws: `OrbitRefusal`, `StoreError`; then everything is as it was.
  @discardableResult
  package func keep(
    _ bytes: [UInt8], from origin: Origin, near time: DeviceTime
  ) throws -> StoredOrbitFile {
    guard !bytes.isEmpty else { throw OrbitRefusal.nothing }
    guard bytes.count <= Self.maximumBytes else {
      throw OrbitRefusal.tooLarge(megabytes: Self.maximumBytes >> 20)
    }
    let contents: OrbitFile
    do throws(OrbitFileError) {
      contents = try OrbitFile(bytes, near: time)
    } catch {
      throw OrbitRefusal.unreadable(error)
    }
    let orbits = SatelliteOrbit.nearest(contents.orbits, to: time)
    let newest = orbits.map(\.reference).max() ?? time
    guard !SatelliteOrbit.current(orbits, at: time).isEmpty else {
      throw OrbitRefusal.old(newest: newest)
    }
    let name =
      switch origin {
      case .person: "uploaded.\(contents.kind.ending)"
      case .address: "fetched.\(contents.kind.ending)"
      case .office(let name): Self.officePrefix + name
      }
    try DurableFile.makeFolder(folder)
    try DurableFile.replace(folder + "/" + name, with: bytes)
    var file = StoredOrbitFile(name: name)
    file.describe(contents, orbits)
    read(near: time)
    return file
  }

  package static let officePrefix = "office-"

  // MARK: what is remembered

  /// The last place of the receiver, and its time; nil before the first position.
  package var lastPlace: (coordinate: Coordinate, time: DeviceTime)? { state.withLock { $0.place } }

  /// Notes the place of the receiver.
  package func note(_ coordinate: Coordinate, at time: DeviceTime) {
    state.withLock { $0.place = (coordinate, time) }
  }

  /// Notes the result of fetching from the configured address.
  package func note(_ status: StoredOrbits.FetchStatus) {
    state.withLock { $0.stored.fetch = status }
  }

  /// True while the office is being asked.
  package var isBringing: Bool { state.withLock { $0.isBringing } }

  /// Returns true if the office may be asked now, and reserves the turn: only one fetch runs at a
  /// time, and once an hour is enough.
  package func beginBringing() -> Bool {
    let now = clock.elapsed
    return state.withLock { state in
      guard !state.isBringing,
        state.brought.map({ abs(now.seconds(since: $0)) >= 3600 }) ?? true
      else { return false }
      state.isBringing = true
      return true
    }
  }

  /// The time for which a file that was refused as too old is not fetched again, seconds.
  package static let refusalSeconds = 86_400.0

  /// Returns true if a file of the office's was found useless, and is not fetched again, or not
  /// yet.
  package func isUseless(_ digest: String) -> Bool {
    let now = clock.elapsed
    return state.withLock { state in
      guard let until = state.useless[digest] else { return false }
      return until.map { now < $0 } ?? true
    }
  }

  /// Notes that a file is useless: for good if it cannot be read, but only for a day if it is too
  /// old, because the clock may be set right.
  package func noteUseless(_ digest: String, for refusal: OrbitRefusal) {
    var until: ElapsedTime?
    if case .old = refusal { until = clock.elapsed.advanced(bySeconds: Self.refusalSeconds) }
    state.withLock { $0.useless[digest] = .some(until) }
  }

  package func endBringing(isDone: Bool) {
    let now = clock.elapsed
    state.withLock { state in
      state.isBringing = false
      if isDone { state.brought = now }
    }
  }
}

extension StoredOrbitFile {
  fileprivate mutating func describe(_ contents: OrbitFile, _ orbits: [SatelliteOrbit]) {
    kind = contents.kind
    satellites = orbits.count
    newest = contents.orbits.map(\.reference).max()
  }
}
