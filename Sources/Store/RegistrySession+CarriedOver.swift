import GRDB
import Positioning
import Sync

extension RegistrySession {
  /// Keeps that an agency or a person was carried over.
  public func insert(_ carried: CarriedOver) throws {
    var values = CarriedOverColumns.values(carried)
    values["agency"] = carried.agency
    try database.execute(sql: CarriedOverColumns.insert, arguments: StatementArguments(values))
  }

  /// What a number of an older database has become, whichever agency it came to; nil where it has come to none.
  public func carriedOver(
    _ kind: CarriedOver.Kind, number: Int64, source: String
  ) throws -> CarriedOver? {
    try Row.fetchOne(
      database,
      sql: """
        SELECT * FROM carried_over WHERE source = :source AND kind = :kind AND number = :number
        AND agency IN (SELECT agency FROM agency) ORDER BY time LIMIT 1
        """, arguments: ["source": source, "kind": kind.rawValue, "number": number]
    ).map(CarriedOverColumns.carriedOver)
  }

  /// Stores another text for a person's password, which is the same; their sessions go on.
  /// - Parameter stored: the one that is there still, or nothing is done.
  /// - Returns: whether it was.
  @discardableResult
  public func replacePassword(
    _ stored: String, of login: String, with text: String
  ) throws -> Bool {
    try database.execute(
      sql: "UPDATE person SET password = :text WHERE login = :login AND password = :stored",
      arguments: ["login": login, "text": text, "stored": stored])
    return database.changesCount > 0
  }
}
