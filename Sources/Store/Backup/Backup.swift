import Foundation
import Inspection
import Positioning

/// A backup of one side, into one file.
///
/// The database is copied first, then the files that its copy names: files are there before their rows,
/// so that whatever the copy names is in the folder, however much arrives meanwhile.
package enum Backup {
  /// How many files it holds, and how many bytes they have together.
  package typealias Size = (files: Int, bytes: Int)

  /// Writes one. It is there whole or not at all, and takes the place of one that was there before; only
  /// its owner can read it.
  ///
  /// - Parameters:
  ///   - note: what the note says of it, beside the time.
  ///   - copying: copies the database to a path.
  ///   - adding: adds everything but the database, by the copy.
  /// - Throws: `StoreError`; what the two throw.
  package static func write<Value>(
    to path: String, as layout: BackupLayout, at time: DeviceTime,
    note: [(name: String, value: String)], copying: (_ copy: String) throws -> Void,
    adding: (_ writer: BackupWriter, _ copy: String) throws -> Value
  ) throws -> (size: Size, value: Value) {
    let copy = path + ".sqlite.part"
    func removeCopy() {
      for end in ["", "-wal", "-shm", "-journal"] { try? DurableFile.remove(copy + end) }
    }
    // Two into one file would put half of one in the place of the other.
    guard let lock = try FileLock(path + ".lock") else {
      throw StoreError.unusableBackup(
        "another backup into \(path) is running: wait for it, or give another name")
    }
    defer {
      try? DurableFile.remove(path + ".lock")
      lock.release()
    }
    // What an earlier try has left that was killed.
    removeCopy()
    defer { removeCopy() }
    try copying(copy)
    let writer = try BackupWriter(path: path, time: Int(max(0, time.millisecondsSince1970 / 1000)))
    do {
      let lines = [layout.title, "made \(time.rfc3339)"] + note.map { "\($0.name) \($0.value)" }
      try writer.add(
        Array((lines.joined(separator: "\n") + "\n").utf8), as: BackupLayout.note)
      let value = try adding(writer, copy)
      guard try writer.add(file: copy, as: layout.folder + BackupLayout.database) != nil else {
        throw StoreError.unavailable(path: copy, reason: "it has vanished")
      }
      try writer.finish(listAs: BackupLayout.list)
      return ((writer.files, writer.bytes), value)
    } catch {
      writer.abandon()
      throw error
    }
  }

  /// Nobody could restore a damaged database, and it would take the place of an earlier one that is good.
  package static func requireWhole(_ damages: [String], path: String) throws {
    guard let damage = damages.first else { return }
    throw StoreError.unavailable(
      path: path,
      reason:
        "the database is damaged (\(damage)): nothing was backed up, and an earlier backup is"
        + " as it was; restore that one")
  }
}
