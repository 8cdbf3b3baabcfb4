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
  private let files = Mutex<[String: Read]>([:])

  private struct Read {
    var bytes: Int
    var changed: Date
    var orbits: [SatelliteOrbit]
  }

  /// Creates a library of a folder, which may not exist yet.
  package init(folder: String) { self.folder = folder }

  /// Returns for each satellite the orbit that was current nearest to `time`, and the files that were
  /// looked at for the first time now and are of no use, with the reasons.
  package func orbits(
    near time: DeviceTime
  ) -> (orbits: [SatelliteOrbit], problems: [(file: String, words: Wording)]) {
    let known = files.withLock { $0 }
    var read: [String: Read] = [:]
    var problems: [(file: String, words: Wording)] = []
    for (name, bytes, changed) in listing() {
      if let one = known[name], one.bytes == bytes, one.changed == changed {
        read[name] = one
      } else {
        let (one, problem) = self.read(name, bytes, changed, near: time)
        read[name] = one
        if let problem { problems.append((name, problem)) }
      }
    }
    files.withLock { $0 = read }
    return (SatelliteOrbit.nearest(read.values.flatMap(\.orbits), to: time), problems)
  }

  private func listing() -> [(name: String, bytes: Int, changed: Date)] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.sorted().filter { !$0.hasPrefix(".") && !$0.hasSuffix(".new") }
      .prefix(Self.maximumFiles).compactMap { name in
        guard let status = try? FileManager.default.attributesOfItem(atPath: folder + "/" + name),
          status[.type] as? FileAttributeType == .typeRegular,
          let bytes = (status[.size] as? NSNumber)?.intValue,
          let changed = status[.modificationDate] as? Date
        else { return nil }
        return (name, bytes, changed)
      }
  }

  private func read(
    _ name: String, _ bytes: Int, _ changed: Date, near time: DeviceTime
  ) -> (Read, problem: Wording?) {
    var one = Read(bytes: bytes, changed: changed, orbits: [])
    guard bytes <= Self.maximumBytes else {
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
