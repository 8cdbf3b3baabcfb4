import Foundation
import GRDB
import Geodesy
import Inspection
import Positioning

/// Which photos or tracks of a person are meant.
public enum Selection: Hashable, Sendable {
  /// All of them.
  case all
  /// Those of one task.
  case task(Identifier)
  /// Those that belong to no task.
  case standalone
}

extension FieldSession {
  /// The person's photos that are not deleted, the oldest first.
  public func photos(_ selection: Selection = .all) throws -> [Photo] {
    var task: String?
    if case .task(let id) = selection { task = id.description }
    return try Row.fetchAll(
      database,
      sql: """
        SELECT * FROM photo
        WHERE agency = :agency AND inspector = :inspector AND deleted IS NULL
        AND (:everything OR (:task IS NULL AND task IS NULL) OR task = :task)
        ORDER BY device_time, id
        """, arguments: arguments(["everything": selection == .all, "task": task])
    ).map(photo)
  }

  /// One of the person's photos.
  /// - Throws: `StoreError.unknown` for one that was never there or is deleted.
  public func photo(_ id: Identifier) throws -> Photo {
    guard
      let row = try Row.fetchOne(
        database,
        sql: """
          SELECT * FROM photo WHERE id = :id AND agency = :agency AND inspector = :inspector
          AND deleted IS NULL
          """, arguments: arguments(["id": id.description]))
    else { throw StoreError.unknown(what: "photo", id: id.description) }
    return try photo(row)
  }

  /// Adds a photo whose link is there already.
  public func insert(_ photo: Photo) throws {
    try database.execute(
      sql: """
        INSERT INTO photo (id, agency, inspector, task, origin, gnss_time_of_day, gnss_day,
          device_time, latitude, longitude, ellipsoidal_height, mean_sea_level_height,
          uncertainty_95, method, standpoint, orientation, camera, file_digest, bytes, width,
          height, note, simulated, sent, delivered)
        VALUES (:id, :agency, :inspector, :task, :origin, :gnssTimeOfDay, :gnssDay, :deviceTime,
          :latitude, :longitude, :ellipsoidalHeight, :meanSeaLevelHeight, :uncertainty, :method,
          :standpoint, :orientation, :camera, :fileDigest, :bytes, :width, :height, :note,
          :simulated, :sent, :delivered)
        """,
      arguments: arguments([
        "id": photo.id.description, "task": photo.task?.description,
        "origin": photo.origin.rawValue,
        "gnssTimeOfDay": photo.gnssTime.millisecondsSinceMidnight,
        "gnssDay": photo.gnssTime.date?.daysSince1970,
        "deviceTime": photo.deviceTime.millisecondsSince1970,
        "latitude": photo.position.coordinate.latitudeDegrees,
        "longitude": photo.position.coordinate.longitudeDegrees,
        "ellipsoidalHeight": photo.position.ellipsoidalHeightMetres,
        "meanSeaLevelHeight": photo.position.meanSeaLevelHeightMetres,
        "uncertainty": photo.position.uncertaintyMetres95, "method": photo.position.method.name,
        "standpoint": photo.standpoint.map { RowJSON.text(StandpointRow($0)) },
        "orientation": photo.orientation.map { RowJSON.text(OrientationRow($0)) },
        "camera": RowJSON.text(CameraRow(photo.camera)), "fileDigest": photo.fileDigest,
        "bytes": photo.bytes, "width": photo.widthPixels, "height": photo.heightPixels,
        "note": photo.note, "simulated": photo.isSimulated,
        "sent": photo.sent?.millisecondsSince1970,
        "delivered": photo.delivered?.millisecondsSince1970,
      ]))
  }

  /// Keeps the inspector's note on a photo.
  public func setNote(_ text: String, ofPhoto id: Identifier) throws {
    try updatePhoto("note = :note", id, ["note": text])
  }

  /// Marks a photo as sent.
  public func markSent(photo id: Identifier, at time: DeviceTime?) throws {
    try updatePhoto("sent = :time", id, ["time": time?.millisecondsSince1970])
  }

  /// Hides a photo whose bytes are removed; its row and its link stay.
  public func markDeleted(photo id: Identifier, at time: DeviceTime, reason: String) throws {
    try updatePhoto(
      "deleted = :time, deleted_reason = :reason", id,
      ["time": time.millisecondsSince1970, "reason": reason])
  }

  /// Photos whose bytes must not be there any more.
  public func deletedPhotos() throws -> [Identifier] {
    try String.fetchAll(
      database, sql: "SELECT id FROM photo WHERE deleted IS NOT NULL"
    ).compactMap(Identifier.init(_:))
  }

  private func updatePhoto(
    _ assignment: String, _ id: Identifier, _ values: [String: (any DatabaseValueConvertible)?]
  ) throws {
    var values = values
    values["id"] = id.description
    try database.execute(
      sql: """
        UPDATE photo SET \(assignment)
        WHERE id = :id AND agency = :agency AND inspector = :inspector
        """, arguments: arguments(values))
  }

  private func photo(_ row: Row) throws -> Photo {
    let id: String = row["id"]
    guard let identifier = Identifier(id), let origin = PhotoOrigin(rawValue: row["origin"]),
      let time = GNSSTime(
        millisecondsSinceMidnight: row["gnss_time_of_day"],
        date: (row["gnss_day"] as Int?).map(CivilDate.init(daysSince1970:))),
      let coordinate = Coordinate(
        latitudeDegrees: row["latitude"], longitudeDegrees: row["longitude"])
    else { throw StoreError.damagedRow("photo \(id)") }
    let standpoint = try (row["standpoint"] as String?).map {
      try RowJSON.value(StandpointRow.self, $0).standpoint()
    }
    return Photo(
      id: identifier, agency: row["agency"], inspector: row["inspector"],
      task: (row["task"] as String?).flatMap(Identifier.init(_:)), origin: origin,
      gnssTime: time, deviceTime: DeviceTime(millisecondsSince1970: row["device_time"]),
      position: PhotoPosition(
        kept: coordinate, ellipsoidalHeightMetres: row["ellipsoidal_height"],
        meanSeaLevelHeightMetres: row["mean_sea_level_height"],
        uncertaintyMetres95: row["uncertainty_95"], method: try method(row["method"])),
      standpoint: standpoint,
      orientation: try (row["orientation"] as String?).map {
        try RowJSON.value(OrientationRow.self, $0).orientation()
      },
      camera: try RowJSON.value(CameraRow.self, row["camera"]).camera(),
      fileDigest: row["file_digest"], bytes: row["bytes"], widthPixels: row["width"],
      heightPixels: row["height"], note: row["note"], isSimulated: row["simulated"],
      sent: (row["sent"] as Int64?).map(DeviceTime.init(millisecondsSince1970:)),
      delivered: (row["delivered"] as Int64?).map(DeviceTime.init(millisecondsSince1970:)))
  }

  private func method(_ name: String) throws -> PhotoPosition.Method {
    if name == PhotoPosition.Method.fix.name { return .fix }
    guard let method = CentroidMethod(rawValue: name) else {
      throw StoreError.damagedRow("an unknown method of a position")
    }
    return .standpoint(method)
  }
}
