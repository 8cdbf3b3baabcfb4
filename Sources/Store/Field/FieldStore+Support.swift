import GRDB

extension FieldStore {
  /// Returns everyone who has ever signed in on this field unit, with their names and the tokens for their
  /// offices: a file for strangers must contain none of them. `name` and `token` may be nil.
  public func everybody() throws -> [(login: String, name: String?, token: String?)] {
    try file.read { database in
      try Row.fetchAll(
        database,
        sql: """
          SELECT inspector, name, token FROM sign_in
          UNION SELECT inspector, NULL, NULL FROM identity
          """
      ).map { ($0["inspector"], $0["name"], $0["token"]) }
    }
  }
}
