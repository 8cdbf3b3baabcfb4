import Foundation
import Store

/// The layout of one side's backup: first a note, then the side's files below their folder, then
/// the list of all of them with their digests, as `sha256sum -c` reads it.
package struct BackupLayout: Sendable {
  /// The name of the note.
  package static let note = "BACKUP"
  /// The name of the list.
  package static let list = "MANIFEST"
  /// The database's name below the folder.
  package static let database = "standpoint.sqlite"

  /// The side in words: `an office`.
  package let owner: String
  /// The first line of the note; a backup with another first line has another form.
  package let title: String
  /// The side's folder below the data directory, with a slash at its end.
  package let folder: String
  /// The names below the folder that a backup must hold; the database is always one of them.
  package let required: [String]
  private let holds: @Sendable (_ parts: [String]) -> Bool

  /// Creates a layout.
  /// - Parameter holds: returns true if a backup may hold a file, named by its folders and its own
  ///   name below the folder. The database is always allowed.
  package init(
    owner: String, title: String, folder: String, required: [String],
    holds: @escaping @Sendable (_ parts: [String]) -> Bool
  ) {
    self.owner = owner
    self.title = title
    self.folder = folder
    self.required = [Self.database] + required
    self.holds = holds
  }

  /// Returns an entry's name below the folder if a backup may hold such an entry; nil otherwise.
  func name(ofEntry entry: String) -> String? {
    guard entry.hasPrefix(folder) else { return nil }
    let name = String(entry.dropFirst(folder.count))
    guard StoredName.isValid(name) else { return nil }
    return name == Self.database || holds(name.split(separator: "/").map(String.init)) ? name : nil
  }

  /// Returns the bytes of an open file; nil if it is not a regular file.
  static func fileSize(_ descriptor: Int32) -> Int? {
    FileStatus(ofDescriptor: descriptor).flatMap { $0.isFile ? $0.bytes : nil }
  }
}
