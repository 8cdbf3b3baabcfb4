import Evidence
import Foundation
import Inspection
import TimeAndText

/// The composites in a folder. A composite's file says all about itself; its record lies beside it,
/// so that a list need not read megabytes of pictures. The record is written last: without it the
/// file does not count.
public struct CompositeShelf: Sendable {
  private let folder: String

  /// Creates the shelf in a folder, which is made when the first composite comes.
  public init(folder: String) { self.folder = folder }

  /// Keeps a composite; an earlier one of the same identifier is replaced.
  /// - Throws: `StoreError`.
  public func keep(_ record: CompositeRecord, file: [UInt8]) throws {
    guard let id = Identifier(record.id) else {
      throw StoreError.unknown(what: "composite", id: record.id)
    }
    try DurableFile.makeFolder(folder)
    try DurableFile.replace(path(of: id), with: file)
    try DurableFile.replace(recordPath(of: id), with: record.json.canonicalBytes)
  }

  /// Returns the records of a person's composites, the newest first.
  /// - Parameter maker: the login; nil for all people of the agency.
  /// - Throws: `StoreError` if the folder or a record cannot be read.
  public func records(of agency: String, maker: String? = nil) throws -> [CompositeRecord] {
    try names().compactMap(Identifier.init).sorted { $0.description > $1.description }
      .compactMap { try record($0) }
      .filter { $0.agency == agency && $0.maker == maker ?? $0.maker }
  }

  /// Returns a composite's record; nil if there is no such composite in this agency, or if it is
  /// not this person's.
  /// - Throws: `StoreError` if the record cannot be read.
  public func record(
    _ id: Identifier, of agency: String, maker: String? = nil
  ) throws -> CompositeRecord? {
    guard let record = try record(id), record.agency == agency,
      record.maker == maker ?? record.maker
    else { return nil }
    return record
  }

  /// Returns a composite's file.
  /// - Throws: `StoreError`.
  public func file(_ id: Identifier) throws -> [UInt8] { try DurableFile.read(path(of: id)) }

  /// Returns the path of a composite's file.
  public func path(of id: Identifier) -> String { "\(folder)/\(id).jpg" }

  /// Removes a composite; its two photos stay as they are.
  /// - Throws: `StoreError`.
  public func remove(_ id: Identifier) throws {
    try DurableFile.remove(recordPath(of: id))
    try DurableFile.remove(path(of: id))
  }

  /// Returns the names of all files of composites that are whole, for a backup.
  /// - Throws: `StoreError` if the folder cannot be read.
  public func fileNames() throws -> [String] {
    try names().sorted().flatMap { ["\($0).jpg", $0 + Self.ending] }
  }

  private static let ending = ".json"

  private func recordPath(of id: Identifier) -> String { "\(folder)/\(id)\(Self.ending)" }

  private func names() throws -> [String] {
    guard FileManager.default.fileExists(atPath: folder) else { return [] }
    do {
      return try FileManager.default.contentsOfDirectory(atPath: folder)
        .filter { $0.hasSuffix(Self.ending) }.map { String($0.dropLast(Self.ending.count)) }
    } catch {
      throw StoreError.unavailable(path: folder, reason: "its permissions do not allow it")
    }
  }

  private func record(_ id: Identifier) throws -> CompositeRecord? {
    let path = recordPath(of: id)
    guard FileManager.default.fileExists(atPath: path) else { return nil }
    guard let json = try? JSONValue(parsing: DurableFile.read(path)),
      let record = CompositeRecord(json)
    else { throw StoreError.damagedRow("\(path) is no record of a composite") }
    return record
  }
}
