import BackupArchives
import Evidence
import FieldUnit
import Foundation
import Inspection
import KeyTokens
import Positioning
import Store
import TimeAndText

/// A backup of this device before a repair: database, keys, certificates, receipts, the selected
/// office and everything sealed, of all persons who have worked with it. `DataFolder.leftOut` lists
/// what a backup leaves out, and why.
///
/// The backup is made while the field unit runs. Sealing waits while the database is copied, so
/// that every file that the copy names is in its place or still in the staging folder; records that
/// are sealed afterwards are not in it.
public enum FieldBackup {
  /// The result of a backup.
  public struct Outcome: Hashable, Sendable {
    /// The number of files in the backup.
    public var files: Int
    /// The size of all these files together, bytes.
    public var bytes: Int
    /// The files that the database names and that are missing or have other bytes, in words: the
    /// backup holds those that there are.
    public var differences: [String]
  }

  /// Writes everything lasting below `field/` into one file, including the private keys: the holder
  /// of the file can act as this device. Only its owner can read it.
  ///
  /// - Parameters:
  ///   - path: the file; it is there whole or not at all, and takes the place of an earlier one.
  ///   - software: name and version of the program, for the note in the backup.
  /// - Throws: `FieldUnitError.unreadable` if there is no field unit, or if a key is missing that
  ///   records are sealed with; `StoreError`. An earlier backup then stays as it was.
  public static func write(
    _ dataDirectory: URL, to path: String, software: String, clock: any Timepiece,
    progress: @escaping (_ files: Int, _ bytes: Int) -> Void = { _, _ in }
  ) throws -> Outcome {
    let folder = DataFolder(dataDirectory: dataDirectory)
    guard FileManager.default.fileExists(atPath: folder.database) else {
      throw FieldUnitError.unreadable(
        path: folder.database, reason: "there is no field unit in this data directory")
    }
    let live = try FieldStore(path: folder.database)
    defer { try? live.close() }
    let (size, differences) = try Backup.write(
      to: path, as: .field, at: clock.deviceTime, note: [("software", software)],
      copying: { copy in try DurableFile.withLock(folder.lock) { try live.copy(to: copy) } }
    ) { writer, copyPath in
      let copy = try FieldStore(path: copyPath)
      defer { try? copy.close() }
      try Backup.requireWhole(try copy.damages(), path: live.path)
      var run = FieldBackupRun(folder: folder, writer: writer, progress: progress)
      try run.addShelves()
      try run.requireKeys(try copy.sealingKeys())
      try copy.forEachSealed { try run.add($0) }
      return try run.differences(now: live)
    }
    return Outcome(files: size.files, bytes: size.bytes, differences: differences)
  }
}

/// One backup that is being written.
private struct FieldBackupRun {
  let folder: DataFolder
  let writer: BackupWriter
  let progress: (_ files: Int, _ bytes: Int) -> Void
  private var missing: [(id: Identifier, name: String)] = []
  private var damaged: [String] = []
  /// The SHA-256 of the keys' files as they were added, by name.
  private var keys: [String: String] = [:]

  init(
    folder: DataFolder, writer: BackupWriter,
    progress: @escaping (_ files: Int, _ bytes: Int) -> Void
  ) {
    (self.folder, self.writer, self.progress) = (folder, writer, progress)
  }

  /// Adds keys, certificates and receipts, except files that are being written just now (`.new`):
  /// nothing was sealed with such keys when the database was copied. Also adds the single files.
  mutating func addShelves() throws {
    for name in DataFolder.backedUpFiles.sorted() {
      _ = try writer.add(file: "\(folder.root)/\(name)", as: "field/\(name)")
    }
    for shelf in DataFolder.backedUpFolders.sorted() {
      let path = "\(folder.root)/\(shelf)"
      guard FileManager.default.fileExists(atPath: path) else { continue }
      for name in try FileManager.default.contentsOfDirectory(atPath: path).sorted()
      where !name.hasSuffix(".new") && StoredName.isValid(name) {
        let digest = try writer.add(file: "\(path)/\(name)", as: "field/\(shelf)/\(name)")
        if shelf == "keys" { keys[name] = digest }
      }
    }
  }

  /// Requires that each key that records are sealed with was added, can be read, and has the
  /// thumbprint of its name: a restore refuses anything else, and by then the earlier backup would
  /// be gone.
  func requireKeys(_ thumbprints: [String]) throws {
    let folder = KeyFolder(path: folder.keys)
    for thumbprint in thumbprints where try !folder.holdsTokenKey(thumbprint, keys) {
      let path = folder.file(thumbprint)
      let bytes = try? DurableFile.read(path)
      let pem = bytes.flatMap { String(validating: $0, as: UTF8.self) }
      guard let bytes, keys["\(thumbprint).pem"] == Digest.hexadecimal(bytes), let pem,
        let key = try? SoftwareDeviceKey(pem: pem), key.publicKey.thumbprint == thumbprint
      else {
        throw FieldUnitError.unreadable(
          path: path,
          reason:
            "the key that seals records is missing or damaged; nothing was backed up, and an earlier backup is unchanged"
        )
      }
    }
  }

  /// Adds the files of one sealed record.
  mutating func add(_ thing: SealedThing) throws {
    for file in SealedFile.all(of: thing, in: folder) { try add(file, thing.id) }
    progress(writer.files, writer.bytes)
  }

  private mutating func add(_ file: SealedFile, _ id: Identifier) throws {
    let name = String(file.path.dropFirst(folder.root.count + 1))
    // A crash between the commit and the move leaves the file in the staging folder until the next
    // sealing.
    let staged = folder.staging + "/" + (file.path as NSString).lastPathComponent
    guard
      let found = try writer.add(file: file.path, as: "field/" + name)
        ?? writer.add(file: staged, as: "field/" + name)
    else {
      missing.append((id, name))
      return
    }
    if let digest = file.digest, found != digest {
      damaged.append("\(name): its bytes are not those that were sealed")
    }
  }

  /// Returns the files that the copy names and that were missing or damaged, in words.
  func differences(now live: FieldStore) throws -> [String] {
    guard !missing.isEmpty else { return damaged }
    var gone: Set<Identifier> = []
    try live.forEachSealed { if $0.isGone { gone.insert($0.id) } }
    return damaged
      + missing.map { id, name in
        gone.contains(id)
          ? "\(name): it was deleted while the backup was made; make another one"
          : "\(name): it is missing"
      }
  }
}

/// A file of a sealed record on this device.
package struct SealedFile {
  /// The path where the file belongs.
  package let path: String
  /// The SHA-256 of the file as it was sealed; nil for the seal, which holds its own proof.
  package let digest: String?

  /// Returns the files that should exist: the seal, and the sealed files unless their bytes were
  /// removed.
  package static func all(of thing: SealedThing, in folder: DataFolder) -> [SealedFile] {
    let path = folder.part(.file, of: thing.id, thing.kind)
    let seal = SealedFile(path: path + ".seal", digest: nil)
    guard !thing.isGone else { return [seal] }
    return [seal]
      + thing.parts.map {
        SealedFile(path: folder.part($0.part, of: thing.id, thing.kind), digest: $0.digest)
      }
  }
}
