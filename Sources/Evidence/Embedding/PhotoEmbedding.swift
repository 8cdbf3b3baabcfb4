import Imagery
import Inspection
import Positioning
import TimeAndText

/// A kind of embedded claim in a photo's own file. The record names the kinds, so that none can be
/// taken away unnoticed.
public enum EmbeddedClaim: String, Hashable, Sendable, CaseIterable {
  /// EXIF's directory of positions is the record's.
  case exifPosition = "exif-position"
  /// EXIF's time of the picture is the device's. If a camera wrote its own time, that one stays instead.
  case exifTime = "exif-time"
  /// XMP has the record's members.
  case xmp
  /// A C2PA manifest with the record is in the file.
  case manifest
}

/// A photo's claims written into its file: EXIF, XMP, and a C2PA manifest. The picture's own bytes
/// stay as they are, and so does the camera's metadata, except for a position: the file has only one.
public struct PhotoEmbedding: Sendable {
  /// The bytes kept free in EXIF: more than our positions, times and names need, in addition to the
  /// directories that are rewritten.
  private static let exifRoom = 2500

  /// SHA-256 of the frame's image data alone, which the stored file has, too.
  public let imageDigest: String
  /// The claims that the photo's file will hold.
  public let claims: Set<EmbeddedClaim>
  private let metadata: JPEGMetadata
  private let source: PictureSource
  /// The EXIF block to which our tags are added; nil leaves EXIF as it is.
  private let block: ExifBlock?
  private let xmp: XMPClaims.Place?
  private let certificate: EvidenceCertificate?

  /// Prepares the embedding of claims into a frame.
  /// - Parameters:
  ///   - frame: the JPEG as it was received.
  ///   - certificate: the certificate of the device's key; nil before the first sign-in: then there
  ///     is no manifest, because strangers could not check it.
  /// - Throws: `ImageryError`.
  public init(
    frame: [UInt8], source: PictureSource, certificate: EvidenceCertificate?
  ) throws {
    metadata = try JPEGMetadata(frame)
    imageDigest = Digest.hexadecimal(frame, ranges: metadata.imageDataRanges)
    self.source = source
    self.certificate = certificate
    var claims: Set<EmbeddedClaim> = certificate == nil ? [] : [.manifest]
    xmp = XMPClaims.place(in: metadata.xmp, isImported: source == .imported)
    if xmp != nil { claims.insert(.xmp) }
    block = Self.block(metadata, source, &claims)
    self.claims = claims
  }

  private static func block(
    _ metadata: JPEGMetadata, _ source: PictureSource, _ claims: inout Set<EmbeddedClaim>
  ) -> ExifBlock? {
    let isImported = source == .imported
    let known = metadata.exif.map { try? ExifBlock($0) }
    // An imported file keeps EXIF that cannot be read; a camera's unreadable EXIF is no loss.
    if case .some(.none) = known, isImported { return nil }
    let block = (known ?? nil) ?? ExifBlock()
    let entries = block.tags(of: .primary).count + block.tags(of: .exif).count
    guard block.bytes.count + 12 * entries + exifRoom <= ExifBlock.maximumByteCount else {
      // There is no room for our tags: at least no other position stays.
      return isImported ? nil : block.withoutPosition()
    }
    if !(isImported && block.has(.gps)) { claims.insert(.exifPosition) }
    if block[.exif, 0x9003] == nil { claims.insert(.exifTime) }
    return block
  }

  /// Returns the file to be stored.
  ///
  /// - Parameters:
  ///   - record: the record of the capture, which names `claims`.
  ///   - parcel: the parcel of the task, whose bearing and distance go into EXIF; nil without one.
  ///   - position: the position from which the photo was taken.
  /// - Throws: the key's error if it does not sign.
  public func file(
    record: JSONValue, parcel: Parcel?, position: PhotoPosition, key: any DeviceKey
  ) throws -> [UInt8] {
    let destination = parcel?.distanceMetres(to: position.coordinate).map { distance in
      ExifClaims.Destination(
        bearingDegrees: distance > 0 ? parcel?.bearingDegrees(from: position.coordinate) : nil,
        distanceMetres: distance)
    }
    let exif = try block.map {
      try ExifClaims(record: record).block(addingTo: $0, claims, destination: destination).bytes
    }
    let (head, tail) = try metadata.parts(
      exif: exif, xmp: xmp.map { XMPClaims(record: record).packet(at: $0) },
      dropsStore: certificate != nil, dropsFurther: source != .imported)
    guard let certificate else { return head + tail }
    let segments = try CaptureManifest.draft(record: record, source: source)
      .segments(between: head, and: tail, certificate: certificate, key: key)
    var file: [UInt8] = []
    file.reserveCapacity(head.count + segments.count + tail.count)
    file += head
    file += segments
    file += tail
    return file
  }

