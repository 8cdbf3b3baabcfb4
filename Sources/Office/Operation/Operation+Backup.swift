import BackupArchives
import Evidence
import Foundation
import Inspection
import Store
import Sync
import TimeAndText

/// The result of a backup.
public struct BackupOutcome: Hashable, Sendable {
  /// The number of files in the backup.
  public var files: Int
  /// The size of all files together, bytes.
  public var bytes: Int
  /// The files that the database names and that are missing in the folder or have other bytes
  /// there. The backup holds the files as they are.
  public var differences: [String]
}

// Stored files are never removed, so that every file that the copy of the database names is in the
// folder. Records that arrive after the copy are not in the backup: their field unit sends them
// again to an office that was restored.

extension Operation {
  /// Writes the database and all files that it names into one file, while deliveries go on. The
  /// file contains the office's private keys: only its owner can read it.
  ///
  /// - Parameter path: the backup's file. It appears whole or not at all, and replaces an earlier
  ///   one.
  /// - Throws: `StoreError` if the file cannot be written; `OfficeRefusal` if the database is no
  ///   file of this machine, or is damaged.
  public func backup(
    to path: String, progress: @escaping (_ files: Int, _ bytes: Int) -> Void = { _, _ in }
  ) async throws -> BackupOutcome {
    guard let live = (database as? SQLiteOfficeDatabase)?.store else {
      throw OfficeRefusal(
        .storeUnavailable, "only a database that is a file of this machine is copied here")
    }
    return try await OfficeRefusal.ofBackup {
      let (size, differences) = try Backup.write(
        to: path, as: .office, at: clock.deviceTime,
        note: [("software", configuration.software), ("fingerprint", fingerprint)],
        copying: live.copy
      ) { writer, copyPath in
        var run = BackupRun(
          writer: writer, folder: configuration.folder.path, photos: photos, progress: progress)
        try run.addKeys()
        // Nobody can make them again: the stamps of time authorities, and the challenges that were given.
        for name in ["stamps", "witness"] { try run.addAll(in: name) }
        try run.addAll(in: CaptureChallenge.folder)
        for name in ["enrolments", "attestations"] { try run.addAll(in: name) }
        try run.addMakers()
        let copy = try OfficeStore(path: copyPath)
        do {
          try Backup.requireWhole(try copy.damages(), path: live.path)
          for agency in try copy.read({ (session: RegistrySession) in try session.agencies() }) {
            try copy.read(in: agency.name) { (session: AgencySession) in
              for device in try session.devices.devices(of: nil) { try run.add(device, session) }
              for service in services { try run.addFiles(of: service, session) }
              try run.addArchive(session)
            }
            try run.addComposites(of: agency.name)
            try run.addOrderFiles(of: agency.name)
          }
          try copy.close()
        } catch {
          try? copy.close()
          throw error
        }
        return run.differences
      }
      return BackupOutcome(files: size.files, bytes: size.bytes, differences: differences)
    }
  }
}

/// A backup that is being written.
private struct BackupRun {
  let writer: BackupWriter
  let folder: String
  let photos: any PhotoStore
  let progress: (_ files: Int, _ bytes: Int) -> Void
  var differences: [String] = []
  /// The records whose files are in the backup already: a record may have been sealed twice.
  /// Sixteen bytes each, for a million records.
  var known: Set<UUID> = []

  func addKeys() throws {
    // Nobody renews them meanwhile.
    try DurableFile.withLock(folder + "/lock") {
      for name in try FileManager.default.contentsOfDirectory(atPath: folder + "/keys").sorted()
      where !BackupLayout.unneededKeys.contains(name) && !name.hasSuffix(".new") {
        _ = try writer.add(
          file: "\(folder)/keys/\(name)", as: "\(BackupLayout.office.folder)keys/\(name)")
      }
    }
  }

  /// Adds all files of a folder that are no parts of a file being written.
  func addAll(in name: String) throws {
    let shelf = "\(folder)/\(name)"
    guard FileStatus(ofPath: shelf) != nil else { return }
    let endings = [
      ".json", "/checkpoint", ".pem", ".crl", ".tsr", ".jws", CaptureChallenge.ending,
      KeyAttestation.ending,
    ]
    for file in try FileManager.default.subpathsOfDirectory(atPath: shelf).sorted()
    where endings.contains(where: file.hasSuffix) {
      _ = try writer.add(
        file: "\(shelf)/\(file)", as: "\(BackupLayout.office.folder)\(name)/\(file)")
    }
  }

