import Imagery
import Inspection

/// A photo's claims written into its file: EXIF, XMP, and a C2PA manifest. The picture's own bytes stay
/// as they are.
public struct PhotoEmbedding: Sendable {
  private let metadata: JPEGMetadata

  /// - Parameter frame: the JPEG as it was handed over.
  /// - Throws: `ImageryError`.
  public init(frame: [UInt8]) throws {
    metadata = try JPEGMetadata(frame)
  }

  /// The file to be stored.
  ///
  /// What the photo carries already stays. Where its EXIF or XMP is damaged, or has no room for more, it
  /// stays alone, and the manifest speaks for the rest.
  ///
  /// - Parameters:
  ///   - record: the capture's.
  ///   - parcel: that of its task, to which EXIF tells bearing and distance; nil without one.
  ///   - position: where the photo was taken.
  ///   - certificate: that of the device's key; nil before the first sign-in: there is no manifest then,
  ///     which strangers could not check.
  /// - Throws: what the key throws when it does not sign.
  public func file(
    record: JSONValue, parcel: Parcel?, position: PhotoPosition, source: PictureSource,
    certificate: EvidenceCertificate?, key: any DeviceKey
  ) throws -> [UInt8] {
    let isImported = source == .imported
    let destination = parcel?.distanceMetres(to: position.coordinate).map { distance in
      ExifClaims.Destination(
        bearingDegrees: distance > 0 ? parcel?.bearingDegrees(from: position.coordinate) : nil,
        distanceMetres: distance)
    }
    let (head, tail) = try metadata.parts(
      exif: exif(ExifClaims(record: record), isImported, destination),
      xmp: XMPClaims(record: record).packet(addingTo: metadata.xmp))
    guard let certificate else { return head + tail }
    let segments = try CaptureManifest.segments(
      between: head, and: tail, record: record, source: source, certificate: certificate, key: key)
    var file: [UInt8] = []
    file.reserveCapacity(head.count + segments.count + tail.count)
    file += head
    file += segments
    file += tail
    return file
  }

  private func exif(
    _ claims: ExifClaims, _ isImported: Bool, _ destination: ExifClaims.Destination?
  ) -> [UInt8]? {
    do throws(ExifBlock.Problem) {
      let known = try metadata.exif.map { (bytes) throws(ExifBlock.Problem) in try ExifBlock(bytes)
      }
      return try claims.block(
        addingTo: known, isImported: isImported, destination: destination
      ).bytes
    } catch {
      return nil
    }
  }

  // MARK: reading

  /// What a photo's file says otherwise than its record: in EXIF, in XMP, in its manifest.
  static func problems(
    in file: [UInt8], record: JSONValue, key: String
  ) -> [(check: Finding.Check, words: String)] {
    guard let metadata = try? JPEGMetadata(file) else { return [] }
    var problems: [(Finding.Check, String)] = []
    for tag in exifDifferences(metadata, record) {
      problems.append((.exif, "the EXIF tag \(tag) is not what the record says"))
    }
    if let packet = metadata.xmp,
      let names = XMPClaims(record: record).differences(in: packet), !names.isEmpty
    {
      problems.append(
        (.xmp, "the XMP says otherwise than the record: \(names.joined(separator: ", "))"))
    }
    for words in ManifestReading.problems(in: metadata, file: file, record: record, key: key) ?? []
    {
      problems.append((.manifest, words))
    }
    return problems
  }

  /// Tags of ours whose value is another one. A directory that is not ours, or from before EXIF was
  /// written, is none of the record's business.
  private static func exifDifferences(_ metadata: JPEGMetadata, _ record: JSONValue) -> [String] {
    let claims = ExifClaims(record: record)
    guard let bytes = metadata.exif, let block = try? ExifBlock(bytes),
      block[.exif, 0xA420] == claims.identity[.exif]?[0xA420]
    else { return [] }
    var differences: [String] = []
    if record["photo"]?["origin"]?.text != PhotoOrigin.imported.rawValue {
      for (tag, value) in claims.gps.sorted(by: { $0.key < $1.key })
      where block[.gps, tag] != value {
        differences.append(gpsNames[tag] ?? "GPS \(tag)")
      }
      // Also a tag that the record gives no value for: a height that is not known, say.
      for tag in block.tags(of: .gps) where claims.gps[tag] == nil && gpsNames[tag] != nil {
        differences.append(gpsNames[tag] ?? "")
      }
    }
    return differences
  }

  /// Those that the record decides; bearing and distance to the parcel need the parcel.
  private static let gpsNames: [UInt16: String] = [
    0x00: "GPSVersionID", 0x01: "GPSLatitudeRef", 0x02: "GPSLatitude", 0x03: "GPSLongitudeRef",
    0x04: "GPSLongitude", 0x05: "GPSAltitudeRef", 0x06: "GPSAltitude", 0x07: "GPSTimeStamp",
    0x08: "GPSSatellites", 0x09: "GPSStatus", 0x0A: "GPSMeasureMode", 0x0B: "GPSDOP",
    0x0C: "GPSSpeedRef", 0x0D: "GPSSpeed", 0x0E: "GPSTrackRef", 0x0F: "GPSTrack",
    0x10: "GPSImgDirectionRef", 0x11: "GPSImgDirection", 0x12: "GPSMapDatum",
    0x1B: "GPSProcessingMethod", 0x1D: "GPSDateStamp", 0x1E: "GPSDifferential",
    0x1F: "GPSHPositioningError",
  ]
}
