import Evidence
import Foundation
import Sync
import Synchronization

/// The folder `orbits/` beside the office's other files. An administrator, or a program of theirs, puts
/// files of orbits into it; field units fetch them with their tasks. What they are is looked at there.
package final class OrbitFolder: Sendable {
  private let path: String
  /// Digests of files that have not changed since.
  private let known = Mutex<[String: Known]>([:])

  private struct Known {
    var bytes: Int
    var changed: Date
    var digest: String
  }

  init(path: String) { self.path = path }

  /// The files that are offered, by name; what is too large, or has a name that may not be, is not.
  package func files() -> [OrbitListMessage.File] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    return Array(
      names.sorted().filter { OrbitListMessage.isName($0) && !$0.hasSuffix(".new") }
        .compactMap(file).prefix(OrbitListMessage.maximumFiles))
  }

  /// One of them.
  package func file(_ name: String) -> OrbitListMessage.File? {
    guard OrbitListMessage.isName(name),
      let status = try? FileManager.default.attributesOfItem(atPath: path(of: name)),
      status[.type] as? FileAttributeType == .typeRegular,
      let bytes = (status[.size] as? NSNumber)?.intValue,
      bytes > 0, bytes <= OrbitListMessage.maximumFileBytes,
      let changed = status[.modificationDate] as? Date
    else { return nil }
    if let one = known.withLock({ $0[name] }), one.bytes == bytes, one.changed == changed {
      return OrbitListMessage.File(name: name, bytes: bytes, digest: one.digest)
    }
    guard let digest = Digest.hexadecimal(file: path(of: name)) else { return nil }
    known.withLock { $0[name] = Known(bytes: bytes, changed: changed, digest: digest) }
    return OrbitListMessage.File(name: name, bytes: bytes, digest: digest)
  }

  package func path(of name: String) -> String { path + "/" + name }
}
