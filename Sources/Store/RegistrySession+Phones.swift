import GRDB
import Sync
import TimeAndText

extension RegistrySession {
  /// Returns the service by which an agency lets phones in; nil if the agency lets none in.
  public func phoneService(ofAgency agency: String) throws -> PhoneService? {
    try Row.fetchOne(
      database, sql: "SELECT * FROM phone_service WHERE agency = :agency",
      arguments: ["agency": agency]
    ).map(phoneService)
  }

  /// Returns the service at a secret address, by the digest of the address's secret part; nil if
  /// there is none.
  public func phoneService(prefixDigest: String) throws -> PhoneService? {
    try Row.fetchOne(
      database, sql: "SELECT * FROM phone_service WHERE prefix_digest = :digest",
      arguments: ["digest": prefixDigest]
    ).map(phoneService)
  }

  /// Returns the service whose phones use a login of HTTP's Basic scheme; nil if there is none.
  public func phoneService(basicLogin login: String) throws -> PhoneService? {
    try Row.fetchOne(
      database, sql: "SELECT * FROM phone_service WHERE basic_login = :login",
      arguments: ["login": login]
    ).map(phoneService)
  }

  /// Adds or replaces the service by which an agency lets phones in.
  public func keep(_ service: PhoneService) throws {
    try database.execute(
      sql: """
        INSERT INTO phone_service (agency, prefix_digest, basic_login, basic_password,
          networks, requests_per_second, request_burst, logins_per_second, login_burst,
          login_seconds, network_bits_4, network_bits_6, zone, changed)
        VALUES (:agency, :prefix, :basicLogin, :basicPassword, :networks, :perSecond, :burst,
          :loginsPerSecond, :loginBurst, :loginSeconds, :bits4, :bits6, :zone, :changed)
        ON CONFLICT (agency) DO UPDATE SET prefix_digest = :prefix, basic_login = :basicLogin,
          basic_password = :basicPassword, networks = :networks, requests_per_second = :perSecond,
          request_burst = :burst, logins_per_second = :loginsPerSecond, login_burst = :loginBurst,
          login_seconds = :loginSeconds, network_bits_4 = :bits4, network_bits_6 = :bits6,
          zone = :zone, changed = :changed
        """,
      arguments: [
        "agency": service.agency, "prefix": service.prefixDigest,
        "basicLogin": service.basicLogin, "basicPassword": service.basicPassword,
        "networks": RowJSON.text(service.networks), "perSecond": service.requestsPerSecond,
        "burst": service.requestBurst, "loginsPerSecond": service.loginsPerSecond,
        "loginBurst": service.loginBurst, "loginSeconds": service.loginSeconds,
        "bits4": service.networkBits4, "bits6": service.networkBits6, "zone": service.zone,
        "changed": service.changed.millisecondsSince1970,
      ])
  }

  /// Removes an agency's service for phones, and ends all logins on phones.
  public func removePhoneService(ofAgency agency: String) throws {
    for table in ["phone_service", "phone_login"] {
      try database.execute(
        sql: "DELETE FROM \(table) WHERE agency = :agency", arguments: ["agency": agency])
    }
  }

  private func phoneService(_ row: Row) throws -> PhoneService {
    var service = PhoneService(
      agency: row["agency"], changed: DeviceTime(millisecondsSince1970: row["changed"]))
    service.prefixDigest = row["prefix_digest"]
    service.basicLogin = row["basic_login"]
    service.basicPassword = row["basic_password"]
    service.networks = try RowJSON.value([String].self, row["networks"])
    service.requestsPerSecond = row["requests_per_second"]
    service.requestBurst = row["request_burst"]
    service.loginsPerSecond = row["logins_per_second"]
    service.loginBurst = row["login_burst"]
    service.loginSeconds = row["login_seconds"]
    service.networkBits4 = row["network_bits_4"]
    service.networkBits6 = row["network_bits_6"]
    service.zone = row["zone"]
    return service
  }
}
