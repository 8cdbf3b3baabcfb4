import Evidence
import Geodesy
import Imagery
import Inspection
import Store
import Sync
import TimeAndText

/// The entries for a photo point that rests on an archive picture.
package struct ArchiveOrder: Sendable {
  /// The identifier of the picture that was uploaded.
  package var picture: Identifier
  /// The name; nil for none.
  package var name: String?
  /// The identifier of the parcel; nil if it belongs to none.
  package var parcel: String?
  /// The place from which the picture was taken, set on a map.
  package var place: Coordinate
  /// The radius in which the true place lies, as the officer judges it, metres.
  package var uncertaintyMetres: Double
  /// The direction of the camera from true north, degrees; nil if nobody knows it.
  package var azimuthDegreesTrue: Double?
  /// The error of that direction, as the officer judges it, degrees; nil if nobody knows it.
  package var azimuthAccuracyDegrees: Double?
  /// The day on which the picture was taken.
  package var taken: DeviceTime

  /// Creates the entries, without a name, a parcel and a direction.
  package init(
    picture: Identifier, place: Coordinate, uncertaintyMetres: Double, taken: DeviceTime
  ) {
    (self.picture, self.place) = (picture, place)
    (self.uncertaintyMetres, self.taken) = (uncertaintyMetres, taken)
  }
}

extension PhotoPoints {
  /// Keeps an archive picture for a photo point that is to be made of it. The picture is checked as
  /// a delivered one is: it has to be a JPEG that can be decoded to its end.
  /// - Returns: the picture's identifier.
  /// - Throws: `OfficeRefusal` (input-invalid, file-too-large, disk-low).
  package func keepArchive(picture bytes: [UInt8], in agency: String) throws -> Identifier {
    guard bytes.count <= ArchiveRule.bytesAtMost else {
      throw OfficeRefusal(
        .fileTooLarge, "the picture has more than \(ArchiveRule.bytesAtMost >> 20) MB")
    }
    do {
      _ = try JPEGPicture.inspect(bytes)
      try JPEGPicture.verifyDecodes(bytes)
    } catch {
      throw OfficeRefusal(.inputInvalid, "the picture cannot be used: \("\(error)")")
    }
    guard CompositeReading(bytes) == nil else {
      throw OfficeRefusal(
        .inputInvalid, "the picture is a composite of two photos, not a photograph")
    }
    try requireDisk()
    let id = Identifier(at: clock.deviceTime)
    try photos.write(bytes, as: EvidenceName.archive(id, agency: agency))
    return id
  }

  /// Returns a small copy of an archive picture, for the page on which its place is set.
  /// - Throws: `OfficeRefusal` (unknown).
  package func archivePreview(_ id: Identifier, in agency: String) throws -> [UInt8] {
    try Thumbnail.jpeg(of: archive(id, in: agency))
  }

  private func archive(_ id: Identifier, in agency: String) throws -> [UInt8] {
    guard let bytes = try photos.bytes(of: EvidenceName.archive(id, agency: agency)) else {
      throw OfficeRefusal(.unknown, "this picture is not here: upload it again")
    }
    return bytes
  }

  /// Makes a photo point of an archive picture. Its place and its direction are estimates, and say
  /// so wherever they are shown.
  /// - Throws: `OfficeRefusal` (unknown, input-invalid), `InspectionError.photoPoint`.
  package func make(
    _ order: ArchiveOrder, by login: String, in agency: String
  ) async throws -> PhotoPoint {
    // A picture makes one point: a form that comes twice gets the point of its first time.
    let known = try await database.read(in: agency) { try $0.points.point(order.picture) }
    if let known { return known }
    let bytes = try archive(order.picture, in: agency)
    let picture = try JPEGPicture.inspect(bytes)
    let now = clock.deviceTime
    var stand = RepeatMeasure.Stand(
      coordinate: order.place, uncertaintyMetres95: order.uncertaintyMetres, orientation: nil)
    if let azimuth = order.azimuthDegreesTrue {
      // Of an old picture nobody knows the tilt: most are taken level.
      var orientation = Orientation(
        azimuthDegreesTrue: azimuth, elevationDegrees: 0, rollDegrees: 0, source: .stated)
      orientation.azimuthAccuracyDegrees = order.azimuthAccuracyDegrees
      stand.orientation = orientation
    }
    var point = PhotoPoint(
      id: order.picture, agency: agency,
      reference: PhotoPoint.Picture(
        photo: order.picture, digest: Digest.hexadecimal(bytes)), taken: order.taken,
      widthPixels: picture.widthPixels, heightPixels: picture.heightPixels, stand: stand,
      pose: .estimated,
      camera: .assumed(
        widthPixels: picture.widthPixels, heightPixels: picture.heightPixels), maker: login,
      made: now)
    point.name = try PhotoPointRule.name(order.name)
    point.parcel = try PhotoPointRule.parcel(order.parcel)
    return try await insert(point, by: login, in: agency)
  }

  /// Returns the bytes of the picture that a point rests on: of the sealed photo, or of the archive
  /// picture; nil if the file is missing.
  package func original(of point: PhotoPoint, _ picture: PhotoPoint.Picture) throws -> [UInt8]? {
    try photos.bytes(of: EvidenceName.original(of: point, picture))
  }
}

extension PhotoPointRecords {
  private static var pointsAtOnce: Int { 500 }

  /// Calls `body` with the name and the digest of each archive picture that a point rests on.
  func forEachArchivePicture(
    _ body: (_ name: String, _ digest: String) throws -> Void
  ) throws {
    var place: ListPlace?
    repeat {
      let page = try page(
        named: nil, isWithdrawn: nil, after: place, limit: Self.pointsAtOnce)
      for point in page.points where point.pose == .estimated {
        try body(
          EvidenceName.archive(point.reference.photo, agency: point.agency),
          point.reference.digest)
      }
      place = page.next
    } while place != nil
  }
}
