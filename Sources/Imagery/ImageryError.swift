/// The reason why bytes are not a usable picture, or why a picture cannot be made. Every
/// description is one line for people; offsets count bytes from the file's first byte, which is
/// byte 0.
public enum ImageryError: Error, Sendable, Equatable {
  /// There are no bytes at all.
  case empty
  /// The file does not begin with FF D8. The value holds up to the first 12 bytes, which tell most
  /// formats apart.
  case notJPEG(firstBytes: [UInt8])
  /// The file ends before the next marker.
  case truncatedBetweenSegments(atByte: Int)
  /// The file ends inside a segment, or the segment's length is too long for the file.
  case truncatedInSegment(marker: UInt8, atByte: Int, missingByteCount: Int)
  /// The file ends inside the entropy-coded data of a scan.
  case truncatedInPictureData(atByte: Int)
  /// A segment states a length below 2, the size of the length itself (ITU-T T.81 B.1.1.4).
  case segmentLengthTooSmall(marker: UInt8, atByte: Int, length: Int)
  /// A marker must begin here, but the byte is not FF.
  case markerExpected(found: UInt8, atByte: Int)
  /// A marker is in a place where it is not allowed, or no standard defines it.
  case markerMisplaced(marker: UInt8, atByte: Int)
  /// The picture's size, depth and components were not stated before its data.
  case frameHeaderMissing(atByte: Int)
  /// The frame header is too short for what it announces.
  case frameHeaderInvalid(atByte: Int)
  /// The file ends properly (EOI) before any picture data (SOS).
  case pictureDataMissing(atByte: Int)
  /// The file has more segments than any camera writes.
  case tooManySegments(limit: Int)
  /// Too many scans: more than any encoder writes, or than a picture of this size may have.
  case tooManyScans(limit: Int)
  /// A side is 0 or above the limit, in pixels.
  case sidesOutOfRange(widthPixels: Int, heightPixels: Int, limitPixels: Int)
  /// The picture has too many pixels.
  case tooManyPixels(widthPixels: Int, heightPixels: Int, limitPixels: Int)
  /// The picture has too many pixels for a file of several scans.
  case tooManyPixelsOfSeveralScans(widthPixels: Int, heightPixels: Int, limitPixels: Int)
  /// The file is a correct JPEG of a kind that is not decoded here.
  case unsupported(reason: String)
  /// The decoder gave up, in its own words.
  case undecodable(decoderSays: String)
  /// The decoder could go on, but found damage (a libjpeg warning), in its own words.
  case damaged(decoderSays: String)
  /// The encoder gave up, in its own words.
  case encodingFailed(encoderSays: String)
}

extension ImageryError: CustomStringConvertible {
  /// The message for people, one line without a full stop.
  public var description: String {
    switch self {
    case .empty:
      "not a JPEG: it is empty"
    case .notJPEG(let firstBytes):
      "not a JPEG: it begins with \(Self.hexadecimal(firstBytes.prefix(4)))"
        + (Self.formatName(firstBytes).map { " (\($0))" } ?? "")
    case .truncatedBetweenSegments(let offset):
      "the JPEG ends at byte \(offset), where its next part should begin"
    case .truncatedInSegment(let marker, let offset, let missing):
      "the JPEG ends in the middle of its segment \(Self.name(marker)) at byte \(offset): "
        + "\(missing) byte\(missing == 1 ? " is" : "s are") missing"
    case .truncatedInPictureData(let offset):
      "the JPEG ends in the middle of its picture data at byte \(offset)"
    case .segmentLengthTooSmall(let marker, let offset, let length):
      "the JPEG's segment \(Self.name(marker)) at byte \(offset) states the impossible length "
        + "\(length)"
    case .markerExpected(let found, let offset):
      "the JPEG is broken at byte \(offset): \(Self.hexadecimal([found])) stands where a marker "
        + "(FF) must begin"
    case .markerMisplaced(let marker, let offset):
      "the JPEG is broken at byte \(offset): the marker \(Self.name(marker)) may not stand there"
    case .frameHeaderMissing(let offset):
      "the JPEG does not state its size before its picture data at byte \(offset)"
    case .frameHeaderInvalid(let offset):
      "the JPEG's frame header at byte \(offset) is too short"
    case .pictureDataMissing(let offset):
      "the JPEG ends at byte \(offset) without any picture data"
    case .tooManySegments(let limit):
      "the JPEG has more than \(limit) segments"
    case .tooManyScans(let limit):
      "the JPEG has more than \(limit) scans, more than a camera writes into a picture of its size"
    case .sidesOutOfRange(let width, let height, let limit):
      "the picture is \(width) x \(height) pixels; each side must be 1 to \(limit)"
    case .tooManyPixels(let width, let height, let limit):
      "the picture is \(width) x \(height) pixels; at most \(limit / 1_000_000) megapixels are "
        + "accepted"
    case .tooManyPixelsOfSeveralScans(let width, let height, let limit):
      "the picture is \(width) x \(height) pixels in several scans; at most \(limit / 1_000_000) "
        + "megapixels are accepted so"
    case .unsupported(let reason):
      "the JPEG cannot be used: \(reason)"
    case .undecodable(let words):
      "the JPEG cannot be decoded: \(words)"
    case .damaged(let words):
      "the JPEG is damaged: \(words)"
    case .encodingFailed(let words):
      "the picture cannot be written as a JPEG: \(words)"
    }
  }

  private static func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
    bytes.map { byte in
      let digits = String(byte, radix: 16, uppercase: true)
      return digits.count == 1 ? "0" + digits : digits
    }.joined(separator: " ")
  }

  private static func name(_ marker: UInt8) -> String {
    "FF" + hexadecimal([marker])
  }

  /// Returns the name of a format that people send by mistake instead of a JPEG; nil if the bytes
  /// show none.
  private static func formatName(_ bytes: [UInt8]) -> String? {
    if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47]) { return "a PNG" }
    if bytes.starts(with: Array("GIF8".utf8)) { return "a GIF" }
    if bytes.starts(with: Array("%PDF".utf8)) { return "a PDF" }
    if bytes.starts(with: Array("BM".utf8)) { return "a BMP" }
    if bytes.starts(with: [0x49, 0x49, 0x2A, 0x00]) || bytes.starts(with: [0x4D, 0x4D, 0x00, 0x2A])
    {
      return "a TIFF or a camera's raw file"
    }
    if bytes.starts(with: Array("RIFF".utf8)), bytes.dropFirst(8).starts(with: Array("WEBP".utf8)) {
      return "a WebP"
    }
    if bytes.dropFirst(4).starts(with: Array("ftyp".utf8)) { return "a HEIC, AVIF or video" }
    return nil
  }
}
