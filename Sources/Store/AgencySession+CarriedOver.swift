import GRDB
import Inspection
import Positioning
import Sync

// What came to an agency from an older office's database.
extension AgencySession {
  /// Keeps that something was carried over. It is the agency's own, whatever it says.
  public func insert(_ carried: CarriedOver) throws {
    try database.cachedStatement(sql: CarriedOverColumns.insert).execute(
      arguments: arguments(CarriedOverColumns.values(carried)))
  }

  /// What a number of an older database has become; nil where it was not carried over to this agency.
  public func carriedOver(
    _ kind: CarriedOver.Kind, number: Int64, source: String
  ) throws -> CarriedOver? {
    try Row.fetchOne(
      database.cachedStatement(
        sql: """
          SELECT * FROM carried_over WHERE agency = :agency AND source = :source
          AND kind = :kind AND number = :number
          """), arguments: arguments(["source": source, "kind": kind.rawValue, "number": number])
    ).map(CarriedOverColumns.carriedOver)
  }

  /// From where something came; nil for what was not carried over.
  public func carriedOver(_ kind: CarriedOver.Kind, subject: String) throws -> CarriedOver? {
    try Row.fetchOne(
      database.cachedStatement(
        sql: """
          SELECT * FROM carried_over WHERE agency = :agency AND kind = :kind
          AND subject = :subject \(own()) ORDER BY time LIMIT 1
          """), arguments: arguments(["kind": kind.rawValue, "subject": subject])
    ).map(CarriedOverColumns.carriedOver)
  }

  /// A photo of an inspector, by its bytes or by the app's digest, whichever way it came from a phone.
  public func phonePhoto(
    ofInspector login: String, fileDigest: String, orDigest digest: String?
  ) throws -> Identifier? {
    func photo(_ condition: String, _ value: String) throws -> Identifier? {
      try String.fetchOne(
        database.cachedStatement(
          sql: """
            SELECT photo FROM phone_photo WHERE agency = :agency AND inspector = :login
            AND \(condition) ORDER BY rowid LIMIT 1
            """), arguments: arguments(["login": login, "value": value])
      ).flatMap(Identifier.init(_:))
    }
    if let found = try photo("file_digest = :value", fileDigest) { return found }
    guard let digest else { return nil }
    return try photo("digest = :value AND digest IS NOT NULL", digest)
  }
}
