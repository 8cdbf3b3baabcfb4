import Evidence
import Foundation
import Imagery
import Inspection
import OfficeKeyring
import Store
import Sync
import TimeAndText
import Web

/// Makes composites of an agency's photos. They are no evidence: they lie in a folder of their own,
/// belong to no task, have no place, and do not leave the agency.
package struct Composites: OfficeService {
  /// The core of the office.
  package let core: OfficeCore

  private func shelf(of agency: String) -> CompositeShelf {
    CompositeShelf(
      folder: "\(configuration.folder.path)/\(EvidenceName.composites(of: agency))")
  }
}

extension Composites {
  /// Returns a photo of the agency, or the archive picture of a photo point, as a source.
  /// - Throws: `OfficeRefusal`, `CompositeProblem`, `ImageryError`.
  package func source(_ id: Identifier, in agency: String) async throws -> CompositeSource {
    let found = try await database.read(in: agency) { session in
      try StoreError.found { try session.photos.photo(id) }
    }
    if let found { return try source(found, in: agency) }
    let point = try await database.read(in: agency) { try $0.points.point(id) }
    guard let point, point.pose == .estimated, point.reference.photo == id,
      let file = try photos.bytes(of: EvidenceName.archive(id, agency: agency))
    else { throw StoreError.unknown(what: "photo", id: id.description) }
    return try CompositeSource(
      file: file, id: id.description, taken: String(point.taken.rfc3339.prefix(10)),
      agency: agency, digest: point.reference.digest)
  }

  private func source(_ received: ReceivedPhoto, in agency: String) throws -> CompositeSource {
    guard received.hidden == nil else {
      throw OfficeRefusal(.ruleForbids, "the photo is hidden: show it again first")
    }
    guard received.deletedReason == nil,
      let file = try photos.bytes(of: EvidenceName.file(.capture, received.photo.id))
    else { throw OfficeRefusal(.unknown, "the photo's file is not here") }
    return try CompositeSource(
      file: file, id: received.photo.id.description, taken: received.photo.deviceTime.rfc3339,
      agency: agency, digest: received.photo.fileDigest)
  }

  /// Makes a composite, and keeps it.
  /// - Parameter id: the composite that is changed; nil for a new one.
  /// - Throws: `CompositeProblem`, `ImageryError`, `OfficeRefusal`, `StoreError`.
  package func make(
    _ id: Identifier?, _ plan: CompositePlan, below: CompositeSource, above: CompositeSource,
    by login: String, in agency: String
  ) async throws -> CompositeRecord {
    if let id { _ = try composite(id, in: agency) }
    try core.requireDisk()
    let now = clock.deviceTime
    let new = CompositeRecord(
      id: (id ?? Identifier(at: now)).description, agency: agency, maker: login, made: now,
      software: configuration.software, below: below.original, above: above.original, plan: plan)
    let ring = core.keys.ring
    let (record, file) = try await core.background.run {
      var record = new
      let file = try CompositeFile.make(
        &record, below: below, above: above, certificate: ring.receiptCertificate,
        key: ring.receiptKey)
      return (record, file)
    }
    try shelf(of: agency).keep(record, file: file)
    try await note(id == nil ? "composite-made" : "composite-changed", record, login, agency)
    return record
  }

  private func note(
    _ action: String, _ record: CompositeRecord, _ login: String, _ agency: String
  ) async throws {
    try await database.write(in: agency) { session in
      try session.log.add(
        core.log(
          action, on: record.id, by: login, agency: agency,
          detail: "\(record.above.id) \(record.below.id)"))
    }
  }

  /// Returns the agency's composites, the newest first.
  package func all(in agency: String) throws -> [CompositeRecord] {
    try shelf(of: agency).records(of: agency)
  }

  /// Returns one of them.
  /// - Throws: `StoreError.unknown`.
  package func composite(_ id: Identifier, in agency: String) throws -> CompositeRecord {
    guard let record = try shelf(of: agency).record(id, of: agency) else {
      throw StoreError.unknown(what: "composite", id: id.description)
    }
    return record
  }

  /// Returns a composite's file.
  /// - Throws: `StoreError`.
  package func file(_ id: Identifier, in agency: String) throws -> [UInt8] {
    _ = try composite(id, in: agency)
    return try shelf(of: agency).file(id)
  }

  /// Removes a composite; its photos stay.
  /// - Throws: `StoreError`.
  package func remove(_ id: Identifier, by login: String, in agency: String) async throws {
    let record = try composite(id, in: agency)
    try shelf(of: agency).remove(id)
    try await note("composite-removed", record, login, agency)
  }
}
