import Evidence
import Foundation
import Inspection
import Store
import TimeAndText

/// The writing of one side's backup, into one file.
///
/// The database is copied first, then the files that the copy names. A file is always there before
/// its row, so that every file that the copy names is in the folder, however much arrives
/// meanwhile.
package enum Backup {
  /// The number of files in a backup, and their bytes together.
  package typealias Size = (files: Int, bytes: Int)

  /// Writes a backup. The file is there whole or not at all. It replaces an earlier one only after
  /// it was read back from its beginning to its end. Only its owner can read it.
  ///
  /// - Parameters:
  ///   - note: the values in the backup's note, in addition to the time.
  ///   - copying: copies the database to a path.
  ///   - adding: adds everything but the database, as the database's copy names it.
  /// - Throws: `StoreError`; any error of `copying` and `adding`.
  package static func write<Value>(
    to path: String, as layout: BackupLayout, at time: DeviceTime,
    note: [(name: String, value: String)], copying: (_ copy: String) throws -> Void,
    adding: (_ writer: BackupWriter, _ copy: String) throws -> Value
  ) throws -> (size: Size, value: Value) {
    let copy = path + ".sqlite.part"
    func removeCopy() {
      for end in ["", "-wal", "-shm", "-journal"] { try? DurableFile.remove(copy + end) }
    }
    // Two backups into one file would replace half of one by the other.
    guard let lock = try FileLock(path + ".lock") else {
      throw StoreError.unusableBackup(
        "another backup into \(path) is running: wait for it, or give another name")
    }
    defer {
      try? DurableFile.remove(path + ".lock")
      lock.release()
    }
    // The copy of an earlier attempt that was killed.
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
      try writer.finish(listAs: BackupLayout.list) { part in
        try requireReadable(part, as: layout, path: path)
      }
      return ((writer.files, writer.bytes), value)
    } catch {
      writer.abandon()
      throw error
    }
  }

  /// Refuses a damaged database: its backup could not be restored, and would replace an earlier, good one.
  package static func requireWhole(_ damages: [String], path: String) throws {
    guard let damage = damages.first else { return }
    throw StoreError.unavailable(
      path: path,
      reason:
        "the database is damaged (\(damage)): nothing was backed up, and an earlier backup is"
        + " as it was; restore that one")
  }

  /// Reads a backup as a restore would, before it replaces an earlier one: checks names, digests,
  /// the list, and that no required file is missing.
  /// - Parameter path: the name that the backup will have, for the words of an error.
  static func requireReadable(_ part: String, as layout: BackupLayout, path: String) throws {
    do {
      let reader = try BackupReader(path: part, of: layout.owner)
      var names: Set<String> = []
      var list = RunningDigest()
      while let header = try reader.next() {
        if header.name == BackupLayout.list {
          guard try reader.contents(of: header, { _ in }) == list.hexadecimal() else {
            throw reader.wrong("its list does not agree with its files")
          }
          guard try reader.next() == nil else {
            throw reader.wrong("there is something after its list")
          }
          for name in layout.required where !names.contains(layout.folder + name) {
            throw reader.wrong("it lacks \(name)")
          }
          return
        }
        guard header.name == BackupLayout.note || layout.name(ofEntry: header.name) != nil else {
          throw reader.wrong("\(header.name) is nothing that belongs to \(layout.owner)")
        }
        guard names.insert(header.name).inserted else {
          throw reader.wrong("it holds \(header.name) twice")
        }
        let digest = try reader.contents(of: header) { _ in }
        list.update(Array("\(digest)  \(header.name)\n".utf8))
      }
      throw reader.wrong("its list is missing")
    } catch {
      throw StoreError.unwritable(
        path: path,
        reason:
          "it was written and cannot be read back (\(error)): it was not kept, and an earlier backup is"
          + " as it was")
    }
  }
}
