import Geodesy
import TimeAndText

/// A place, an attitude and a reference photo, kept by an agency so that the same view can be
/// photographed again. Every photo point of an agency is open to all its inspectors.
public struct PhotoPoint: Hashable, Sendable {
  /// A photo that the point rests on.
  public struct Picture: Hashable, Sendable {
    /// The photo.
    public var photo: Identifier
    /// The SHA-256 of the photo's stored file, in lower-case hexadecimal.
    public var digest: String

    /// Creates the picture of a photo.
    public init(photo: Identifier, digest: String) {
      (self.photo, self.digest) = (photo, digest)
    }
  }

  /// The pictures that a point can rest on.
  public enum PictureKind: String, CaseIterable, Sendable {
    /// The view that is to be repeated.
    case reference
    /// The ground under the feet of the person who took the reference photo.
    case footing
  }

  /// The source of place and attitude.
  public enum Pose: String, Hashable, Sendable {
    /// The sealed record of the reference photo.
    case measured
    /// An officer, who has set them on a map.
    case estimated
  }

  /// The identifier, made by whoever made the point.
  public var id: Identifier
  /// The stable name of the agency.
  public var agency: String
  /// The code on the point's label; nil until the office has given one.
  public var code: PhotoPointCode?
  /// The name; nil if it has none.
  public var name: String?
  /// The identifier of the parcel; nil if it belongs to none.
  public var parcel: String?
  /// The reference photo.
  public var reference: Picture
  /// The device time at which the reference photo was taken.
  public var taken: DeviceTime
  /// The width of the reference photo, pixels.
  public var widthPixels: Int
  /// The height of the reference photo, pixels.
  public var heightPixels: Int
  /// The place and the attitude of the reference photo. The place is never moved by hand.
  public var stand: RepeatMeasure.Stand
  /// The source of place and attitude.
  public var pose: Pose
  /// True if the time of day of `taken` is known. An archive picture has a day only: its time reads
  /// noon UTC, and is not shown.
  public var isTimeOfDayKnown: Bool { pose == .measured }
  /// The field of view of the reference photo.
  public var camera: CameraGeometry
  /// The photo of the ground under the inspector's feet; nil if there is none.
  public var footing: Picture?
  /// The place of the thing that is photographed, set by hand; nil if nobody has set it.
  public var subject: Coordinate?
  /// The login of the person who made the point.
  public var maker: String
  /// The time at which the point was made.
  public var made: DeviceTime
  /// The time at which an officer withdrew the point: devices get it no more, unless a task names
  /// it. Nil if nobody has. Only the office knows it.
  public var withdrawn: DeviceTime?

  /// Creates the point of a photo, without a code, a name, a footing photo or a subject.
  /// - Parameter id: the point's own identifier.
  /// - Throws: `InspectionError.photoPoint` if the photo cannot be a reference.
  public init(
    id: Identifier, of photo: Photo, maker: String, made: DeviceTime
  ) throws(InspectionError) {
    guard photo.origin != .egnss4cap, let stand = RepeatMeasure.Stand(of: photo) else {
      throw .photoPoint(.unsealed)
    }
    self.init(
      id: id, agency: photo.agency, reference: Picture(photo: photo.id, digest: photo.fileDigest),
      taken: photo.deviceTime, widthPixels: photo.widthPixels, heightPixels: photo.heightPixels,
      stand: stand, pose: .measured, camera: photo.camera, maker: maker, made: made)
  }

  /// Creates a point from its values, without a code, a name, a footing photo or a subject.
  public init(
    id: Identifier, agency: String, reference: Picture, taken: DeviceTime, widthPixels: Int,
    heightPixels: Int, stand: RepeatMeasure.Stand, pose: Pose, camera: CameraGeometry,
    maker: String, made: DeviceTime
  ) {
    self.id = id
    self.agency = agency
    self.reference = reference
    self.taken = taken
    self.widthPixels = widthPixels
    self.heightPixels = heightPixels
    self.stand = stand
    self.pose = pose
    self.camera = camera
    self.maker = maker
    self.made = made
  }

  /// Returns one of the pictures; nil if the point has none of this kind.
  public func picture(_ kind: PictureKind) -> Picture? {
    kind == .reference ? reference : footing
  }

  /// The name for people: the point's own, or else its code, or else the end of its identifier.
  public var title: String { name ?? code?.spaced ?? String(id.description.suffix(8)) }
}

/// A reason why a photo point cannot be made or kept.
public enum PhotoPointRefusal: String, Hashable, Sendable {
  /// The photo has no seal or claims no place.
  case unsealed
  /// The photo was deleted or hidden.
  case gone
  /// The name has too many characters, or characters that cannot be printed.
  case name
  /// The identifier of the parcel has too many characters.
  case parcel
  /// A reason was given for a point that the task does not name.
  case notNamed

  /// The words for people.
  public var wording: Wording {
    switch self {
    case .unsealed:
      "a photo point needs a sealed photo with a place; this photo has no seal, or claims no place"
    case .gone: "this photo was deleted or hidden: show it again, or choose another"
    case .name:
      "the name of a photo point has at most \(PhotoPointRule.nameCharactersAtMost) characters, all of them printable"
    case .parcel:
      "a parcel's identifier has at most \(PhotoPointRule.parcelCharactersAtMost) characters"
    case .notNamed: "the task does not name this photo point: choose one that its page lists"
    }
  }
}

/// The rules of photo points.
public enum PhotoPointRule {
  /// The most characters of a name.
  public static let nameCharactersAtMost = 100
  /// The most bytes of a name, UTF-8: a character may be made of many.
  public static let nameBytesAtMost = 400
  /// The most characters of a parcel's identifier.
  public static let parcelCharactersAtMost = 200
  /// The most bytes of a parcel's identifier, UTF-8.
  public static let parcelBytesAtMost = 800
  /// The distance within which *Nearby* looks, unless a person sets another, metres.
  public static let nearbyMetres = 2500.0
  /// The distances that a person may set for *Nearby*, metres.
  public static let nearbyMetresAllowed = 100.0...50_000.0
  /// The most points that *Nearby* lists.
  public static let nearbyAtMost = 200
  /// The distance from a task's parcel within which points come to the device, metres.
  public static let aroundTasksMetres = 2500.0
  /// The most points that come to one device.
  public static let onDeviceAtMost = 2000

  /// Returns a name without spaces around it; nil for an empty one.
  /// - Throws: `InspectionError.photoPoint(.name)`.
  public static func name(_ text: String?) throws(InspectionError) -> String? {
    var name = Substring(text ?? "")
    while name.first?.isWhitespace == true { name.removeFirst() }
    while name.last?.isWhitespace == true { name.removeLast() }
    guard name.count <= nameCharactersAtMost, name.utf8.count <= nameBytesAtMost,
      name.unicodeScalars.allSatisfy({ $0.value >= 0x20 && !(0x7F..<0xA0).contains($0.value) })
    else { throw .photoPoint(.name) }
    return name.isEmpty ? nil : String(name)
  }

  /// Returns a parcel's identifier as it is; nil for an empty one.
  /// - Throws: `InspectionError.photoPoint(.parcel)`.
  public static func parcel(_ identifier: String?) throws(InspectionError) -> String? {
    guard let identifier, !identifier.isEmpty else { return nil }
    guard identifier.utf8.count <= parcelBytesAtMost, identifier.count <= parcelCharactersAtMost
    else { throw .photoPoint(.parcel) }
    return identifier
  }
}
