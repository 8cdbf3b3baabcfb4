import BackupArchives
import Foundation
import ObjectStorage
import Office
import Store
import TimeAndText

// The way back.

extension PhotoCopy {
  /// The outcome of a way back.
  package struct Return: Sendable {
    /// The number of files in the list.
    package var files = 0
    /// The number of files that came back, or that a check has read.
    package var fetched = 0
    /// The number of their bytes.
    package var bytes = 0
    /// The files whose bytes here are others, and the objects that the store has lost, a line each.
    package var complaints: [String] = []
  }

  /// Brings files back that the office does not have any more; what it has is left alone.
  /// - Throws: `OfficeRefusal`, also if there is no list, and `StoreError`.
  package func fetch(at now: DeviceTime, progress: @escaping Progress) async throws -> Return {
    try await forEachListed(at: now, progress) { try await bring($0.name, $0.digest) }
  }

  /// Reads every object of the newest list, and compares it with its digest; nothing comes into the office.
  /// - Throws: `OfficeRefusal`, also if there is no list.
  package func check(at now: DeviceTime, progress: @escaping Progress) async throws -> Return {
    try await forEachListed(at: now, progress) { entry in
      switch try await object(entry.digest) {
      case .success(let bytes): Brought(bytes: bytes.count)
      case .failure(let failure):
        Brought(
          complaint: "\(entry.name): \(failure) (\(ObjectKey.digest(entry.digest)))")
      }
    }
  }

  private struct Brought: Sendable {
    /// Nil if nothing was fetched.
    var bytes: Int?
    var complaint: String?
  }

  private func forEachListed(
    at now: DeviceTime, _ progress: @escaping Progress,
    _ work: @escaping @Sendable (CopyList.Entry) async throws -> Brought
  ) async throws -> Return {
    try await said {
      guard let list = try await newestList(at: now) else {
        throw OfficeRefusal(
          .inputInvalid,
          "there is no copy of this office's photos at \(word: store.address.description)")
      }
      let entries = try CopyList.entries(list.bytes).filter { CopyList.isCopied($0.name) }
      var outcome = Return()
      try await Window.each(entries, work) { brought in
        outcome.files += 1
        if let bytes = brought.bytes {
          outcome.fetched += 1
          outcome.bytes += bytes
        }
        if let complaint = brought.complaint { outcome.complaints.append(complaint) }
        progress(outcome.files, entries.count, outcome.bytes)
      }
      return outcome
    }
  }

  private func bring(_ name: String, _ digest: String) async throws -> Brought {
    if let own = try photos.bytes(of: name) {
      guard CopyDigest(of: own).text != digest, CopyList.isSealed(name) else { return Brought() }
      return Brought(complaint: "\(name): its bytes here are others, and were left alone")
    }
    guard try !photos.holds(name) else {
      return Brought(complaint: "\(name): it cannot be read here, and was left alone")
    }
    switch try await object(digest) {
    case .failure(let failure): return Brought(complaint: "\(name): \(failure)")
    case .success(let bytes):
      do {
        return try keep(bytes, as: name) ? Brought(bytes: bytes.count) : Brought()
      } catch let error as StoreError {
        return Brought(complaint: "\(name): \(error)")
      }
    }
  }

  /// Gives bytes a name that no file has.
  /// - Returns: false if a delivery has brought a file of this name meanwhile.
  private func keep(_ bytes: [UInt8], as name: String) throws -> Bool {
    guard let path = photos.path(of: name) else {
      throw StoreError.unwritable(path: name, reason: "it is no file of this machine")
    }
    // Beside its place, which may be on a disk of its own. It becomes durable when it gets its name.
    let part = path + CopyList.arriving + String(UInt32.random(in: .min ... .max), radix: 16)
    defer { unlink(part) }
    try DurableFile.makeFolder((path as NSString).deletingLastPathComponent)
    try DurableFile.write(bytes, to: part, isSynced: false)
    do {
      try photos.adopt(file: part, as: name)
    } catch let error as StoreError {
      guard try photos.holds(name) else { throw error }
      return false
    }
    return true
  }

  /// Returns the bytes with a digest, or why this one object does not come.
  private func object(_ digest: String) async throws -> Result<[UInt8], ObjectFailure> {
    do {
      let bytes = try await store.bytes(
        of: ObjectKey.digest(digest), atMost: Self.fileBytesAtMost)
      return bytes.map { .success($0) } ?? .failure(.lost)
    } catch let failure as ObjectFailure
      where [.otherBytes, .refused, .forbidden].contains(failure.kind)
    {
      return .failure(failure)
    }
  }
}
