import ContentBoxes
import Foundation
import Imagery
import TimeAndText

/// The reading of a file that says that it is a composite.
public struct CompositeReading: Sendable {
  /// The answer to whether a composite was made from two files.
  public enum Agreement: String, Hashable, Sendable {
    /// The picture was made again from both, and has the same bytes.
    case same
    /// The picture made again differs by no more than another decoder would make it.
    case alike
    /// The picture made again is another one.
    case different
  }

  /// The record; nil if the file only says that it is a composite, and its manifest is gone.
  public let record: CompositeRecord?
  /// The faults of the file; empty if its manifest holds.
  public let problems: [Wording]
  /// Thumbprint of the key that signed the manifest; nil without a manifest.
  public let key: String?
  /// The certificate in the manifest's signature; nil without a manifest.
  public let certificate: EvidenceCertificate?

  /// The most by which one channel of a pixel may differ, and the mean over all, where another
  /// version of the decoder or the encoder was at work.
  private static let (mostDifference, meanDifference) = (24, 1.0)

  /// Reads a file; nil if it is no composite of ours.
  public init?(_ file: [UInt8]) {
    guard let metadata = try? JPEGMetadata(file) else { return nil }
    self.init(file, metadata)
  }

  init?(_ file: [UInt8], _ metadata: JPEGMetadata) {
    guard let store = metadata.manifestStore else {
      guard Self.saysSo(metadata) else { return nil }
      self.init(
        record: nil,
        problems: ["it says in its XMP that it is a composite, but its C2PA manifest is gone"])
      return
    }
    let found: CompositeReading?
    do throws(ManifestReading.Problem) {
      found = try Self.reading(file, metadata, try ManifestReading.manifests(store))
    } catch {
      // A broken manifest says nothing; a composite's XMP is then looked at like a cut one's.
      guard Self.saysSo(metadata) else { return nil }
      found = CompositeReading(
        record: nil, problems: ["the C2PA manifest cannot be read: \(error.words)"])
    }
    guard let found else { return nil }
    self = found
  }

  /// Returns true if a file's XMP says that it is a composite.
  private static func saysSo(_ metadata: JPEGMetadata) -> Bool {
    metadata.xmp.map { String(decoding: $0, as: UTF8.self).contains("standpoint:composite.schema") }
      ?? false
  }

  private init(
    record: CompositeRecord?, problems: [Wording], certificate: EvidenceCertificate? = nil
  ) {
    (self.record, self.problems, self.certificate) = (record, problems, certificate)
    key = certificate?.publicKey.thumbprint
  }

  /// Returns what the active manifest says; nil if it is no composite's.
  private static func reading(
    _ file: [UInt8], _ metadata: JPEGMetadata, _ manifests: [JUMBF]
  ) throws(ManifestReading.Problem) -> CompositeReading? {
    let active = manifests[manifests.count - 1]
    guard
      active.child(ManifestDraft.assertionsLabel)?.child(CompositeFile.recordLabel) != nil
    else { return nil }
    let contents = try ManifestReading.Contents(active)
    let record = contents.bytes(of: CompositeFile.recordLabel)
      .flatMap { try? JSONValue(parsing: $0) }.flatMap(CompositeRecord.init(_:))
    var problems = try ManifestReading.problems(of: contents, metadata, file)
    if let record {
      problems += ingredientProblems(record, manifests)
      if let size = record.size, let now = try? JPEGPicture.inspect(file),
        size != (now.widthPixels, now.heightPixels)
      {
        problems.append("the picture's size was changed: its mark may be cut off")
      }
    } else {
      problems.append("its record of the composite cannot be read")
    }
    return CompositeReading(
      record: record, problems: problems, certificate: contents.certificate)
  }

  /// Returns the faults between the record and the manifests of both photos.
  private static func ingredientProblems(
    _ record: CompositeRecord, _ manifests: [JUMBF]
  ) -> [Wording] {
    [record.below, record.above].compactMap { original in
      guard let label = original.manifest,
        !manifests.dropLast().contains(where: { $0.label == label })
      else { return nil }
      return "the manifest of photo \(original.id) is missing in it"
    }
  }

  /// Makes the picture again from both photos, and compares.
  /// - Parameters:
  ///   - file: the composite's file.
  ///   - below: the file of the photo below.
  ///   - above: the file of the photo above.
  /// - Throws: `CompositeProblem`, `ImageryError`.
  public func agreement(
    of file: [UInt8], below: [UInt8], above: [UInt8]
  ) throws -> Agreement {
    guard let record, Digest.hexadecimal(below) == record.below.digest,
      Digest.hexadecimal(above) == record.above.digest
    else { return .different }
    let again = try CompositeFile.picture(record, below: below, above: above)
    if try JPEGStructure.imageData(of: again) == JPEGStructure.imageData(of: file) { return .same }
    let (one, other) = (try PixelBuffer(upright: again), try PixelBuffer(upright: file))
    guard one.width == other.width, one.height == other.height else { return .different }
    var (most, sum) = (0, 0)
    for (a, b) in zip(one.pixels, other.pixels) {
      let difference = abs(Int(a) - Int(b))
      most = max(most, difference)
      sum += difference
    }
    let mean = Double(sum) / Double(one.pixels.count)
    return most <= Self.mostDifference && mean <= Self.meanDifference ? .alike : .different
  }
}