  /// Adds the certificates of TPMs' makers, under their digests: makers name their files as they like.
  func addMakers() throws {
    let shelf = "\(folder)/\(EvidenceName.makers)"
    guard FileStatus(ofPath: shelf) != nil else { return }
    let all = try FileManager.default.contentsOfDirectory(atPath: shelf).filter {
      !$0.hasPrefix(".") && FileStatus(ofPath: "\(shelf)/\($0)")?.isFile == true
    }.map { try DurableFile.read("\(shelf)/\($0)") }
    for bytes in Set(all) {
      let name = "\(EvidenceName.makers)/\(Digest.hexadecimal(bytes)).pem"
      try writer.add(bytes, as: BackupLayout.office.folder + name)
    }
  }

  /// Adds everything that one device has delivered.
  mutating func add(_ device: EnrolledDevice, _ session: any AgencyTransaction) throws {
    // Files that follow from the database can be written again if they are missing: that is no
    // difference.
    var derived = [
      EvidenceName.certificate(ofKey: device.key), EvidenceName.links(ofKey: device.key),
    ]
    if device.revoked != nil { derived.append(EvidenceName.revocation(ofKey: device.key)) }
    for name in derived { _ = try add(name) }
    var run = self
    try session.deliveries.forEachReceipt(ofKey: device.key) { batch, jws in
      _ = try run.add(EvidenceName.links(ofBatch: batch, key: device.key))
      _ = try run.add(EvidenceName.receipt(try Receipt(jws: jws).id))
    }
    try session.deliveries.forEachHolding(ofKey: device.key) { kind, id, parts, isDeleted in
      guard let uuid = UUID(uuidString: id.description), run.known.insert(uuid).inserted else {
        return
      }
      try run.require(EvidenceName.seal(kind, id), digest: nil)
      guard !isDeleted else { return }
      for named in parts {
        try run.require(EvidenceName.part(named.part, kind, id), digest: named.digest)
      }
    }
    self = run
  }

  /// Adds everything that an added service has taken, without device and seal.
  mutating func addFiles(of service: any AddedService, _ session: any AgencyTransaction)
    throws
  {
    var run = self
    try service.forEachFile(in: session) { name, digest in
      try run.require(name, digest: digest)
    }
    self = run
  }

  /// Adds an agency's composites. One that is removed meanwhile is no difference.
  func addComposites(of agency: String) throws {
    let shelf = EvidenceName.composites(of: agency)
    for name in try CompositeShelf(folder: "\(folder)/\(shelf)").fileNames() {
      _ = try writer.add(
        file: "\(folder)/\(shelf)/\(name)", as: "\(BackupLayout.office.folder)\(shelf)/\(name)")
    }
  }

  /// Adds the files that an agency's orders carry, each of which has its digest as name.
  mutating func addOrderFiles(of agency: String) throws {
    let shelf = EvidenceName.orderFiles(of: agency)
    guard FileManager.default.fileExists(atPath: "\(folder)/\(shelf)") else { return }
    for name in try FileManager.default.contentsOfDirectory(atPath: "\(folder)/\(shelf)").sorted()
    where AttachedFile.isDigest(name) { try require("\(shelf)/\(name)", digest: name) }
  }

  /// Adds the archive pictures on which photo points rest.
  mutating func addArchive(_ session: any AgencyTransaction) throws {
    var run = self
    try session.points.forEachArchivePicture { name, digest in
      try run.require(name, digest: digest)
    }
    self = run
  }

  /// Adds a file that the database names, and notes a difference if it is missing or has another
  /// digest. A nil digest is not compared.
  private mutating func require(_ name: String, digest: String?) throws {
    guard let found = try add(name) else {
      differences.append("\(name): it is missing")
      return
    }
    if let digest, found != digest {
      differences.append("\(name): its bytes are not those that were sealed")
    }
  }

  private mutating func add(_ name: String) throws -> String? {
    guard let path = photos.path(of: name) else {
      throw OfficeRefusal(.storeUnavailable, "\(name) is no file of this machine")
    }
    let digest = try writer.add(file: path, as: BackupLayout.office.folder + name)
    progress(writer.files, writer.bytes)
    return digest
  }
}
