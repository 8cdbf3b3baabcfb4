import Evidence
import GRDB
import Inspection
import TimeAndText

/// An agency's capture policies, by revision.
public struct PolicyTable: AgencyTable {
  let database: Database
  let agency: String

  init(database: Database, agency: String) {
    (self.database, self.agency) = (database, agency)
  }
}

extension PolicyTable {
  /// Returns the agency's capture policy in force; nil until the first was issued.
  public func current() throws -> SignedPolicy? {
    try signed(
      String.fetchOne(
        database,
        sql: "SELECT jws FROM policy WHERE agency = :agency ORDER BY revision DESC LIMIT 1",
        arguments: arguments()))
  }

  /// Returns a revision of the policy; nil if there is none of that number.
  public func revision(_ revision: Int) throws -> SignedPolicy? {
    try signed(
      String.fetchOne(
        database,
        sql: "SELECT jws FROM policy WHERE agency = :agency AND revision = :revision",
        arguments: arguments(["revision": revision])))
  }

  private func signed(_ jws: String?) throws -> SignedPolicy? {
    guard let jws else { return nil }
    do {
      return try SignedPolicy(jws: jws)
    } catch {
      throw StoreError.damagedRow("policy of \(agency)")
    }
  }

  /// Returns the agency's usual reasons to return or decline a task, in its order.
  public func returnReasons() throws -> [String] {
    try String.fetchAll(
      database, sql: "SELECT text FROM return_reason WHERE agency = :agency ORDER BY number",
      arguments: arguments())
  }

  /// Replaces the agency's usual reasons.
  public func setReturnReasons(_ reasons: [String]) throws {
    try database.execute(
      sql: "DELETE FROM return_reason WHERE agency = :agency", arguments: arguments())
    for (index, text) in reasons.enumerated() {
      try database.execute(
        sql: "INSERT INTO return_reason (agency, number, text) VALUES (:agency, :number, :text)",
        arguments: arguments(["number": index + 1, "text": text]))
    }
  }

  /// Adds a further revision of the policy.
  public func insert(_ policy: SignedPolicy, by person: String) throws {
    try database.execute(
      sql: """
        INSERT INTO policy (agency, revision, issued, person, jws)
        VALUES (:agency, :revision, :issued, :person, :jws)
        """,
      arguments: arguments([
        "revision": policy.policy.revision,
        "issued": policy.policy.issued.millisecondsSince1970, "person": person, "jws": policy.jws,
      ]))
  }
}
