import Evidence
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

  /// Writes one. It is there whole or not at all, and takes the place of one that was there before, after
  /// it was read back from its beginning to its end; only its owner can read it.
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
      try writer.finish(listAs: BackupLayout.list) { part in
        try requireReadable(part, as: layout, path: path)
      }
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

  /// Reads a backup as a restore would, before it takes the place of an earlier one: names, digests, the
  /// list, and that nothing is missing without which it is of no use.
  /// - Parameter path: the name that it is to have, for the words.
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
            throw reader.wrong("something stands behind its list")
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
