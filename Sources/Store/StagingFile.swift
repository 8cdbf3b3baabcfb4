import Foundation
import GRDB

/// A database for a while, in which rows lie until they are taken into the office's. It is not synced, and it is
/// nobody's business afterwards: what a killed program leaves of it is cleared away when the office's is opened next.
struct StagingFile {
  /// What lies in it.
  enum Kind: String, CaseIterable {
    /// Parcels that are to be taken at once.
    case parcels
    /// Rows of a dump, in the order in which they are needed.
    case dump
  }

  /// Where it lies.
  let path: String
  private let lock: FileLock

  /// The folder that such files have beside a database.
  static func folder(beside database: String) -> String {
    URL(fileURLWithPath: database).deletingLastPathComponent().path + "/staging"
  }

  /// An empty one.
  /// - Throws: `StoreError`.
  init(folder: String, kind: Kind) throws {
    try DurableFile.makeFolder(folder)
    let path = folder + "/\(kind.rawValue)-\(UUID().uuidString).sqlite"
    // Whoever sweeps takes what nobody holds: file and lock appear together.
    let lock = try DurableFile.withLock(folder: folder) {
      let lock = try FileLock(path + ".lock")
      try DurableFile.write([], to: path, isSynced: false)
      return lock
    }
    guard let lock else { throw StoreError.unwritable(path: path, reason: "somebody holds it") }
    (self.path, self.lock) = (path, lock)
  }

  /// Opens it, with its tables. Where that fails it is gone.
  func open(schema: String) throws -> DatabaseQueue {
    do {
      var configuration = Configuration()
      configuration.prepareDatabase { database in
        // What a crash leaves of it is thrown away as a whole.
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

  /// What a write into it has failed with.
  func unwritable(_ error: DatabaseError) -> StoreError {
    .unwritable(
      path: path,
      reason: error.resultCode == .SQLITE_FULL ? "the disk is full" : error.message ?? "\(error)")
  }

  /// Takes the file away. Once, and last.
  func remove() {
    for end in ["", "-journal", ".lock"] { try? DurableFile.remove(path + end) }
    lock.release()
  }

  /// Clears away what programs that are no more have left in a folder.
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
