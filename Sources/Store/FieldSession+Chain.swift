import Evidence
import Foundation
import GRDB
import Inspection
import Positioning
import Sync

/// The device's identity for one person: which key seals what they do here.
public struct DeviceIdentity: Hashable, Sendable {
  /// The device's identifier.
  public var device: String
  /// Thumbprint of the key.
  public var key: String

  /// An identity from its parts.
  public init(device: String, key: String) {
    self.device = device
    self.key = key
  }
}

extension FieldSession {
  /// The identity under which the person seals; nil before the first time.
  public func identity() throws -> DeviceIdentity? {
    try Row.fetchOne(
      database,
      sql: "SELECT * FROM identity WHERE agency = :agency AND inspector = :inspector",
      arguments: arguments()
    ).map { DeviceIdentity(device: $0["device"], key: $0["key"]) }
  }

  /// Keeps the identity under which the person seals from now on.
  public func insert(_ identity: DeviceIdentity, at time: DeviceTime) throws {
    try database.execute(
      sql: """
        INSERT INTO identity (agency, inspector, device, key, created)
        VALUES (:agency, :inspector, :device, :key, :created)
        """,
      arguments: arguments([
        "device": identity.device, "key": identity.key, "created": time.millisecondsSince1970,
      ]))
  }

  /// From now on the person seals with another key, in a chain of its own. What the one before has
  /// sealed stays.
  public func replaceIdentity(with identity: DeviceIdentity) throws {
    try database.execute(
      sql: """
        UPDATE identity SET device = :device, key = :key
        WHERE agency = :agency AND inspector = :inspector
        """, arguments: arguments(["device": identity.device, "key": identity.key]))
  }

  /// The next place in a key's chain, and the digest of the link before it.
  public func nextPlace(inChainOf key: String) throws -> (sequence: Int, previous: String?) {
    guard
      let row = try Row.fetchOne(
        database,
        sql: """
          SELECT sequence, jws_digest FROM link WHERE key = :key ORDER BY sequence DESC LIMIT 1
          """, arguments: ["key": key])
    else { return (1, nil) }
    return (row["sequence"] + 1, row["jws_digest"])
  }

  /// Adds a sealed record to its chain.
  public func append(_ file: SealFile) throws {
    let link = file.seal.link
    try database.execute(
      sql: """
        INSERT INTO link (key, sequence, agency, inspector, id, kind, record, record_digest, jws,
          jws_digest, file_digest, raw_digest)
        VALUES (:key, :sequence, :agency, :inspector, :id, :kind, :record, :recordDigest, :jws,
          :jwsDigest, :file, :raw)
        """,
      arguments: arguments([
        "key": link.key, "sequence": link.sequence, "id": link.id.description,
        "kind": link.kind.rawValue,
        "record": String(decoding: file.recordBytes, as: UTF8.self),
        "recordDigest": link.record, "jws": file.seal.jws, "jwsDigest": file.seal.digest,
        "file": link.file, "raw": link.raw,
      ]))
  }

  /// Whether a record with this identifier was sealed, by whomever.
  public func isSealed(_ id: Identifier) throws -> Bool {
    try Bool.fetchOne(
      database, sql: "SELECT EXISTS (SELECT 1 FROM link WHERE id = :id)",
      arguments: ["id": id.description]) ?? false
  }

  /// SHA-256 of the file of a sealed record of the person's; nil where it has none.
  public func fileDigest(of id: Identifier) throws -> String? {
    try String.fetchOne(
      database,
      sql: """
        SELECT file_digest FROM link
        WHERE id = :id AND agency = :agency AND inspector = :inspector
        """, arguments: arguments(["id": id.description]))
  }

  /// SHA-256 of a sealed record of the person's; nil when there is none.
  public func recordDigest(of id: Identifier) throws -> String? {
    try String.fetchOne(
      database,
      sql: """
        SELECT record_digest FROM link
        WHERE id = :id AND agency = :agency AND inspector = :inspector
        """, arguments: arguments(["id": id.description]))
  }
}

extension FieldSession {
  /// The agency's capture policy as it was last fetched; nil before.
  public func policy() throws -> SignedPolicy? {
    try setting(Self.policyName).map { jws throws in
      do {
        return try SignedPolicy(jws: jws)
      } catch {
        throw StoreError.damagedRow("setting \(Self.policyName)")
      }
    }
  }

  /// Keeps the agency's capture policy.
  public func keep(_ policy: SignedPolicy) throws { try set(Self.policyName, to: policy.jws) }

  private static let policyName = "policy"

  /// The value of a setting; nil where the default holds.
  public func setting(_ name: String) throws -> String? {
    try String.fetchOne(
      database,
      sql: """
        SELECT value FROM setting
        WHERE agency = :agency AND inspector = :inspector AND name = :name
        """, arguments: arguments(["name": name]))
  }

  /// Sets a setting, or with nil brings its default back.
  public func set(_ name: String, to value: String?) throws {
    try database.execute(
      sql: """
        DELETE FROM setting WHERE agency = :agency AND inspector = :inspector AND name = :name
        """, arguments: arguments(["name": name]))
    guard let value else { return }
    try database.execute(
      sql: """
        INSERT INTO setting (agency, inspector, name, value)
        VALUES (:agency, :inspector, :name, :value)
        """, arguments: arguments(["name": name, "value": value]))
  }
}
