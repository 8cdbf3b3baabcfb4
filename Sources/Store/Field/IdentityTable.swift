import GRDB
import Inspection
import TimeAndText

/// The device's identity for one person.
public struct DeviceIdentity: Hashable, Sendable {
  /// The device's identifier.
  public var device: String
  /// The thumbprint of the key that seals what the person does on this device.
  public var key: String

  /// Creates an identity.
  public init(device: String, key: String) {
    self.device = device
    self.key = key
  }
}

/// The identity under which a person seals on this device.
public struct IdentityTable: FieldTable {
  let session: FieldSession
}

extension IdentityTable {
  /// Returns the identity under which the person seals; nil until the person works here
  /// for the first time.
  public func own() throws -> DeviceIdentity? {
    try Row.fetchOne(
      database,
      sql: "SELECT * FROM identity WHERE agency = :agency AND inspector = :inspector",
      arguments: arguments()
    ).map { DeviceIdentity(device: $0["device"], key: $0["key"]) }
  }

  /// Adds the person's first identity.
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

  /// Replaces the person's identity: from now on they seal with another key, in a chain of its own.
  /// Records that the earlier key sealed stay.
  public func replace(with identity: DeviceIdentity) throws {
    try database.execute(
      sql: """
        UPDATE identity SET device = :device, key = :key
        WHERE agency = :agency AND inspector = :inspector
        """, arguments: arguments(["device": identity.device, "key": identity.key]))
  }
}
