import Geodesy
import Positioning

/// How a picture came in.
public enum PhotoOrigin: String, Hashable, Sendable {
  /// Taken through the field unit while the gate held.
  case camera
  /// A file that was there already. It stays marked for ever.
  case imported
  /// Sent by a phone with the EGNSS4CAP or EGNSS4ALL app: no device key has sealed it.
  case egnss4cap
}

/// What the camera is known to be.
public struct CameraGeometry: Hashable, Sendable {
  /// Where the field of view comes from.
  public enum Source: String, Hashable, Sendable {
    /// The picture's own EXIF.
    case exif
    /// Measured for this device.
    case calibrated
    /// A usual value.
    case assumed
    /// Said by the app of a phone that no record seals.
    case stated
  }

  /// Horizontal field of view, degrees.
  public var horizontalDegrees: Double
  /// Vertical field of view, degrees.
  public var verticalDegrees: Double
  /// Where they come from.
  public var source: Source
  /// Whether it looks towards the person who holds it, and not away; nil where nobody says so.
  public var looksTowardsPerson: Bool? = false

  /// A geometry from its parts.
  public init(horizontalDegrees: Double, verticalDegrees: Double, source: Source) {
    self.horizontalDegrees = horizontalDegrees
    self.verticalDegrees = verticalDegrees
    self.source = source
  }

  /// A usual tablet camera, 66° across the longer side, for a picture of the given size.
  public static func assumed(widthPixels: Int, heightPixels: Int) -> CameraGeometry {
    let across = 66.0
    let along = 52.0
    return widthPixels >= heightPixels
      ? CameraGeometry(horizontalDegrees: across, verticalDegrees: along, source: .assumed)
      : CameraGeometry(horizontalDegrees: along, verticalDegrees: across, source: .assumed)
  }
}

/// A sealed photo as lists and exports show it.
public struct Photo: Hashable, Sendable {
  /// Made on the device; also the identifier of its record.
  public var id: Identifier
  /// The agency.
  public var agency: String
  /// Login of the inspector who took it.
  public var inspector: String
  /// The task it belongs to; nil for a standalone photo.
  public var task: Identifier?
  /// Camera or imported.
  public var origin: PhotoOrigin
  /// The receiver's time at the shutter; what stands in for it where none told one, see `toldGNSSTime`.
  public var gnssTime: GNSSTime
  /// The device's time at the shutter.
  public var deviceTime: DeviceTime
  /// Where it was taken.
  public var position: PhotoPosition
  /// The samples' result; nil when the position is a single fix.
  public var standpoint: Standpoint?
  /// Where the camera looked; nil when unknown.
  public var orientation: Orientation?
  /// What the camera is known to be.
  public var camera: CameraGeometry
  /// SHA-256 of the stored file, lower-case hexadecimal.
  public var fileDigest: String
  /// Size of the stored file.
  public var bytes: Int
  /// Width in pixels.
  public var widthPixels: Int
  /// Height in pixels.
  public var heightPixels: Int
  /// What the inspector wrote about it.
  public var note: String?
  /// Whether a simulator or a replay stood in for the receiver.
  public var isSimulated: Bool
  /// When Send put it into the outbox; nil before.
  public var sent: DeviceTime?
  /// When a receipt for it came; nil before.
  public var delivered: DeviceTime?

  /// A photo from its parts.
  public init(
    id: Identifier, agency: String, inspector: String, task: Identifier?, origin: PhotoOrigin,
    gnssTime: GNSSTime, deviceTime: DeviceTime, position: PhotoPosition, standpoint: Standpoint?,
    orientation: Orientation?, camera: CameraGeometry, fileDigest: String, bytes: Int,
    widthPixels: Int, heightPixels: Int, note: String? = nil, isSimulated: Bool,
    sent: DeviceTime? = nil, delivered: DeviceTime? = nil
  ) {
    self.id = id
    self.agency = agency
    self.inspector = inspector
    self.task = task
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

  /// The receiver's time at the shutter; nil where no receiver told one. A phone's photo without a dated sentence of its
  /// receiver holds the phone's own time of day as `gnssTime`, which is nobody's measurement.
  public var toldGNSSTime: GNSSTime? {
    origin == .egnss4cap && gnssTime.date == nil ? nil : gnssTime
  }

  /// The best time that there is, as lists and files call a photo by: the receiver's with its date, else its time of
  /// day, else the device's.
  public var timeText: String {
    toldGNSSTime.map { $0.rfc3339 ?? $0.timeOfDay } ?? deviceTime.rfc3339
  }

  /// Whether it claims no place: the iOS app sends 0, 0 where it has never had one.
  public var claimsNoPlace: Bool {
    origin == .egnss4cap && position.coordinate.latitudeDegrees == 0
      && position.coordinate.longitudeDegrees == 0
  }

  /// Whether its inspector may still delete it: never after Send.
  public func requireDeletable() throws(InspectionError) {
    if sent != nil { throw .alreadySent(what: "photo") }
  }
}
