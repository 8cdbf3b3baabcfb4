import Evidence
import Foundation
import Imagery
import Inspection
import Store
import TimeAndText

/// The composites that an inspector has made on this device. They are no evidence: they are not
/// sealed into the chain, belong to no task, and are not delivered.
public struct UnitComposites: Sendable {
  let unit: InspectorUnit

  private var person: Person { unit.person }
  private var shelf: CompositeShelf { CompositeShelf(folder: unit.folder.composites) }

  /// Returns a photo of the inspector's own as a source.
  /// - Throws: `StoreError.unknown`, `CompositeProblem`, `ImageryError`.
  public func source(_ id: Identifier) throws -> CompositeSource {
    let photo = try unit.photo(id)
    guard try unit.delivery.removedPhotos()[id] == nil else {
      throw FieldUnitError.photoRemoved(id)
    }
    return try CompositeSource(
      file: try DurableFile.read(unit.path(ofPhoto: id)), id: id.description,
      taken: photo.deviceTime.rfc3339, agency: person.agency, digest: photo.fileDigest)
  }

  /// Makes a composite's file and its record, and keeps neither.
  /// - Parameter id: an earlier composite's identifier, which the new one replaces; nil for a new one.
  /// - Throws: `CompositeProblem`, `ImageryError`.
  public func made(
    _ id: Identifier? = nil, _ plan: CompositePlan, below: CompositeSource, above: CompositeSource
  ) throws -> (record: CompositeRecord, file: [UInt8]) {
    guard let certificate = try unit.certificate() else { throw CompositeProblem.noCertificate }
    let now = unit.clock.deviceTime
    var record = CompositeRecord(
      id: (id ?? Identifier(at: now)).description, agency: person.agency, maker: person.login,
      made: now, software: unit.configuration.software, below: below.original,
      above: above.original, plan: plan)
    let file = try CompositeFile.make(
      &record, below: below, above: above, certificate: certificate, key: unit.key)
    return (record, file)
  }

  /// Makes a composite, and keeps it.
  /// - Throws: `CompositeProblem`, `ImageryError`, `StoreError`.
  public func make(
    _ id: Identifier? = nil, _ plan: CompositePlan, below: CompositeSource, above: CompositeSource
  ) throws -> CompositeRecord {
    if let id { _ = try composite(id) }
    let (record, file) = try made(id, plan, below: below, above: above)
    try shelf.keep(record, file: file)
    return record
  }

  /// Keeps a composite that was made.
  /// - Throws: `StoreError`.
  public func keep(_ record: CompositeRecord, file: [UInt8]) throws {
    try shelf.keep(record, file: file)
  }

  /// Returns the inspector's composites, the newest first.
  public func all() throws -> [CompositeRecord] {
    try shelf.records(of: person.agency, maker: person.login)
  }

  /// Returns one of them.
  /// - Throws: `StoreError.unknown`.
  public func composite(_ id: Identifier) throws -> CompositeRecord {
    guard let record = try shelf.record(id, of: person.agency, maker: person.login) else {
      throw StoreError.unknown(what: "composite", id: id.description)
    }
    return record
  }

  /// Returns a composite's file.
  /// - Throws: `StoreError`.
  public func file(_ id: Identifier) throws -> [UInt8] {
    _ = try composite(id)
    return try shelf.file(id)
  }

  /// Removes a composite; its photos stay.
  /// - Throws: `StoreError`.
  public func remove(_ id: Identifier) throws {
    _ = try composite(id)
    try shelf.remove(id)
  }
}
