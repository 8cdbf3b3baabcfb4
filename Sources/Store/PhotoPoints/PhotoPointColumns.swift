import GRDB
import Geodesy
import Inspection
import TimeAndText

/// The columns of the table `photo_point`, which the field unit and the office both have. None of
/// them is JSON: *Nearby* reads two hundred rows while a finger waits.
enum PhotoPointColumns {
  private static let names = [
    "id", "agency", "code", "name", "parcel", "photo", "digest", "taken", "width", "height",
    "latitude", "longitude", "uncertainty_95", "quaternion_w", "quaternion_x", "quaternion_y",
    "quaternion_z", "screen", "azimuth", "elevation", "roll", "azimuth_accuracy",
    "attitude_source", "view_across", "view_along", "view_source", "pose", "footing",
    "footing_digest", "subject_latitude", "subject_longitude", "maker", "made",
  ]

  /// The statement that adds a row; further columns have arguments of their own names.
  static func insert(with others: [String] = []) -> String {
    let all = names + others
    return """
      INSERT INTO photo_point (\(all.joined(separator: ", ")))
      VALUES (\(all.map { ":\($0)" }.joined(separator: ", ")))
      """
  }

  static func values(_ point: PhotoPoint) -> [String: (any DatabaseValueConvertible)?] {
    let (stand, attitude) = (point.stand, point.stand.orientation)
    return [
      "id": point.id.description, "code": point.code?.description, "name": point.name,
      "parcel": point.parcel, "photo": point.reference.photo.description,
      "digest": point.reference.digest, "taken": point.taken.millisecondsSince1970,
      "width": point.widthPixels, "height": point.heightPixels,
      "latitude": stand.coordinate.latitudeDegrees,
      "longitude": stand.coordinate.longitudeDegrees,
      "uncertainty_95": stand.uncertaintyMetres95.flatMap { $0 > 0 ? $0 : nil },
      "quaternion_w": attitude?.quaternion?.w, "quaternion_x": attitude?.quaternion?.x,
      "quaternion_y": attitude?.quaternion?.y, "quaternion_z": attitude?.quaternion?.z,
      "screen": attitude?.screenDegrees, "azimuth": attitude?.azimuthDegreesTrue,
      "elevation": attitude?.elevationDegrees, "roll": attitude?.rollDegrees,
      "azimuth_accuracy": attitude?.azimuthAccuracyDegrees,
      "attitude_source": attitude?.source.rawValue,
      "view_across": point.camera.horizontalDegrees, "view_along": point.camera.verticalDegrees,
      "view_source": point.camera.source.rawValue, "pose": point.pose.rawValue,
      "footing": point.footing?.photo.description, "footing_digest": point.footing?.digest,
      "subject_latitude": point.subject?.latitudeDegrees,
      "subject_longitude": point.subject?.longitudeDegrees, "maker": point.maker,
      "made": point.made.millisecondsSince1970,
    ]
  }

  static func point(_ row: Row) throws -> PhotoPoint {
    let id: String = row["id"]
    let damaged = StoreError.damagedRow("photo point \(id)")
    guard let identifier = Identifier(id), let reference = picture(row["photo"], row["digest"]),
      let coordinate = place(row["latitude"], row["longitude"]),
      let pose = PhotoPoint.Pose(rawValue: row["pose"]),
      let source = CameraGeometry.Source(rawValue: row["view_source"])
    else { throw damaged }
    var point = PhotoPoint(
      id: identifier, agency: row["agency"], reference: reference,
      taken: DeviceTime(millisecondsSince1970: row["taken"]), widthPixels: row["width"],
      heightPixels: row["height"],
      stand: RepeatMeasure.Stand(
        coordinate: coordinate, uncertaintyMetres95: row["uncertainty_95"],
        orientation: try orientation(row, damaged)), pose: pose,
      camera: CameraGeometry(
        horizontalDegrees: row["view_across"], verticalDegrees: row["view_along"], source: source),
      maker: row["maker"], made: DeviceTime(millisecondsSince1970: row["made"]))
    if let code: String = row["code"] {
      guard let code = PhotoPointCode(code) else { throw damaged }
      point.code = code
    }
    point.name = row["name"]
    point.parcel = row["parcel"]
    point.footing = picture(row["footing"], row["footing_digest"])
    point.subject = place(row["subject_latitude"], row["subject_longitude"])
    // Only the office has this column.
    if let withdrawn: Int64 = row["withdrawn"] {
      point.withdrawn = DeviceTime(millisecondsSince1970: withdrawn)
    }
    return point
  }

  private static func picture(_ photo: String?, _ digest: String?) -> PhotoPoint.Picture? {
    guard let photo = photo.flatMap(Identifier.init(_:)), let digest else { return nil }
    return PhotoPoint.Picture(photo: photo, digest: digest)
  }

  private static func place(_ latitude: Double?, _ longitude: Double?) -> Coordinate? {
    guard let latitude, let longitude else { return nil }
    return Coordinate(latitudeDegrees: latitude, longitudeDegrees: longitude)
  }

  private static func orientation(_ row: Row, _ damaged: StoreError) throws -> Orientation? {
    guard let name: String = row["attitude_source"] else { return nil }
    guard let source = Orientation.Source(rawValue: name) else { throw damaged }
    var orientation = Orientation(
      azimuthDegreesTrue: row["azimuth"], elevationDegrees: row["elevation"],
      rollDegrees: row["roll"], source: source, screenDegrees: row["screen"] ?? 0)
    if let w: Double = row["quaternion_w"], let x: Double = row["quaternion_x"],
      let y: Double = row["quaternion_y"], let z: Double = row["quaternion_z"]
    {
      orientation.quaternion = Quaternion(w: w, x: x, y: y, z: z)
    }
    orientation.azimuthAccuracyDegrees = row["azimuth_accuracy"]
    return orientation
  }
}

/// The JSON of a repeat's claims.
struct RepeatRow: Codable {
  var distance: Double
  var uncertainty: Double?
  var angle: Double?
  var roll: Double?
  var pitch: Double?
  var yaw: Double?
  var inliers: Int?
  var displacement: Double?

  init(_ claims: RepeatClaims) {
    distance = claims.distanceMetres
    uncertainty = claims.distanceUncertaintyMetres95
    (angle, roll) = (claims.angleDegrees, claims.rollDegrees)
    (pitch, yaw) = (claims.pitchDegrees, claims.yawDegrees)
    (inliers, displacement) = (claims.inliers, claims.displacementPercent)
  }

  func claims(point: Identifier, digest: String) -> RepeatClaims {
    var claims = RepeatClaims(point: point, referenceDigest: digest, distanceMetres: distance)
    claims.distanceUncertaintyMetres95 = uncertainty
    (claims.angleDegrees, claims.rollDegrees) = (angle, roll)
    (claims.pitchDegrees, claims.yawDegrees) = (pitch, yaw)
    (claims.inliers, claims.displacementPercent) = (inliers, displacement)
    return claims
  }
}
