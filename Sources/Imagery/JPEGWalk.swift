import Glibc

/// The walk over a file's markers that builds a `JPEGStructure`; used once and thrown away.
struct JPEGWalk {
  enum Marker {
    static let temporary: UInt8 = 0x01
    static let restarts: ClosedRange<UInt8> = 0xD0...0xD7
    static let start: UInt8 = 0xD8
    static let end: UInt8 = 0xD9
    static let scan: UInt8 = 0xDA

    /// Returns true for SOF0 to SOF15, but not for DHT (C4), JPG (C8) and DAC (CC), whose numbers
    /// lie among them.
    static func isFrame(_ marker: UInt8) -> Bool {
      (0xC0...0xCF).contains(marker) && marker != 0xC4 && marker != 0xC8 && marker != 0xCC
    }
  }

  private var segments: [JPEGStructure.Segment] = []
  private var imageDataRanges: [Range<Int>] = []
  private var frame: JPEGStructure.Frame?
  private var scanCount = 0

  mutating func structure(of bytes: UnsafeBufferPointer<UInt8>) throws -> JPEGStructure {
    guard bytes.count >= 2, bytes[0] == 0xFF, bytes[1] == Marker.start else {
      throw ImageryError.notJPEG(firstBytes: Array(bytes.prefix(12)))
    }
    try keep(marker: Marker.start, 0..<2)
    var offset = 2
    while true {
      let markerOffset = try Self.markerOffset(in: bytes, from: offset)
      let marker = bytes[markerOffset + 1]
      switch marker {
      case Marker.end:
        guard scanCount > 0, let frame else {
          throw ImageryError.pictureDataMissing(atByte: markerOffset)
        }
        try keep(marker: marker, markerOffset..<(markerOffset + 2))
        return JPEGStructure(
          segments: segments, imageDataRanges: imageDataRanges,
          trailingByteCount: bytes.count - markerOffset - 2, frame: frame)
      case Marker.temporary:
        try keep(marker: marker, markerOffset..<(markerOffset + 2))
        offset = markerOffset + 2
      case 0x00, 0x02...0xBF, Marker.restarts, Marker.start:
        throw ImageryError.markerMisplaced(marker: marker, atByte: markerOffset)
      default:
        let range = try Self.segmentRange(in: bytes, marker: marker, from: markerOffset)
        if Marker.isFrame(marker) { try read(bytes, frameHeader: range, marker: marker) }
        try keep(marker: marker, range)
        offset = range.upperBound
        if marker == Marker.scan {
          guard frame != nil else { throw ImageryError.frameHeaderMissing(atByte: markerOffset) }
          scanCount += 1
          guard scanCount <= JPEGStructure.maximumScanCount else {
            throw ImageryError.tooManyScans(limit: JPEGStructure.maximumScanCount)
          }
          let end = try Self.endOfEntropyCodedData(in: bytes, from: offset)
          keepImageData(offset..<end)
          offset = end
        }
      }
    }
  }

  /// Returns the offset of the last FF in the run of FF that begins at `offset`; all before it are
  /// fill bytes.
  private static func markerOffset(
    in bytes: UnsafeBufferPointer<UInt8>, from offset: Int
  ) throws -> Int {
    guard offset < bytes.count else {
      throw ImageryError.truncatedBetweenSegments(atByte: bytes.count)
    }
    guard bytes[offset] == 0xFF else {
      throw ImageryError.markerExpected(found: bytes[offset], atByte: offset)
    }
    var next = offset + 1
    while next < bytes.count, bytes[next] == 0xFF { next += 1 }
    guard next < bytes.count else {
      throw ImageryError.truncatedBetweenSegments(atByte: bytes.count)
    }
    return next - 1
  }

  private static func segmentRange(
    in bytes: UnsafeBufferPointer<UInt8>, marker: UInt8, from offset: Int
  ) throws -> Range<Int> {
    let available = bytes.count - offset
    guard available >= 4 else {
      throw ImageryError.truncatedInSegment(
        marker: marker, atByte: offset, missingByteCount: 4 - available)
    }
    let length = Int(bytes[offset + 2]) << 8 | Int(bytes[offset + 3])
    guard length >= 2 else {
      throw ImageryError.segmentLengthTooSmall(marker: marker, atByte: offset, length: length)
    }
    guard available >= 2 + length else {
      throw ImageryError.truncatedInSegment(
        marker: marker, atByte: offset, missingByteCount: 2 + length - available)
    }
    return offset..<(offset + 2 + length)
  }

  /// Returns the offset at which the data of a scan ends: before the first marker that is neither a
  /// stuffed zero nor a restart, and before the fill bytes of that marker.
  private static func endOfEntropyCodedData(
    in bytes: UnsafeBufferPointer<UInt8>, from start: Int
  ) throws -> Int {
    var offset = start
    // Few bytes are FF, and memchr searches many bytes at once.
    while offset < bytes.count, let base = bytes.baseAddress,
      let found = memchr(base + offset, 0xFF, bytes.count - offset)
    {
      offset = UnsafeRawPointer(base).distance(to: UnsafeRawPointer(found))
      var next = offset + 1
      while next < bytes.count, bytes[next] == 0xFF { next += 1 }
      guard next < bytes.count else { break }
      if bytes[next] == 0x00 || Marker.restarts.contains(bytes[next]) {
        offset = next + 1
      } else {
        return offset
      }
    }
    throw ImageryError.truncatedInPictureData(atByte: bytes.count)
  }

  private mutating func read(
    _ bytes: UnsafeBufferPointer<UInt8>, frameHeader range: Range<Int>, marker: UInt8
  ) throws {
    guard frame == nil else {
      throw ImageryError.markerMisplaced(marker: marker, atByte: range.lowerBound)
    }
    // Marker 2, length 2, precision 1, height 2, width 2, components 1, then 3 for each component.
    guard range.count >= 10, range.count >= 10 + 3 * Int(bytes[range.lowerBound + 9]) else {
      throw ImageryError.frameHeaderInvalid(atByte: range.lowerBound)
    }
    let body = range.lowerBound + 4
    frame = JPEGStructure.Frame(
      marker: marker,
      bitsPerSample: Int(bytes[body]),
      widthPixels: Int(bytes[body + 3]) << 8 | Int(bytes[body + 4]),
      heightPixels: Int(bytes[body + 1]) << 8 | Int(bytes[body + 2]),
      componentCount: Int(bytes[body + 5]))
  }

  private mutating func keep(marker: UInt8, _ range: Range<Int>) throws {
    guard segments.count < JPEGStructure.maximumSegmentCount else {
      throw ImageryError.tooManySegments(limit: JPEGStructure.maximumSegmentCount)
    }
    let segment = JPEGStructure.Segment(marker: marker, range: range)
    segments.append(segment)
    if !segment.isMetadata { keepImageData(range) }
  }

  private mutating func keepImageData(_ range: Range<Int>) {
    guard !range.isEmpty else { return }
    if let last = imageDataRanges.last, last.upperBound == range.lowerBound {
      imageDataRanges[imageDataRanges.count - 1] = last.lowerBound..<range.upperBound
    } else {
      imageDataRanges.append(range)
    }
  }
}
