import Evidence
import Foundation
import Inspection
import Positioning
import Store

/// Brings a field unit back from its backup, into a data directory that has none.
public enum FieldRestore {
  /// What came of it.
  public struct Outcome: Hashable, Sendable {
    /// How many files came back.
    public var files: Int
    /// How many bytes they have together.
    public var bytes: Int
    /// When the backup was made, as its note says.
    public var made: String?
    /// What database and files say differently: they did already when the backup was made.
    public var differences: [String]
  }

  /// Restores. Everybody who has worked on it compares with their office at the next delivery: only the
  /// office can say whether the backup is older than what was delivered since.
  ///
  /// - Parameter freeBytes: tells how much room the disk of a folder has, nil where nobody can tell; without it the
  ///   system is asked.
  /// - Throws: `StoreError.unwritable` where there is no room, before anything is written;
  ///   `StoreError.unusableBackup` where the file is no whole backup or the directory holds a field
  ///   unit; `StoreError` where something cannot be written. Nothing is left then.
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
