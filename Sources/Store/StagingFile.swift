import Foundation
import GRDB

/// A temporary database of rows that are about to be taken over into the office's. It is not
/// synced, since it is of no use later: the file of a killed program is removed when the office's
/// database is opened next.
struct StagingFile {
  /// The kinds of rows in a staging file.
  enum Kind: String, CaseIterable {
    /// Parcels that are taken over all at once.
    case parcels
    /// Rows of a dump, which are read in the order in which they are needed.
    case dump
  }

  /// The path of the file.
  let path: String
  private let lock: FileLock

  /// Returns the path of the folder for staging files, next to a database.
  static func folder(beside database: String) -> String {
    URL(fileURLWithPath: database).deletingLastPathComponent().path + "/staging"
  }

  /// Creates an empty file and locks it.
  /// - Throws: `StoreError`.
  init(folder: String, kind: Kind) throws {
    try DurableFile.makeFolder(folder)
    let path = folder + "/\(kind.rawValue)-\(UUID().uuidString).sqlite"
    // `sweep` removes every file without a lock: file and lock must appear together.
    let lock = try DurableFile.withLock(folder: folder) {
      let lock = try FileLock(path + ".lock")
      try DurableFile.write([], to: path, isSynced: false)
      return lock
    }
    guard let lock else { throw StoreError.unwritable(path: path, reason: "somebody holds it") }
    (self.path, self.lock) = (path, lock)
  }

  /// Opens the file and creates its tables. If that fails, the file is removed.
  func open(schema: String) throws -> DatabaseQueue {
    do {
      var configuration = Configuration()
      configuration.prepareDatabase { database in
        // No journal is needed: after a crash the file is thrown away as a whole.
        try database.execute(sql: "PRAGMA journal_mode = OFF")
        try database.execute(sql: "PRAGMA synchronous = OFF")
      }
      let queue = try DatabaseQueue(path: path, configuration: configuration)
      try queue.write { try $0.execute(sql: schema) }
      return queue
    } catch {
      remove()
      throw StoreError.unwritable(path: path, reason: "\(error)")
    }
  }

  /// Returns the error for a failed write into the file.
  func unwritable(_ error: DatabaseError) -> StoreError {
    .unwritable(
      path: path,
      reason: error.resultCode == .SQLITE_FULL ? "the disk is full" : error.message ?? "\(error)")
  }

  /// Removes the file and its lock. Call it once, and last.
  func remove() {
    for end in ["", "-journal", ".lock"] { try? DurableFile.remove(path + end) }
    lock.release()
  }

  /// Removes the files that programs no longer running have left in a folder.
  static func sweep(_ folder: String) throws {
    guard FileManager.default.fileExists(atPath: folder) else { return }
    try DurableFile.withLock(folder: folder) {
      let names = try FileManager.default.contentsOfDirectory(atPath: folder)
      for name in names
      where name.hasSuffix(".sqlite")
        && Kind.allCases.contains(where: { name.hasPrefix($0.rawValue + "-") })
      {
        let path = folder + "/" + name
        guard let lock = try FileLock(path + ".lock") else { continue }
        for end in ["", "-journal", ".lock"] { try DurableFile.remove(path + end) }
        lock.release()
      }
    }
  }
}
