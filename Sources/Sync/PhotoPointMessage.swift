import Geodesy
import Inspection
import TimeAndText

/// One photo point on its way to a field unit.
public struct PhotoPointMessage: Codable, Hashable, Sendable {
  /// A photo that the point rests on.
  public struct Picture: Codable, Hashable, Sendable {
    /// The photo's identifier.
    public var photo: String
    /// The SHA-256 of its file at the office, in hexadecimal.
    public var digest: String
  }

  /// A place.
  public struct Place: Codable, Hashable, Sendable {
    /// The latitude, degrees.
    public var latitudeDegrees: Double
    /// The longitude, degrees.
    public var longitudeDegrees: Double
  }

  /// The attitude of the reference photo.
  public struct Attitude: Codable, Hashable, Sendable {
    /// The unit quaternion w, x, y, z; nil if unknown.
    public var quaternion: [Double]?
    /// The turn of the screen, degrees: 0, 90, 180 or 270.
    public var screenDegrees: Int
    /// The azimuth from true north, degrees; nil if unknown.
    public var azimuthDegreesTrue: Double?
    /// The elevation of the lens, degrees; nil if unknown.
    public var elevationDegrees: Double?
    /// The roll about the lens, degrees; nil if unknown.
    public var rollDegrees: Double?
    /// The source of the attitude.
    public var source: String
    /// The accuracy of the azimuth, degrees; nil if unknown.
    public var azimuthAccuracyDegrees: Double?
  }

  /// The identifier.
  public var id: String
  /// The code on the label.
  public var code: String?
  /// The name; nil if it has none.
  public var name: String?
  /// The identifier of the parcel; nil if it belongs to none.
  public var parcel: String?
  /// The reference photo.
  public var reference: Picture
  /// The time at which the reference photo was taken.
  public var taken: String
  /// The width of the reference photo, pixels.
  public var widthPixels: Int
  /// The height of the reference photo, pixels.
  public var heightPixels: Int
  /// The place of the reference photo.
  public var place: Place
  /// The radius that holds the true place with 95 %, metres; nil if unknown.
  public var uncertaintyMetres95: Double?
  /// The attitude of the reference photo; nil if unknown.
  public var attitude: Attitude?
  /// The horizontal field of view, degrees.
  public var horizontalDegrees: Double
  /// The vertical field of view, degrees.
  public var verticalDegrees: Double
  /// The source of the field of view.
  public var viewSource: String
  /// The source of place and attitude.
  public var pose: String
  /// The photo of the ground; nil if there is none.
  public var footing: Picture?
  /// The place of the thing that is photographed; nil if nobody has set it.
  public var subject: Place?
  /// The login of the maker.
  public var maker: String
  /// The time at which the point was made.
  public var made: String

  /// Creates the message for a point.
  public init(_ point: PhotoPoint) {
    func picture(_ picture: PhotoPoint.Picture) -> Picture {
      Picture(photo: picture.photo.description, digest: picture.digest)
    }
    func place(_ place: Coordinate) -> Place {
      Place(latitudeDegrees: place.latitudeDegrees, longitudeDegrees: place.longitudeDegrees)
    }
    id = point.id.description
    code = point.code?.description
    name = point.name
    parcel = point.parcel
    reference = picture(point.reference)
    taken = point.taken.rfc3339
    widthPixels = point.widthPixels
    heightPixels = point.heightPixels
    self.place = place(point.stand.coordinate)
    uncertaintyMetres95 = point.stand.uncertaintyMetres95
    attitude = point.stand.orientation.map { known in
      Attitude(
        quaternion: known.quaternion.map { [$0.w, $0.x, $0.y, $0.z] },
        screenDegrees: known.screenDegrees, azimuthDegreesTrue: known.azimuthDegreesTrue,
        elevationDegrees: known.elevationDegrees, rollDegrees: known.rollDegrees,
        source: known.source.rawValue, azimuthAccuracyDegrees: known.azimuthAccuracyDegrees)
    }
    horizontalDegrees = point.camera.horizontalDegrees
    verticalDegrees = point.camera.verticalDegrees
    viewSource = point.camera.source.rawValue
    pose = point.pose.rawValue
    footing = point.footing.map(picture)
    subject = point.subject.map(place)
    maker = point.maker
    made = point.made.rfc3339
  }