  // MARK: reading

  /// Returns the differences between a photo's file and its record, in EXIF, in XMP and in the
  /// manifest; empty if the file is no JPEG that can be read.
  package static func problems(
    in file: [UInt8], record: JSONValue, key: String
  ) -> [(check: Finding.Check, words: Wording)] {
    (try? JPEGMetadata(file)).map { problems(in: file, $0, record: record, key: key) } ?? []
  }

  /// Returns the differences between a file that is parsed already and its record. Records from before
  /// claims were embedded name none: the metadata of their photos is the camera's, and is not compared.
  package static func problems(
    in file: [UInt8], _ metadata: JPEGMetadata, record: JSONValue, key: String
  ) -> [(check: Finding.Check, words: Wording)] {
    guard let names = record["photo"]?["claims"]?.elements else { return [] }
    let claims = Set(names.compactMap(\.text).compactMap(EmbeddedClaim.init(rawValue:)))
    let isImported = record["photo"]?["origin"]?.text == PhotoOrigin.imported.rawValue
    var problems: [(Finding.Check, Wording)] = []
    if !isImported, metadata.isAmbiguous {
      problems.append((.exif, "it contains EXIF or XMP more than once"))
    }
    problems += exifProblems(metadata, record, claims, isImported).map { (.exif, $0) }
    if !claims.contains(.xmp), !isImported, metadata.xmp != nil {
      problems.append((.xmp, "it contains XMP that the record does not mention"))
    }
    if claims.contains(.xmp) {
      let differences = metadata.xmp.map { XMPClaims(record: record).differences(in: $0) }
      if let words = differences.map(Self.list) ?? Self.missing {
        problems.append((.xmp, "the XMP does not match the record: \(words)"))
      }
    }
    if claims.contains(.manifest) {
      let found: [Wording] =
        ManifestReading.problems(in: metadata, file: file, record: record, key: key)
        ?? ["the C2PA manifest is missing"]
      problems += found.prefix(8).map { (.manifest, $0) }
    }
    return problems
  }

  private static let missing: Wording = "it is missing"

  private static func exifProblems(
    _ metadata: JPEGMetadata, _ record: JSONValue, _ claims: Set<EmbeddedClaim>, _ isImported: Bool
  ) -> [Wording] {
    let block = metadata.exif.flatMap { try? ExifBlock($0) }
    guard let block else {
      return claims.isDisjoint(with: [.exifPosition, .exifTime]) ? [] : ["the EXIF is missing"]
    }
    let expected = ExifClaims(record: record)
    var tags: [String] = []
    if claims.contains(.exifPosition) {
      for (tag, name) in ExifClaims.gpsNames.sorted(by: { $0.key < $1.key })
      where block[.gps, tag] != expected.gps[tag] {
        tags.append(name)
      }
    } else if !isImported, block.has(.gps) {
      return ["the EXIF position is not the record's"]
    }
    if claims.contains(.exifTime) {
      for (tag, name) in ExifClaims.timeNames.sorted(by: { $0.key < $1.key })
      where block[.exif, tag] != expected.times[tag] {
        tags.append(name)
      }
    }
    return list(tags.map(Wording.init(verbatim:))).map {
      ["the EXIF does not match the record: \($0)"]
    } ?? []
  }

  /// Returns up to five names, and the number of further ones; nil if there are none.
  private static func list(_ names: [Wording]) -> Wording? {
    guard !names.isEmpty else { return nil }
    let rest = names.count - 5
    let some = names.prefix(5).joined(separator: ", ")
    return rest > 0 ? "\(some) and \(rest) more" : some
  }
}
