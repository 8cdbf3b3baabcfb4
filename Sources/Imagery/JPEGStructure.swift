/// The parts of a JPEG file, and which of them are the picture itself.
///
/// The problem: two files with equal pictures differ as soon as a program writes EXIF, XMP or a
/// comment into one of them, so a digest of the file does not answer "is this the same picture?". A
/// digest of decoded pixels would, but decoders differ in the last bit. The file without its APPn
/// and COM segments stays equal byte for byte. A search for FF E1 is not enough to find these
/// segments: a thumbnail in an APP1 segment is a JPEG with markers of its own. So the code steps
/// from segment to segment by their lengths. Only entropy-coded data, which has no length, is
/// searched byte by byte. Every byte is visited at most once.
///
/// Fill bytes (extra FF before a marker) carry nothing and belong to no segment; they are not image
/// data. Source: ITU-T T.81 annex B.
public struct JPEGStructure: Sendable, Equatable {
  /// One marker with its data.
  public struct Segment: Sendable, Equatable {
    /// The marker's second byte, such as 0xE1 for APP1 (ITU-T T.81 table B.1).
    public let marker: UInt8
    /// The bytes from the marker's FF to the segment's last byte; for SOS only its header, without
    /// the entropy-coded data that follows.
    public let range: Range<Int>

    /// True if this segment is not part of the picture: APPn (FFE0 to FFEF) or COM (FFFE).
    public var isMetadata: Bool {
      (0xE0...0xEF).contains(marker) || marker == 0xFE
    }
  }

  /// The contents of the frame header (SOFn) (ITU-T T.81 B.2.2).
  struct Frame: Sendable, Equatable {
    let marker: UInt8
    let bitsPerSample: Int
    let widthPixels: Int
    let heightPixels: Int
    let componentCount: Int

    /// True for SOF2 and SOF10: the file goes over the whole picture several times.
    var isProgressive: Bool { marker == 0xC2 || marker == 0xCA }
  }

  /// The most accepted segments. A camera writes about 10, a large colour profile or extended XMP
  /// some hundreds; the limit keeps a hostile file from filling the memory.
  public static let maximumSegmentCount = 65_536

  /// The most accepted scans. A baseline picture has at most 4, a progressive one of a usual
  /// encoder about 10 and of a thorough one some dozens. Each scan goes over the whole picture
  /// again: 3,000 of them in 0.4 MB took a decoder 14 s.
  public static let maximumScanCount = 100

  /// All segments from SOI to EOI in the order of the file.
  public let segments: [Segment]
  /// The parts of the file from SOI to EOI without APPn and COM segments: ascending, not
  /// overlapping, not touching, none empty.
  public let imageDataRanges: [Range<Int>]
  /// The number of bytes after EOI: 0 in a plain file, more if a phone has appended a film or a
  /// second picture.
  public let trailingByteCount: Int
  let frame: Frame
  /// The number of scans: how often the file goes over its picture, or over a part of its colours.
  var scanCount: Int { segments.count { $0.marker == JPEGWalk.Marker.scan } }

  /// Reads the structure of a whole file.
  /// - Throws: `ImageryError.empty`, `.notJPEG`, or the case that names the fault and its place.
  public init(_ bytes: [UInt8]) throws {
    guard !bytes.isEmpty else { throw ImageryError.empty }
    var walk = JPEGWalk()
    self = try bytes.withUnsafeBufferPointer { try walk.structure(of: $0) }
  }

  init(
    segments: [Segment], imageDataRanges: [Range<Int>], trailingByteCount: Int, frame: Frame
  ) {
    self.segments = segments
    self.imageDataRanges = imageDataRanges
    self.trailingByteCount = trailingByteCount
    self.frame = frame
  }

  /// Returns the image data in one piece, as it is digested: SOI, the kept segments, the
  /// entropy-coded data of all scans, EOI.
  /// - Throws: as `init(_:)`.
  public static func imageData(of bytes: [UInt8]) throws -> [UInt8] {
    let structure = try JPEGStructure(bytes)
    var imageData: [UInt8] = []
    imageData.reserveCapacity(structure.imageDataRanges.reduce(0) { $0 + $1.count })
    for range in structure.imageDataRanges {
      imageData.append(contentsOf: bytes[range])
    }
    return imageData
  }
}
