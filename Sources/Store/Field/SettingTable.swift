import Evidence
import GRDB
import Inspection
import Sync

/// A person's settings on this device, and the agency's policy, which is kept as one of them.
public struct SettingTable: FieldTable {
  let session: FieldSession

  private static let policyName = "policy"
}

extension SettingTable {
  /// Returns the value of a setting; nil if its default holds.
  public func value(of name: String) throws -> String? {
    try String.fetchOne(
      database,
      sql: """
        SELECT value FROM setting
        WHERE agency = :agency AND inspector = :inspector AND name = :name
        """, arguments: arguments(["name": name]))
  }

  /// Sets a setting; nil restores its default.
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

  /// Returns the agency's capture policy as it was last fetched; nil before the first.
  /// - Throws: `StoreError.damagedRow` if it cannot be read back.
  public func policy() throws -> SignedPolicy? {
    try value(of: Self.policyName).map { jws throws in
      do {
        return try SignedPolicy(jws: jws)
      } catch {
        throw StoreError.damagedRow("setting \(Self.policyName)")
      }
    }
  }

  /// Keeps the agency's capture policy.
  public func keep(_ policy: SignedPolicy) throws { try set(Self.policyName, to: policy.jws) }
}
