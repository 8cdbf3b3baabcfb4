import GRDB
import Inspection
import Sync
import TimeAndText

/// An agency's enrolled devices.
public struct DeviceTable: AgencyTable {
  let database: Database
  let agency: String

  init(database: Database, agency: String) {
    (self.database, self.agency) = (database, agency)
  }
}

extension DeviceTable {
  /// Returns the agency's devices, or those of one inspector, the newest first.
  public func devices(of inspector: String? = nil) throws -> [EnrolledDevice] {
    try Row.fetchAll(
      database,
      sql: """
        SELECT * FROM device WHERE agency = :agency
        AND (:inspector IS NULL OR inspector = :inspector) ORDER BY enrolled DESC, key
        """, arguments: arguments(["inspector": inspector])
    ).map(device)
  }

  /// Returns the device with a key; nil if this agency has none.
  public func device(withKey key: String) throws -> EnrolledDevice? {
    try Row.fetchOne(
      database, sql: "SELECT * FROM device WHERE key = :key AND agency = :agency",
      arguments: arguments(["key": key])
    ).map(device)
  }

  /// Adds an enrolled device.
  public func insert(_ device: EnrolledDevice) throws {
    try database.execute(
      sql: """
        INSERT INTO device (key, agency, inspector, device, certificate, software, enrolled)
        VALUES (:key, :agency, :inspector, :device, :certificate, :software, :enrolled)
        """,
      arguments: arguments([
        "key": device.key, "inspector": device.inspector, "device": device.device,
        "certificate": device.certificate, "software": device.software,
        "enrolled": device.enrolled.millisecondsSince1970,
      ]))
  }

  /// Replaces a device's certificates, PEM.
  public func setCertificate(_ pem: String, deviceWithKey key: String) throws {
    try database.execute(
      sql: "UPDATE device SET certificate = :pem WHERE key = :key AND agency = :agency",
      arguments: arguments(["key": key, "pem": pem]))
  }

  /// Revokes a device: from now on it may not deliver. Evidence that the office holds already stays valid.
  public func revokeDevice(withKey key: String, at time: DeviceTime, reason: String) throws {
    try database.execute(
      sql: """
        UPDATE device SET revoked = :time, revoked_reason = :reason
        WHERE key = :key AND agency = :agency AND revoked IS NULL
        """,
      arguments: arguments([
        "key": key, "time": time.millisecondsSince1970, "reason": reason,
      ]))
  }

  /// Records that the sign-in on a device has ended at `time`, or, if it is nil, that one has begun.
  public func setSignedOut(_ time: DeviceTime?, deviceWithKey key: String) throws {
    try database.execute(
      sql: "UPDATE device SET signed_out = :time WHERE key = :key AND agency = :agency",
      arguments: arguments(["key": key, "time": time?.millisecondsSince1970]))
  }

  private func device(_ row: Row) -> EnrolledDevice {
    EnrolledDevice(
      key: row["key"], inspector: row["inspector"], device: row["device"],
      certificate: row["certificate"], software: row["software"],
      enrolled: DeviceTime(millisecondsSince1970: row["enrolled"]),
      revokedReason: row["revoked_reason"],
      revoked: (row["revoked"] as Int64?).map(DeviceTime.init(millisecondsSince1970:)),
      signedOut: (row["signed_out"] as Int64?).map(DeviceTime.init(millisecondsSince1970:)))
  }
}
