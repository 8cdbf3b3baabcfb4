import Evidence
import Foundation
import Inspection
import Positioning
import Store
import Sync

/// What came of a restore.
public struct RestoreOutcome: Sendable {
  /// How many files came back.
  public var files: Int
  /// How many bytes they have together.
  public var bytes: Int
  /// The fingerprint of the office that is there now.
  public var fingerprint: String
  /// What database and files say differently, as `check` tells it: they did already when the backup was
  /// made.
  public var differences: [(subject: String, message: String)]
}

/// Brings an office back from its backup, into a data directory that has none.
public enum OfficeRestore {
  /// Restores.
  ///
  /// - Throws: `OfficeRefusal` (input-invalid) where the file is no whole backup or the directory holds an
  ///   office; `StoreError` where something cannot be written.
  package static func run(
    _ path: String, configuration: OfficeConfiguration, clock: any Timepiece,
    services: [any AddedService] = [],
    progress: @escaping (_ files: Int, _ bytes: Int) -> Void = { _, _ in }
  ) async throws -> RestoreOutcome {
    let data = configuration.dataDirectory.path
    return try await OfficeRefusal.ofBackup {
      var (size, outcome) = try await BackupRestore.run(
        path, as: .office, into: data,
        freeBytes: { (configuration.freeSpace ?? FolderFreeSpace(path: data)).freeBytes },
        progress: progress
      ) { try await open($0, configuration, clock, services) }
      (outcome.files, outcome.bytes) = (size.files, size.bytes)
      return outcome
    }
  }

  /// Opens it where it lies as the office that it will be, and looks at all of it.
  private static func open(
    _ staged: BackupRestore.Staged, _ configuration: OfficeConfiguration,
    _ clock: any Timepiece, _ services: [any AddedService]
  ) async throws -> RestoreOutcome {
    var configuration = configuration
    configuration.dataDirectory = URL(fileURLWithPath: staged.directory)
    let store: OfficeStore
    let damages: [String]
    do {
      store = try OfficeStore(path: "\(staged.directory)/office/\(BackupLayout.database)")
      damages = try store.damages()
    } catch StoreError.unavailable(_, let reason) {
      throw staged.wrong("its database: \(reason)")
    }
    defer { try? store.close() }
    guard damages.isEmpty else { throw staged.wrong("its database: \(damages[0])") }
    let office = try await OfficeServer.make(
      configuration: configuration, clock: clock, database: SQLiteOfficeDatabase(store),
      services: services)
    if let expected = staged.note["fingerprint"], expected != office.fingerprint {
      throw staged.wrong("its keys are not those of the office that it was made of")
    }
    return await RestoreOutcome(
      files: 0, bytes: 0, fingerprint: office.fingerprint,
      differences: try office.differences())
  }
}
