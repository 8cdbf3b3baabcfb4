import BackupArchives
import Evidence
import Foundation
import Inspection
import OfficeKeyring
import Store
import Sync
import TimeAndText

/// The result of a restore.
public struct RestoreOutcome: Sendable {
  /// The number of restored files.
  public var files: Int
  /// The size of all files together, bytes.
  public var bytes: Int
  /// The fingerprint of the restored office.
  public var fingerprint: String
  /// The differences between database and files, as `check` lists them. They existed already when
  /// the backup was made.
  public var differences: [(subject: String, message: String)]
}

/// Restores an office from its backup, into a data directory without an office.
public enum OfficeRestore {
  /// Restores an office.
  ///
  /// - Parameters:
  ///   - path: the backup's file.
  ///   - progress: called with the numbers of files and bytes so far.
  /// - Throws: `OfficeRefusal` (input-invalid) if the file is no whole backup or the directory
  ///   holds an office; `StoreError` if a file cannot be written.
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

  /// Opens the unpacked office in its temporary place, and checks all of it.
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
      configuration: configuration, clock: clock,
      database: SQLiteOfficeDatabase(store, beforeCommit: ItemJudging.judge),
      services: services)
    // A new authority may have followed while the backup was made.
    let known = office.core.keys.ring.entries.map(\.certificate.fingerprint)
    if let expected = staged.note["fingerprint"], !known.contains(expected) {
      throw staged.wrong("its keys are not those of the office that it was made of")
    }
    return await RestoreOutcome(
      files: 0, bytes: 0, fingerprint: office.fingerprint,
      differences: try office.operation.differences())
  }
}
