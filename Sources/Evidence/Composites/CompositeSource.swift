import ContentBoxes
import Imagery
import TimeAndText

/// A photo with its file, as a composite is made from it.
public struct CompositeSource: Sendable {
  /// The photo as the composite's record mentions it.
  public let original: CompositeRecord.Original
  /// The agency whose photo it is; nil if its record does not say.
  public let agency: String?
  /// The JPEG file.
  public let file: [UInt8]
  /// The C2PA manifests in the file, its own last; empty if it has none that holds.
  let manifests: [JUMBF]

  /// The picture's size in pixels, upright.
  /// - Throws: `ImageryError`.
  public var size: (width: Int, height: Int) {
    get throws {
      let picture = try JPEGPicture.inspect(file)
      return try JPEGPicture.isUprightTurned(file)
        ? (picture.heightPixels, picture.widthPixels)
        : (picture.widthPixels, picture.heightPixels)
    }
  }

  /// Creates a source of a photo whose identifier and time somebody else keeps, such as a phone's or
  /// an archive picture, which no record of ours seals.
  /// - Parameter taken: RFC 3339, or a date alone.
  /// - Throws: `CompositeProblem`.
  public init(file: [UInt8], id: String, taken: String, agency: String?) throws {
    let metadata = try JPEGMetadata(file)
    if CompositeReading(file, metadata) != nil { throw CompositeProblem.compositeOfComposite }
    // The composite's manifest says that those in it were validated: one that does not hold stays out.
    manifests = ManifestReading.sound(in: metadata, file: file) ?? []
    self.file = file
    self.agency = agency
    original = CompositeRecord.Original(
      id: id, taken: taken, digest: Digest.hexadecimal(file), manifest: manifests.last?.label)
  }

  /// Creates a source of a photo that a side keeps under the digest of its file.
  /// - Throws: `CompositeProblem.altered` if the file is another one by now.
  public init(
    file: [UInt8], id: String, taken: String, agency: String, digest: String
  ) throws {
    try self.init(file: file, id: id, taken: taken, agency: agency)
    guard original.digest == digest else { throw CompositeProblem.altered }
  }

  /// Creates a source of a sealed photo's file alone, whose record its C2PA manifest repeats.
  /// - Throws: `CompositeProblem`.
  public init(sealed file: [UInt8]) throws {
    let metadata = try JPEGMetadata(file)
    if CompositeReading(file, metadata) != nil { throw CompositeProblem.compositeOfComposite }
    guard metadata.manifestStore != nil else { throw CompositeProblem.notSealed }
    guard let manifest = ManifestReading.sound(in: metadata, file: file)?.last else {
      throw CompositeProblem.altered
    }
    guard
      let bytes = manifest.child(ManifestDraft.assertionsLabel)?
        .child(CaptureManifest.recordLabel)?.content?.bytes,
      let record = try? JSONValue(parsing: bytes), let id = record["id"]?.text,
      let taken = record["time"]?["device"]?.text
    else { throw CompositeProblem.notSealed }
    try self.init(file: file, id: id, taken: taken, agency: record["agency"]?.text)
  }
}

/// A reason why two photos make no composite.
public enum CompositeProblem: Error, Hashable, Sendable, Worded {
  /// Nothing seals the picture, so that nobody could say what it shows and when.
  case notSealed
  /// The file is no longer the one that was sealed.
  case altered
  /// One of the pictures is a composite itself.
  case compositeOfComposite
  /// Both are one photo.
  case samePhoto
  /// The photos belong to different agencies.
  case otherAgency
  /// No certificate vouches for this device's key yet.
  case noCertificate
  /// The plan does not fit the pictures.
  case plan(CompositeFault)

  /// The message for people.
  public var wording: Wording {
    switch self {
    case .notSealed:
      "It is not a sealed photo: it holds no record. Give a photo's identifier, or a file as this program stores it."
    case .altered:
      "Its file is not the one that was sealed: it was changed or damaged. Take the photo's file from a backup or from the office."
    case .compositeOfComposite:
      "It is a composite already. Choose the photos from which it was made."
    case .samePhoto: "Both are the same photo. Choose an earlier and a later one."
    case .otherAgency: "The photos belong to two agencies. A composite stays within one."
    case .noCertificate:
      "No agency vouches for this device yet. Sign in at the office once, then make the composite."
    case .plan(let fault): fault.wording
    }
  }
}

extension CompositeFault: Worded {
  /// The message for people.
  public var wording: Wording {
    switch self {
    case .number("softness"): "The softness must be a number from 0 to 1."
    case .number("transparency"): "The transparency must be a number from 0 to 1."
    case .number("window"):
      "The window needs a width and a height above 0, and no number beyond a million."
    case .number(_):
      "The place needs a scale from 0.001 to 1000, and no number beyond a million."
    case .nothingSeen:
      "Nothing of the picture above would be seen. Move the window or the picture, or lower the transparency."
    case .insideOut:
      "The picture above would be turned inside out, or flattened to a line. Place it by hand."
    case .crop: "The crop must lie within the picture below, and be at least one pixel wide."
    }
  }
}
