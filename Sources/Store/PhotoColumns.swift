import Foundation
import GRDB
import Geodesy
import Inspection
import Positioning
import TimeAndText

/// The columns of the table `photo`, which the field unit and the office both have.
enum PhotoColumns {
  static let insert = """
    INSERT INTO photo (id, agency, inspector, task, item, origin, gnss_time_of_day, gnss_day,
      device_time, latitude, longitude, ellipsoidal_height, mean_sea_level_height,
      uncertainty_95, method, standpoint, orientation, camera, file_digest, bytes, width,
      height, note, simulated, sent, delivered)
    VALUES (:id, :agency, :inspector, :task, :item, :origin, :gnssTimeOfDay, :gnssDay, :deviceTime,
      :latitude, :longitude, :ellipsoidalHeight, :meanSeaLevelHeight, :uncertainty, :method,
      :standpoint, :orientation, :camera, :fileDigest, :bytes, :width, :height, :note,
      :simulated, :sent, :delivered)
    """

  static func values(_ photo: Photo) -> [String: (any DatabaseValueConvertible)?] {
    [
      "id": photo.id.description, "task": photo.task?.description,
      "item": photo.item?.description,
      "origin": photo.origin.rawValue,
      "gnssTimeOfDay": photo.gnssTime.millisecondsSinceMidnight,
      "gnssDay": photo.gnssTime.date?.daysSince1970,
      "deviceTime": photo.deviceTime.millisecondsSince1970,
      "latitude": photo.position.coordinate.latitudeDegrees,
      "longitude": photo.position.coordinate.longitudeDegrees,
      "ellipsoidalHeight": photo.position.ellipsoidalHeightMetres,
      "meanSeaLevelHeight": photo.position.meanSeaLevelHeightMetres,
      // No position is exact: an uncertainty of 0 says nothing, and is kept as none.
      "uncertainty": photo.position.uncertaintyMetres95.flatMap { $0 > 0 ? $0 : nil },
      "method": photo.position.method.name,
      "standpoint": photo.standpoint.map { RowJSON.text(StandpointRow($0)) },
      "orientation": photo.orientation.map { RowJSON.text(OrientationRow($0)) },
      "camera": RowJSON.text(CameraRow(photo.camera)), "fileDigest": photo.fileDigest,
      "bytes": photo.bytes, "width": photo.widthPixels, "height": photo.heightPixels,
      "note": photo.note, "simulated": photo.isSimulated,
      "sent": photo.sent?.millisecondsSince1970,
      "delivered": photo.delivered?.millisecondsSince1970,
    ]
  }

  static func photo(_ row: Row) throws -> Photo {
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
      task: (row["task"] as String?).flatMap(Identifier.init(_:)),
      item: (row["item"] as String?).flatMap(ItemName.init(_:)), origin: origin,
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

  private static func method(_ name: String) throws -> PhotoPosition.Method {
    if name == PhotoPosition.Method.fix.name { return .fix }
    guard let method = CentroidMethod(rawValue: name) else {
      throw StoreError.damagedRow("an unknown method of a position")
    }
    return .standpoint(method)
  }
}
