import Evidence
import Foundation
import Inspection
import Store
import TimeAndText

// A capture is three files and two rows, and must be there whole or not at all, whatever happens in
// between. Files cannot be part of a database's transaction; writing the rows first promises files
// that may never come, writing the files first leaves files without rows. So the files are made
// durable in a staging folder, the transaction's commit decides, and only then the files are moved
// into place. The next program that takes the lock finishes the moves of committed files, and
// clears away the others. The verifier knows the staging folder, so that it sees the same without a
// database.

/// Puts sealed records into the chain, together with their files.
package struct Sealer {
  let folder: DataFolder
  let store: FieldStore

  /// A record and the files that are sealed with it.
  package struct Sealing {
    var shelf: DataFolder.Shelf
    var kind: RecordKind
    var id: Identifier
    var record: JSONValue
    /// The stored file; nil for records without one.
    var file: [UInt8]?
    /// The raw window's file; nil for records without one.
    var raw: [UInt8]?
    /// The further files that the record names.
    package var parts: [(part: SealedPart, content: Content)] = []

    /// Creates a record with its file and its raw window.
    package init(
      shelf: DataFolder.Shelf, kind: RecordKind, id: Identifier, record: JSONValue,
      file: [UInt8]? = nil, raw: [UInt8]? = nil
    ) {
      (self.shelf, self.kind, self.id) = (shelf, kind, id)
      (self.record, self.file, self.raw) = (record, file, raw)
    }

    /// The content of a further file.
    package enum Content {
      /// The bytes.
      case bytes([UInt8])
      /// A file that is durable already, at a path outside of the staging folder. It stays there.
      case stored(String)
    }
  }

  /// Seals the record that `compose` makes, and commits it together with all changes of `compose`
  /// and `after`. If either throws, nothing has happened.
  @discardableResult
  package func seal<Result>(
    as person: Person, with key: any DeviceKey,
    _ compose: (FieldSession) throws -> (Sealing, Result),
    after: (FieldSession, Result) throws -> Void = { _, _ in }
  ) throws -> Result {
    try DurableFile.withLock(folder.lock) {
      try recoverLocked(as: person)
      var staged: [(from: String, to: String)] = []
      var target = ""
      let result: Result
      do {
        result = try store.write(as: person) { session in
          let (sealing, result) = try compose(session)
          let sealFile = try self.sealFile(sealing, with: key, session)
          target = folder.folder(sealing.shelf, sealing.id)
          staged = try stage(sealing, sealFile)
          try session.chain.append(sealFile)
          try after(session, result)
          return result
        }
      } catch {
        for (from, _) in staged { try? DurableFile.remove(from) }
        throw error
      }
      try DurableFile.makeFolder(target)
      // The moves need no wait for the disk: after a power cut each file has its old name, which is
      // durable, or its new one, and the next program moves what is still staged.
      for (from, to) in staged { try DurableFile.rename(from, to: to) }
      return result
    }
  }

  private func sealFile(
    _ sealing: Sealing, with key: any DeviceKey, _ session: FieldSession
  ) throws -> SealFile {
    let place = try session.device.nextPlace(inChainOf: key.publicKey.thumbprint)
    let link = Link(
      key: key.publicKey.thumbprint, sequence: place.sequence, previous: place.previous,
      kind: sealing.kind, id: sealing.id,
      record: Digest.hexadecimal(sealing.record.canonicalBytes),
      file: sealing.file.map { Digest.hexadecimal($0) },
      raw: sealing.raw.map { Digest.hexadecimal($0) })
    return SealFile(record: sealing.record, seal: try Seal(link, with: key))
  }

  /// Writes the files durably into the staging folder. The seal gets its name last: where it is,
  /// the files are whole.
  private func stage(
    _ sealing: Sealing, _ sealFile: SealFile
  ) throws -> [(from: String, to: String)] {
    let name = folder.file(sealing.shelf, sealing.id)
    var files: [(content: Sealing.Content, to: String)] = sealing.parts.map {
      ($0.content, folder.part($0.part, of: sealing.id, sealing.kind))
    }
    if let raw = sealing.raw { files.append((.bytes(raw), folder.raw(sealing.id))) }
    if let file = sealing.file { files.append((.bytes(file), name)) }
    func staging(_ path: String) -> String {
      folder.staging + "/" + (path as NSString).lastPathComponent
    }
    let seal = (from: staging(name + ".seal"), to: name + ".seal")
    let unnamed = seal.from + ".new"
    let staged = files.map { (from: staging($0.to), to: $0.to) } + [seal]
    do {
      var written: [(bytes: [UInt8], path: String)] = []
      for ((content, _), (from, _)) in zip(files, staged) {
        switch content {
        case .bytes(let bytes): written.append((bytes, from))
        case .stored(let path): try DurableFile.link(path, as: from)
        }
      }
      try DurableFile.write(written + [(sealFile.bytes, unnamed)])
      try DurableFile.rename(unnamed, to: seal.from)
      try DurableFile.syncFolder(folder.staging)
    } catch {
      // After a failure, for example on a full disk, the files are removed, also the one that was
      // cut off.
      for (from, _) in staged { try? DurableFile.remove(from) }
      try? DurableFile.remove(unnamed)
      throw error
    }
    return staged
  }

  /// Finishes the moves of committed files, and clears away the others, after a crash.
  func recover(as person: Person) throws {
    try DurableFile.withLock(folder.lock) { try recoverLocked(as: person) }
  }

  private func recoverLocked(as person: Person) throws {
    let names =
      (try? FileManager.default.contentsOfDirectory(atPath: folder.staging)) ?? []
    guard !names.isEmpty else { return }
    try store.read(as: person) { session in
      // The seal is moved last: as long as it is staged, files of its record may be staged, too.
      for name in names.sorted(by: { !$0.hasSuffix(".seal") && $1.hasSuffix(".seal") }) {
        let path = folder.staging + "/" + name
        guard let id = Identifier(String(name.prefix(36))),
          let kind = try session.device.kind(ofSealed: id)
        else {
          try DurableFile.remove(path)
          continue
        }
        let shelf = DataFolder.Shelf(kind)
        try DurableFile.makeFolder(folder.folder(shelf, id))
        try DurableFile.rename(path, to: folder.folder(shelf, id) + "/" + name)
        try DurableFile.syncFolder(folder.folder(shelf, id))
      }
    }
  }
}
