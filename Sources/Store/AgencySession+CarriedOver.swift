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

  /// A photo of an inspector, by the app's digest, or by its bytes where one of the two has no digest, or the app's words
  /// for the time are the same or lost for both: the digest is over the time, too, and the same bytes at another time are
  /// another photo, for which somebody may have sent a picture once more.
  public func phonePhoto(
    ofInspector login: String, fileDigest: String, orDigest digest: String?, created: String?
  ) throws -> Identifier? {
    let byBytes = try String.fetchOne(
      database.cachedStatement(
        sql: """
          SELECT photo FROM phone_photo WHERE agency = :agency AND inspector = :login
          AND file_digest = :file
          AND (phone_photo.digest IS NULL OR :digest IS NULL OR lower(phone_photo.digest) = :digest
            OR coalesce(created, '') = :created)
          ORDER BY rowid LIMIT 1
          """),
      arguments: arguments([
        "login": login, "file": fileDigest, "digest": digest, "created": created ?? "",
      ])
    ).flatMap(Identifier.init(_:))
    guard byBytes == nil, let digest else { return byBytes }
    return try String.fetchOne(
      database.cachedStatement(
        sql: """
          SELECT photo FROM phone_photo WHERE agency = :agency AND inspector = :login
          AND digest = :digest AND digest IS NOT NULL ORDER BY rowid LIMIT 1
          """), arguments: arguments(["login": login, "digest": digest])
    ).flatMap(Identifier.init(_:))
  }
}
