import Evidence
import Foundation
import Sync
import Synchronization

/// The folder `orbits/` among the office's files. An administrator, or a program of theirs, puts
/// orbit files into it; field units fetch them with their tasks, and check the contents themselves.
package final class OrbitFolder: Sendable {
  private let path: String
  /// The digests of files, valid as long as size and date stay.
  private let known = Mutex<[String: Known]>([:])

  private struct Known {
    var bytes: Int
    var changed: Date
    var digest: String
  }

  /// Creates the folder at a path; it need not be there.
  package init(path: String) { self.path = path }

  /// Returns the offered files, by name; a file that is too large, or whose name is not allowed, is
  /// left out.
  package func files() -> [OrbitListMessage.File] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    return Array(
      names.sorted().filter { OrbitListMessage.isName($0) && !$0.hasSuffix(".new") }
        .compactMap(file).prefix(OrbitListMessage.maximumFiles))
  }

  /// Returns one of the files; nil if it is not there, or is not offered.
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

  /// Returns the path of a file in the folder.
  package func path(of name: String) -> String { path + "/" + name }
}
