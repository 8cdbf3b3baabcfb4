import GRDB
import Inspection
import Positioning
import Sync

// Who has logged in on phones, and how much came from there: what administrators look at.
extension AgencySession {
  /// The logins on phones since a moment of those who may work for the agency as inspectors: by login, the last one
  /// first.
  public func phoneLogins(since time: DeviceTime, limit: Int) throws -> [PhoneLogin] {
    try Row.fetchAll(
      database,
      sql: """
        SELECT phone_login.login, network, began FROM phone_login
          JOIN person ON person.login = phone_login.login
        WHERE phone_login.agency = :agency AND began > :time AND person.agency = :agency
        AND person.role = 'inspector' AND person.disabled IS NULL
        ORDER BY phone_login.login, began DESC, network LIMIT :limit
        """,
      arguments: arguments(["time": time.millisecondsSince1970, "limit": limit])
    ).map { row in
      PhoneLogin(
        login: row["login"], network: row["network"],
        began: DeviceTime(millisecondsSince1970: row["began"]))
    }
  }

  /// Somebody has to log in again on each phone.
  /// - Returns: how many logins have ended.
  @discardableResult
  public func endPhoneLogins(of login: String) throws -> Int {
    try database.execute(
      sql: "DELETE FROM phone_login WHERE agency = :agency AND login = :login",
      arguments: arguments(["login": login]))
    return database.changesCount
  }

  /// How much phones have sent since a moment.
  /// - Parameter limit: no more than so many of a kind are counted.
  public func phoneArrivals(since time: DeviceTime, limit: Int) throws -> PhoneArrivals {
    // Identifiers begin with the time of their making, which is that of the arrival: the key's index leads to the last
    // days, and what came before is not walked through. The sign before the column keeps the other index away.
    let first = String(Identifier(at: time).description.prefix(13))
    func count(_ table: String, _ key: String) throws -> Int {
      try Int.fetchOne(
        database,
        sql: """
          SELECT count(*) FROM (SELECT 1 FROM \(table) WHERE +agency = :agency AND \(key) >= :first
            AND received >= :time LIMIT :limit)
          """,
        arguments: arguments([
          "first": first, "time": time.millisecondsSince1970, "limit": limit,
        ])) ?? 0
    }
    return PhoneArrivals(
      photos: try count("phone_photo", "photo"), tracks: try count("phone_track", "track"))
  }
}
