import Crypto
import Evidence
import Foundation
import Inspection
import Positioning
import Store
import Sync
import TimeAndText
import Web

/// The place for files between their preview and the decision to take them: in the office's folder,
/// for an hour, for the one person who sent the file. A file is read again before it is taken.
package struct ImportShelf {
  static let lifetimeSeconds = 3600.0

  /// One file at a time is read, while all other work of the office goes on.
  package static let reading = WorkLane(width: 1)

  private let office: Importing
  private var folder: String { office.configuration.folder.path + "/imports" }

  /// Creates the place in the office's folder.
  package init(_ office: Importing) {
    self.office = office
  }

  /// Returns the beginning of the names of a person's files.
  private func owner(_ kind: ImportReport.Kind, _ agency: String, _ login: String) -> String {
    Digest.hexadecimal(Array("\(kind.rawValue)\n\(agency)\n\(login)".utf8)) + "-"
  }

  /// Receives a file, which replaces the person's earlier one.
  /// - Parameter pieces: calls its argument with the file, piece by piece, and returns true if
  ///   there was a file.
  /// - Returns: the file's SHA-256; nil if there was no file.
  package func receive(
    _ kind: ImportReport.Kind, agency: String, login: String,
    _ pieces: (_ body: (_ piece: [UInt8]) throws -> Void) async throws -> Bool
  ) async throws -> String? {
    let path = try place()
    guard let digest = try await write(pieces, to: path, agency) else { return nil }
    do {
      let owner = owner(kind, agency, login)
      for name in try names() where name.hasPrefix(owner) {
        try DurableFile.remove(folder + "/" + name)
      }
      let place = folder + "/" + owner + digest
      try DurableFile.rename(path, to: place)
      // The file's age is measured by the office's own clock.
      try FileManager.default.setAttributes(
        [.modificationDate: Self.date(office.clock.deviceTime)], ofItemAtPath: place)
      return digest
    } catch {
      try? DurableFile.remove(path)
      throw error
    }
  }

  /// Receives a file for as long as `body` works with it. No other request can reach the file, the
  /// person's previewed file stays, and the received file is removed afterwards.
  /// - Parameters:
  ///   - pieces: calls its argument with the file, piece by piece, and returns true if there was a
  ///     file.
  ///   - body: called with the file's path and its SHA-256.
  package func lending<Value>(
    agency: String,
    _ pieces: (_ body: (_ piece: [UInt8]) throws -> Void) async throws -> Bool,
    _ body: (_ path: String, _ digest: String) async throws -> Value
  ) async throws -> Value {
    let path = try place()
    guard let digest = try await write(pieces, to: path, agency) else {
      throw OfficeRefusal(.inputInvalid, "no file was sent")
    }
    defer { try? DurableFile.remove(path) }
    return try await body(path, digest)
  }

  /// Returns the path for an arriving file. A second upload of the same person gets a path of its
  /// own.
  private func place() throws -> String {
    try DurableFile.makeFolder(folder)
    try removeExpired()
    return folder + "/new-" + Identifier(at: office.clock.deviceTime).description
  }

  /// Writes a file as it arrives; after an error, nothing of it is left.
  /// - Returns: the file's SHA-256; nil if there was no file.
  private func write(
    _ pieces: (_ body: (_ piece: [UInt8]) throws -> Void) async throws -> Bool, to path: String,
    _ agency: String
  ) async throws -> String? {
    try office.requireDisk()
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      throw StoreError.unwritable(path: path, reason: String(cString: strerror(errno)))
    }
    let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    var hash = SHA256()
    do {
      let isThere = try await pieces { piece in
        hash.update(data: piece)
        // A large file may fill the disk while it arrives. The disk is asked once a second at most.
        try office.requireDisk()
        do {
          try handle.write(contentsOf: piece)
        } catch {
          throw StoreError.unwritable(path: path, reason: "the disk is full, or it has failed")
        }
      }
      try handle.close()
      guard isThere else {
        try DurableFile.remove(path)
        return nil
      }
      return Digest.hexadecimal(of: hash.finalize())
    } catch {
      try? handle.close()
      try? DurableFile.remove(path)
      throw error
    }
  }

  /// Returns the file that a person sent.
  /// - Throws: `OfficeRefusal` (unknown) if it is not here any more.
  package func file(
    _ digest: String, _ kind: ImportReport.Kind, agency: String, login: String
  ) throws -> ImportedFile {
    let path = folder + "/" + owner(kind, agency, login) + digest
    guard Digest.isDigest(digest), FileManager.default.fileExists(atPath: path) else {
      throw OfficeRefusal(
        .unknown, "the file is no longer here: files are kept for an hour. Send it again")
    }
    return ImportedFile(path: path)
  }

  /// Removes a file that was taken.
  package func remove(_ file: ImportedFile) throws {
    try DurableFile.remove(file.path)
  }

  /// Removes files that were not taken within the hour.
  func removeExpired() throws {
    let oldest = Self.date(office.clock.deviceTime.advanced(bySeconds: -Self.lifetimeSeconds))
    for name in try names() {
      let path = folder + "/" + name
      let attributes = try? FileManager.default.attributesOfItem(atPath: path)
      guard let date = attributes?[.modificationDate] as? Date, date < oldest else { continue }
      try DurableFile.remove(path)
    }
  }

  private func names() throws -> [String] {
    guard FileManager.default.fileExists(atPath: folder) else { return [] }
    return try FileManager.default.contentsOfDirectory(atPath: folder)
  }

  private static func date(_ time: DeviceTime) -> Date {
    Date(timeIntervalSince1970: Double(time.millisecondsSince1970) / 1000)
  }
}
