import Evidence
import GRDB
import Inspection

/// The rows of every person on a device: the only statements of a session that name no person, each
/// with its reason. What they return tells nothing of another person's work.
public struct DeviceRows {
  let database: Database
}

extension DeviceRows {
  /// Returns the next place in a key's chain, and the digest of the link before it; nil if the chain
  /// is empty. The key itself belongs to one person.
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

  /// Returns the kind of a record that any person sealed; nil if there is no such record. Files that a
  /// crash left in the staging folder are moved or cleared away by the person who comes next.
  public func kind(ofSealed id: Identifier) throws -> RecordKind? {
    try String.fetchOne(
      database, sql: "SELECT kind FROM link WHERE id = :id", arguments: ["id": id.description]
    ).flatMap(RecordKind.init(rawValue:))
  }

  /// Returns the photos whose bytes must not be on the device any more: after a crash the person who
  /// comes next removes those of all people.
  public func deletedPhotos() throws -> [Identifier] {
    try String.fetchAll(
      database, sql: "SELECT id FROM photo WHERE deleted IS NOT NULL OR removed IS NOT NULL"
    ).compactMap(Identifier.init(_:))
  }

  /// Returns the tracks whose bytes must not be on the device any more, as `deletedPhotos` does.
  public func deletedTracks() throws -> [Identifier] {
    try String.fetchAll(
      database, sql: "SELECT id FROM track WHERE deleted IS NOT NULL"
    ).compactMap(Identifier.init(_:))
  }

  /// Returns the sets whose bytes must not be on the device any more, as `deletedPhotos` does.
  public func deletedSets() throws -> [Identifier] {
    try String.fetchAll(
      database, sql: "SELECT id FROM frame_set WHERE deleted IS NOT NULL OR removed IS NOT NULL"
    ).compactMap(Identifier.init(_:))
  }

  /// Ends the sign-in that is active: only one person at a time is signed in on a device.
  func endActiveSignIn() throws {
    try database.execute(sql: "UPDATE sign_in SET active = NULL, token = NULL WHERE active = 1")
  }
}
