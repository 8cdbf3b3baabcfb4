import GRDB
import Positioning
import Sync
import TimeAndText

extension RegistrySession {
  /// Records that an agency or a person was carried over.
  public func insert(_ carried: CarriedOver) throws {
    var values = CarriedOverColumns.values(carried)
    values["agency"] = carried.agency
    try database.execute(sql: CarriedOverColumns.insert, arguments: StatementArguments(values))
  }

  /// Returns the thing that a number of an older database has become, in any agency; nil if it was
  /// not carried over.
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

  /// Replaces the stored text of a person's password, while the password stays as it is; their
  /// sessions go on.
  /// - Parameter stored: the text to replace; if another one is stored by now, nothing is done.
  /// - Returns: true if the text was replaced.
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