  /// Reads the point in the message, as a point of this agency.
  /// - Throws: `SyncError.malformedMessage` with the faulty member.
  public func point(in agency: String) throws(SyncError) -> PhotoPoint {
    func needed<Value>(_ value: Value?, _ name: String) throws(SyncError) -> Value {
      guard let value else { throw .malformedMessage("photo point \(id): \(name) is not valid") }
      return value
    }
    func place(_ place: Place) -> Coordinate? {
      Coordinate(
        latitudeDegrees: place.latitudeDegrees, longitudeDegrees: place.longitudeDegrees)
    }
    func isView(_ degrees: Double) -> Bool { degrees > 0 && degrees < 180 }
    func isSide(_ pixels: Int) -> Bool { (1...65_535).contains(pixels) }
    guard isView(horizontalDegrees), isView(verticalDegrees), isSide(widthPixels),
      isSide(heightPixels), uncertaintyMetres95.map({ $0 >= 0 && $0 < 1e7 }) ?? true
    else { throw .malformedMessage("photo point \(id): a number is not valid") }
    let orientation: Orientation? =
      if let attitude { try needed(attitude.orientation, "attitude") } else { nil }
    var point = PhotoPoint(
      id: try needed(Identifier(id), "id"), agency: agency,
      reference: try needed(reference.picture, "reference"),
      taken: try needed(DeviceTime(rfc3339: taken), "taken"), widthPixels: widthPixels,
      heightPixels: heightPixels,
      stand: RepeatMeasure.Stand(
        coordinate: try needed(place(self.place), "place"),
        uncertaintyMetres95: uncertaintyMetres95, orientation: orientation),
      pose: try needed(PhotoPoint.Pose(rawValue: pose), "pose"),
      camera: CameraGeometry(
        horizontalDegrees: horizontalDegrees, verticalDegrees: verticalDegrees,
        source: try needed(CameraGeometry.Source(rawValue: viewSource), "viewSource")),
      maker: maker, made: try needed(DeviceTime(rfc3339: made), "made"))
    do {
      point.name = try PhotoPointRule.name(name)
    } catch {
      throw .malformedMessage("photo point \(id): name is not valid")
    }
    if let code { point.code = try needed(PhotoPointCode(code), "code") }
    if let footing { point.footing = try needed(footing.picture, "footing") }
    if let subject { point.subject = try needed(place(subject), "subject") }
    point.parcel = parcel
    return point
  }
}

extension PhotoPointMessage.Picture {
  /// The picture; nil if a value is not valid.
  fileprivate var picture: PhotoPoint.Picture? {
    guard let id = Identifier(photo), digest.utf8.count == 64,
      digest.utf8.allSatisfy({ (0x30...0x39).contains($0) || (0x61...0x66).contains($0) })
    else { return nil }
    return PhotoPoint.Picture(photo: id, digest: digest)
  }
}

extension PhotoPointMessage.Attitude {
  /// The orientation; nil if a value is not valid.
  fileprivate var orientation: Orientation? {
    guard let source = Orientation.Source(rawValue: source),
      [0, 90, 180, 270].contains(screenDegrees),
      [azimuthDegreesTrue, elevationDegrees, rollDegrees, azimuthAccuracyDegrees]
        .allSatisfy({ abs($0 ?? 0) <= 360 })
    else { return nil }
    var orientation = Orientation(
      azimuthDegreesTrue: azimuthDegreesTrue, elevationDegrees: elevationDegrees,
      rollDegrees: rollDegrees, source: source, screenDegrees: screenDegrees)
    orientation.azimuthAccuracyDegrees = azimuthAccuracyDegrees
    if let parts = quaternion {
      let length = parts.reduce(0) { $0 + $1 * $1 }.squareRoot()
      guard parts.count == 4, abs(length - 1) < 1e-3 else { return nil }
      orientation.quaternion = Quaternion(w: parts[0], x: parts[1], y: parts[2], z: parts[3])
    }
    return orientation
  }
}

/// The photo points around an inspector's tasks.
public struct PhotoPointListMessage: Codable, Hashable, Sendable {
  /// The schema's name and version.
  public static let schema = "standpoint.photo-points/1"
  /// The most bytes of the message.
  public static let bytesAtMost = 8 * 1024 * 1024

  /// The name and version of this message.
  public var schema = Self.schema
  /// The points, each once, those nearest to a task first.
  public var points: [PhotoPointMessage]
  /// True if there are more than come to a device.
  public var isCut: Bool
  /// The inspector's own points that an officer has withdrawn: they go from the device. Nil, in the
  /// list of an older office, for none.
  public var withdrawn: [String]?

