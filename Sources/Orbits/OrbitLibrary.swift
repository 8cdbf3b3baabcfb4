import Foundation
import Positioning
import Synchronization
import TimeAndText

/// The orbits in a folder for any time, such as that of a photo that arrives after two weeks. Files are
/// read again when they change.
package final class OrbitLibrary: Sendable {
  /// The largest file that is read, bytes, and the most files.
  private static let maximumBytes = 64 * 1024 * 1024
  private static let maximumFiles = 64
  /// The time between two orbits of one satellite that are kept, seconds. A broadcast file has one every
  /// half an hour, and each is good for days.
  private static let stepSeconds = 7_200.0

  private let folder: String
  private let state = Mutex(State())

  private struct State {
    var files: [String: Read] = [:]
    /// The result for the last hour that was asked for.
    var last: (hour: Int64, orbits: [SatelliteOrbit])?
    var isFull = false
  }

  private struct Mark: Hashable {
    var bytes: Int
    var changed: Date
    /// A file whose permissions change is tried again.
    var permissions: Int
  }

  private struct Read {
    var mark: Mark
    var orbits: [SatelliteOrbit]
  }

  /// Creates a library of a folder, which may not exist yet.
  package init(folder: String) { self.folder = folder }

  /// Returns for each satellite the orbit that was current nearest to the hour of `time`, and the files
  /// that were looked at for the first time now and are of no use, with the reasons.
  /// - Parameter now: the office's time, to which the weeks of an almanac are completed. The time of a
  ///   photo would not do: it is a claim.
  package func orbits(
    near time: DeviceTime, readAt now: DeviceTime
  ) -> (orbits: [SatelliteOrbit], problems: [(file: String, words: Wording)]) {
    let (listed, leftOut) = listing()
    let hour = time.millisecondsSince1970 / 3_600_000
    let (known, last, wasFull) = state.withLock { ($0.files, $0.last, $0.isFull) }
    if let last, last.hour == hour, known.count == listed.count,
      listed.allSatisfy({ known[$0.name]?.mark == $0.mark })
    {
      return (last.orbits, [])
    }
    var read: [String: Read] = [:]
    var problems: [(file: String, words: Wording)] = []
    for (name, mark) in listed {
      if let one = known[name], one.mark == mark {
        read[name] = one
      } else {
        let (one, problem) = self.read(name, mark, at: now)
        read[name] = one
        if let problem { problems.append((name, problem)) }
      }
    }
    if leftOut > 0, !wasFull {
      problems.append(("", "\(leftOut) older files are left out: remove what is not needed"))
    }
    let orbits = SatelliteOrbit.nearest(read.values.flatMap(\.orbits), to: time)
    let new = State(files: read, last: (hour, orbits), isFull: leftOut > 0)
    state.withLock { $0 = new }
    return (orbits, problems)
  }

  /// Returns the newest files, and the number of those that are left out.
  private func listing() -> (files: [(name: String, mark: Mark)], leftOut: Int) {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    let files = names.sorted().filter { !$0.hasPrefix(".") && !$0.hasSuffix(".new") }
      .compactMap { name -> (name: String, mark: Mark)? in
        guard let status = try? FileManager.default.attributesOfItem(atPath: folder + "/" + name),
          status[.type] as? FileAttributeType == .typeRegular,
          let bytes = (status[.size] as? NSNumber)?.intValue,
          let changed = status[.modificationDate] as? Date
        else { return nil }
        let permissions = (status[.posixPermissions] as? NSNumber)?.intValue ?? 0
        return (name, Mark(bytes: bytes, changed: changed, permissions: permissions))
      }
    let newest = files.sorted { $0.mark.changed > $1.mark.changed }.prefix(Self.maximumFiles)
    return (Array(newest), files.count - newest.count)
  }

  private func read(
    _ name: String, _ mark: Mark, at time: DeviceTime
  ) -> (Read, problem: Wording?) {
    var one = Read(mark: mark, orbits: [])
    guard mark.bytes <= Self.maximumBytes else {
      return (one, OrbitRefusal.tooLarge(megabytes: Self.maximumBytes >> 20).wording)
    }
    guard let content = FileManager.default.contents(atPath: folder + "/" + name) else {
      return (one, "it cannot be read: check its permissions")
    }
    do throws(OrbitFileError) {
      one.orbits = SatelliteOrbit.spaced(
        try OrbitFile(Array(content), near: time).orbits, bySeconds: Self.stepSeconds)
      return (one, nil)
    } catch {
      return (one, error.wording)
    }
  }
}
