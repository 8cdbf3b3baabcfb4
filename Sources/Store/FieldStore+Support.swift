import GRDB

extension FieldStore {
  /// Everybody who has ever signed in on this field unit, with whatever was shown to their offices:
  /// what must not stand in a file that is handed to strangers.
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
