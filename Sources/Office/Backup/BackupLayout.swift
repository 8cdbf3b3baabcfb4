import Evidence
import Foundation
import Inspection
import Store

/// What is where in a backup: a note first, then the office's files under `office/`, then the list of
/// them all with their digests, as `sha256sum -c` reads it.
enum BackupLayout {
  static let note = "BACKUP"
  static let list = "MANIFEST"
  static let folder = "office/"
  static let database = "standpoint.sqlite"
  /// The first line of the note; another one is another form.
  static let title = "standpoint office backup 1"
  /// Without these there is no office.
  static let keys = [
    "authority.crt", "authority.key", "receipts.crt", "receipts.key", "forms.secret",
  ]
  /// Made anew where it is missing, and nobody else's business.
  static let unneededKeys: Set = ["metrics.token"]

  private static let kinds: Set = [
    "photos", "tracks", "records", "links", "certificates", "revocations", "receipts",
  ]

  /// How many bytes an open file has; nil for what is no file.
  static func fileSize(_ descriptor: Int32) -> Int? {
    FileStatus(ofDescriptor: descriptor).flatMap { $0.isFile ? $0.bytes : nil }
  }

  /// The name below the office's folder, for those that a backup may hold; nil for all others.
  static func officeName(ofEntry entry: String) -> String? {
    guard entry.hasPrefix(folder) else { return nil }
    let name = String(entry.dropFirst(folder.count))
    guard PhotoStoreName.isValid(name) else { return nil }
    if name == database { return name }
    let parts = name.split(separator: "/").map(String.init)
    switch parts.count {
    case 2 where parts[0] == "keys": return name
    case 2, 3: return kinds.contains(parts[0]) ? name : nil
    default: return nil
    }
  }
}
