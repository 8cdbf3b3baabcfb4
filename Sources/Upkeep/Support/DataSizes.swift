import FieldUnit
import Foundation
import Store

/// The sizes of the folders in the field unit's data directory.
package struct DataSizes: Hashable, Sendable {
  /// A folder with all that is below it.
  package struct Folder: Hashable, Sendable {
    /// The folder's name below the data directory.
    package var name: String
    package var files: Int
    /// The sum of the files' lengths, bytes; a disk rounds each of them up.
    package var bytes: Int
  }

  /// The folders by name; `field` comes first, with the files that are in none of its folders.
  package var folders: [Folder]
  /// The bytes of all folders together.
  package var bytes: Int { folders.reduce(0) { $0 + $1.bytes } }

  package init(dataDirectory: URL) {
    let root = DataFolder(dataDirectory: dataDirectory).root
    var folders: [String: Folder] = [:]
    if let walk = FileManager.default.enumerator(atPath: root) {
      for case let path as String in walk {
        guard let status = FileStatus(ofPath: root + "/" + path), status.isFile else { continue }
        let parts = path.split(separator: "/")
        let name = parts.count > 1 ? "field/\(parts[0])" : "field"
        folders[name, default: Folder(name: name, files: 0, bytes: 0)].files += 1
        folders[name, default: Folder(name: name, files: 0, bytes: 0)].bytes += status.bytes
      }
    }
    self.folders = folders.values.sorted { $0.name < $1.name }
  }
}
