import Foundation

/// What is where in a backup of one side: a note first, then its files below their folder, then the list
/// of them all with their digests, as `sha256sum -c` reads it.
package struct BackupLayout: Sendable {
  /// The name of the note.
  package static let note = "BACKUP"
  /// The name of the list.
  package static let list = "MANIFEST"
  /// The database's name below the folder.
  package static let database = "standpoint.sqlite"

  /// Whose it is, in words: `an office`.
  package let owner: String
  /// The first line of the note; another one is another form.
  package let title: String
  /// The side's folder below the data directory, with a slash behind it.
  package let folder: String
  /// Names below the folder without which there is nothing to restore.
  package let required: [String]
  private let holds: @Sendable (_ parts: [String]) -> Bool

  /// A layout from its parts.
  /// - Parameter holds: whether a backup may hold a file of this name below the folder, by its folders;
  ///   the database it always may.
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

  /// The name below the folder, for those that a backup may hold; nil for all others.
  func name(ofEntry entry: String) -> String? {
    guard entry.hasPrefix(folder) else { return nil }
    let name = String(entry.dropFirst(folder.count))
    guard StoredName.isValid(name) else { return nil }
    return name == Self.database || holds(name.split(separator: "/").map(String.init)) ? name : nil
  }

  /// How many bytes an open file has; nil for what is no file.
  static func fileSize(_ descriptor: Int32) -> Int? {
    FileStatus(ofDescriptor: descriptor).flatMap { $0.isFile ? $0.bytes : nil }
  }
}
