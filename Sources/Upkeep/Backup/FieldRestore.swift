import BackupArchives
import Evidence
import FieldUnit
import Foundation
import Inspection
import KeyTokens
import Positioning
import Store
import TimeAndText

/// Restores a field unit from its backup, into a data directory that has none.
public enum FieldRestore {
  /// The result of a restore.
  public struct Outcome: Hashable, Sendable {
    /// The number of files that were restored.
    public var files: Int
    /// The size of all these files together, bytes.
    public var bytes: Int
    /// The time at which the backup was made, as its note says; nil if it does not.
    public var made: String?
    /// The differences between database and files, in words: they existed already when the backup
    /// was made.
    public var differences: [String]
  }

  /// Restores a field unit. Each person who has worked with it compares with the office at the next
  /// delivery, because only the office can say whether something was delivered after the backup.
  ///
  /// - Parameter freeBytes: returns the free bytes on the disk of a folder, nil if they are
  ///   unknown; a nil closure asks the system.
  /// - Throws: `StoreError.unwritable` if there is too little room, before anything is written;
  ///   `StoreError.unusableBackup` if the file is no whole backup or the directory holds a field
  ///   unit; `StoreError` if something cannot be written. Nothing is left then.
  public static func run(
    _ path: String, into dataDirectory: URL,
    freeBytes: ((_ path: String) -> Int?)? = nil,
    progress: @escaping (_ files: Int, _ bytes: Int) -> Void = { _, _ in }
  ) async throws -> Outcome {
    let free = freeBytes ?? PhotoRoom.freeBytes(at:)
    let (size, found) = try await BackupRestore.run(
      path, as: .field, into: dataDirectory.path, freeBytes: { free(dataDirectory.path) },
      progress: progress, check: check)
    return Outcome(
      files: size.files, bytes: size.bytes, made: found.made, differences: found.differences)
  }

  private static func check(
    _ staged: BackupRestore.Staged
  ) throws -> (made: String?, differences: [String]) {
    let folder = DataFolder(dataDirectory: URL(fileURLWithPath: staged.directory))
    let store: FieldStore
    do {
      store = try FieldStore(path: folder.database)
      if let damage = try store.damages().first { throw staged.wrong("its database: \(damage)") }
    } catch StoreError.unavailable(_, let reason) {
      throw staged.wrong("its database: \(reason)")
    }
    defer { try? store.close() }
    for thumbprint in try store.sealingKeys() {
      guard let key = try? KeyFolder(path: folder.keys).key(thumbprint),
        key.publicKey.thumbprint == thumbprint
      else { throw staged.wrong("it lacks the key \(thumbprint) that its records are sealed with") }
    }
    var differences: [String] = []
    try store.forEachSealed { thing in
      for file in SealedFile.all(of: thing, in: folder) {
        let name = file.path.dropFirst(folder.root.count + 1)
        guard FileManager.default.fileExists(atPath: file.path) else {
          differences.append("\(name): it is missing")
          continue
        }
        if let digest = file.digest, Digest.hexadecimal(file: file.path) != digest {
          differences.append("\(name): its bytes are not those that were sealed")
        }
      }
    }
    try store.askForComparisons()
    return (staged.note["made"], differences)
  }
}