  /// Creates a list.
  public init(points: [PhotoPoint] = [], isCut: Bool = false, withdrawn: [Identifier] = []) {
    self.points = points.map(PhotoPointMessage.init)
    self.isCut = isCut
    self.withdrawn = withdrawn.isEmpty ? nil : withdrawn.map(\.description)
  }

  /// The contents of a list, read and checked.
  public struct Contents: Hashable, Sendable {
    /// The points, each once.
    public var points: [PhotoPoint]
    /// The inspector's own points that an officer has withdrawn.
    public var withdrawn: [Identifier]
  }

  /// Reads a list from the network.
  /// - Throws: `SyncError`, also if one value is not valid: then nothing of the list is used.
  public static func contents(
    _ bytes: [UInt8], in agency: String
  ) throws(SyncError) -> Contents {
    guard bytes.count <= bytesAtMost else {
      throw .malformedMessage("it has more than \(bytesAtMost) bytes")
    }
    let message = try WireJSON.message(Self.self, bytes)
    guard message.schema == schema else {
      throw .unknownSchema(found: message.schema, expected: schema)
    }
    let names = message.withdrawn ?? []
    guard message.points.count <= PhotoPointRule.onDeviceAtMost,
      names.count <= PhotoPointRule.onDeviceAtMost
    else {
      throw .malformedMessage("it has more than \(PhotoPointRule.onDeviceAtMost) photo points")
    }
    var points: [PhotoPoint] = []
    for one in message.points { points.append(try one.point(in: agency)) }
    guard Set(points.map(\.id)).count == points.count else {
      throw .malformedMessage("a photo point is in it twice")
    }
    let withdrawn = names.compactMap(Identifier.init(_:))
    guard withdrawn.count == names.count else {
      throw .malformedMessage("a withdrawn photo point has no valid identifier")
    }
    return Contents(points: points, withdrawn: withdrawn)
  }
}

/// A photo point that a field unit has made, on its way to the office. Place, attitude and digest
/// come from the sealed photo that the office holds, not from this message.
public struct NewPhotoPointMessage: Codable, Hashable, Sendable {
  /// The schema's name and version.
  public static let schema = "standpoint.new-photo-point/1"

  /// The name and version of this message.
  public var schema = Self.schema
  /// The point's identifier, made on the device: a repeated message changes nothing.
  public var id: String
  /// The reference photo.
  public var photo: String
  /// The photo of the ground; nil if there is none.
  public var footing: String?
  /// The name; nil if it has none.
  public var name: String?
  /// The identifier of the parcel; nil if it belongs to none.
  public var parcel: String?
  /// The place of the thing that is photographed; nil if nobody has set it.
  public var subject: PhotoPointMessage.Place?
  /// The time at which the point was made, by the device's clock.
  public var made: String

  /// Creates the message for a point.
  public init(_ point: PhotoPoint) {
    id = point.id.description
    photo = point.reference.photo.description
    footing = point.footing?.photo.description
    name = point.name
    parcel = point.parcel
    subject = point.subject.map {
      PhotoPointMessage.Place(
        latitudeDegrees: $0.latitudeDegrees, longitudeDegrees: $0.longitudeDegrees)
    }
    made = point.made.rfc3339
  }

  /// The values of the message.
  public struct Values: Hashable, Sendable {
    /// The point's identifier.
    public var id: Identifier
    /// The reference photo.
    public var photo: Identifier
    /// The photo of the ground; nil if there is none.
    public var footing: Identifier?
    /// The place of the thing that is photographed; nil if nobody has set it.
    public var subject: Coordinate?
    /// The time at which the point was made.
    public var made: DeviceTime
  }

  /// Reads the values of the message.
  /// - Throws: `SyncError` with the faulty member.
  public func values() throws(SyncError) -> Values {
    guard schema == Self.schema else { throw .unknownSchema(found: schema, expected: Self.schema) }
    guard let id = Identifier(id), let photo = Identifier(photo),
      let made = DeviceTime(rfc3339: made)
    else { throw .malformedMessage("the photo point's id, photo or made is not valid") }
    var values = Values(id: id, photo: photo, made: made)
    if let footing {
      guard let id = Identifier(footing) else {
        throw .malformedMessage("the photo point's footing is not valid")
      }
      values.footing = id
    }
    if let subject {
      guard
        let place = Coordinate(
          latitudeDegrees: subject.latitudeDegrees, longitudeDegrees: subject.longitudeDegrees)
      else { throw .malformedMessage("the photo point's subject is not valid") }
      values.subject = place
    }
    return values
  }
}
