import Geodesy
import Positioning
import TimeAndText

/// The way in which a picture came in.
public enum PhotoOrigin: String, Hashable, Sendable {
  /// The field unit took the picture while the gate was open.
  case camera
  /// The picture was already a file. It stays marked as imported.
  case imported
  /// A phone with the EGNSS4CAP or EGNSS4ALL app sent the picture. No device key sealed it.
  case egnss4cap
}

/// The known geometry of a camera.
public struct CameraGeometry: Hashable, Sendable {
  /// The source of the field of view.
  public enum Source: String, Hashable, Sendable {
    /// The EXIF block of the picture itself.
    case exif
    /// A measurement of this device.
    case calibrated
    /// A usual value.
    case assumed
    /// The app on a phone stated it, and no record seals it.
    case stated
  }

  /// The horizontal field of view, degrees.
  public var horizontalDegrees: Double
  /// The vertical field of view, degrees.
  public var verticalDegrees: Double
  /// The source of both angles.
  public var source: Source
  /// True if the camera looks towards the person who holds the device, false if it looks away; nil
  /// if unknown.
  public var looksTowardsPerson: Bool? = false

  /// Creates a geometry.
  public init(horizontalDegrees: Double, verticalDegrees: Double, source: Source) {
    self.horizontalDegrees = horizontalDegrees
    self.verticalDegrees = verticalDegrees
    self.source = source
  }

  /// Returns the geometry of a usual tablet camera, 66° across the longer side of the picture.
  public static func assumed(widthPixels: Int, heightPixels: Int) -> CameraGeometry {
    let across = 66.0
    let along = 52.0
    return widthPixels >= heightPixels
      ? CameraGeometry(horizontalDegrees: across, verticalDegrees: along, source: .assumed)
      : CameraGeometry(horizontalDegrees: along, verticalDegrees: across, source: .assumed)
  }
}

/// A photo as lists and exports show it.
public struct Photo: Hashable, Sendable {
  /// The identifier, made on the device; also the identifier of the photo's record.
  public var id: Identifier
  /// The stable name of the agency.
  public var agency: String
  /// The login of the inspector who took the photo.
  public var inspector: String
  /// The task that the photo belongs to; nil for a standalone photo.
  public var task: Identifier?
  /// The item of the task's order that the photo is for; nil for none.
  public var item: ItemName?
  /// The way in which the picture came in: camera, imported or egnss4cap.
  public var origin: PhotoOrigin
  /// The receiver's time at the shutter. If no receiver told one, a substitute: see `toldGNSSTime`.
  public var gnssTime: GNSSTime
  /// The device time at the shutter.
  public var deviceTime: DeviceTime
  /// The position from which the photo was taken.
  public var position: PhotoPosition
  /// The standpoint computed from the samples; nil if the position is a single fix.
  public var standpoint: Standpoint?
  /// The orientation of the camera; nil if unknown.
  public var orientation: Orientation?
  /// The known geometry of the camera.
  public var camera: CameraGeometry
  /// The SHA-256 of the stored file, in lower-case hexadecimal.
  public var fileDigest: String
  /// The size of the stored file, bytes.
  public var bytes: Int
  /// The width, pixels.
  public var widthPixels: Int
  /// The height, pixels.
  public var heightPixels: Int
  /// The inspector's note on the photo; nil if there is none.
  public var note: String?
  /// True if a simulator or a replay stood in for the receiver.
  public var isSimulated: Bool
  /// The time at which Send put the photo into the outbox; nil before that.
  public var sent: DeviceTime?
  /// The time at which a receipt for the photo came; nil before that.
  public var delivered: DeviceTime?

  /// Creates a photo.
  public init(
    id: Identifier, agency: String, inspector: String, task: Identifier?,
    item: ItemName? = nil, origin: PhotoOrigin,
    gnssTime: GNSSTime, deviceTime: DeviceTime, position: PhotoPosition, standpoint: Standpoint?,
    orientation: Orientation?, camera: CameraGeometry, fileDigest: String, bytes: Int,
    widthPixels: Int, heightPixels: Int, note: String? = nil, isSimulated: Bool,
    sent: DeviceTime? = nil, delivered: DeviceTime? = nil
  ) {
    self.id = id
    self.agency = agency
    self.inspector = inspector
    self.task = task
    self.item = item
    self.origin = origin
    self.gnssTime = gnssTime
    self.deviceTime = deviceTime
    self.position = position
    self.standpoint = standpoint
    self.orientation = orientation
    self.camera = camera
    self.fileDigest = fileDigest
    self.bytes = bytes
    self.widthPixels = widthPixels
    self.heightPixels = heightPixels
    self.note = note
    self.isSimulated = isSimulated
    self.sent = sent
    self.delivered = delivered
  }

  /// The receiver's time at the shutter; nil if no receiver told one. If a phone's app sent no
  /// dated sentence of its receiver, `gnssTime` holds the phone's own time of day, which no
  /// receiver measured.
  public var toldGNSSTime: GNSSTime? {
    origin == .egnss4cap && gnssTime.date == nil ? nil : gnssTime
  }

  /// The best known time, by which lists and files name a photo: the receiver's time with its date,
  /// or else its time of day, or else the device time.
  public var timeText: String {
    toldGNSSTime.map { $0.rfc3339 ?? $0.timeOfDay } ?? deviceTime.rfc3339
  }

  /// True if the photo claims no place: the iOS app sends 0, 0 if it has never had a position.
  public var claimsNoPlace: Bool {
    origin == .egnss4cap && position.coordinate.latitudeDegrees == 0
      && position.coordinate.longitudeDegrees == 0
  }

  /// Checks that the inspector may still delete the photo: never after Send.
  /// - Throws: `InspectionError.alreadySent`.
  public func requireDeletable() throws(InspectionError) {
    if sent != nil { throw .alreadySent(what: "photo") }
  }
}
