import TestSupport
import Testing

@testable import Imagery

@Suite("The structure of a JPEG")
struct JPEGStructureTests {
  // A file with a frame and two scans, made by hand; no decoder would accept it.
  private static let frame = SamplePictures.segment(
    0xC2, [8, 0, 16, 0, 24, 1, 1, 0x11, 0])
  private static let tables = SamplePictures.segment(0xDB, [0] + [UInt8](repeating: 1, count: 64))
  private static let scanHeader = SamplePictures.segment(0xDA, [1, 1, 0, 0, 63, 0])
  private static let scanData: [UInt8] = [
    0x12, 0xFF, 0x00, 0x34, 0xFF, 0xD0, 0x56, 0xFF, 0xD7, 0x78,
  ]
  private static let start: [UInt8] = [0xFF, 0xD8]
  private static let end: [UInt8] = [0xFF, 0xD9]
  private static let plain =
    start + tables + frame + scanHeader + scanData + tables + scanHeader + scanData + end

  @Test("a file without metadata is image data from end to end, in one range")
  func plainFileIsAllImageData() throws {
    let structure = try JPEGStructure(Self.plain)
    #expect(structure.imageDataRanges == [0..<Self.plain.count])
    #expect(
      structure.segments.map(\.marker) == [0xD8, 0xDB, 0xC2, 0xDA, 0xDB, 0xDA, 0xD9])
    #expect(structure.segments[1].range == 2..<(2 + Self.tables.count))
    #expect(structure.segments.last?.range == (Self.plain.count - 2)..<Self.plain.count)
    #expect(structure.trailingByteCount == 0)
    #expect(structure.frame.widthPixels == 24)
    #expect(structure.frame.heightPixels == 16)
  }

  @Test("APPn and COM segments are cut out wherever they stand, between scans too")
  func metadataIsCutOut() throws {
    let note = SamplePictures.segment(0xFE, Array("a note".utf8))
    let first = SamplePictures.segment(0xE0, Array("JFIF\0".utf8))
    let last = SamplePictures.segment(0xEF, [])
    var bytes = Self.start + first + last + Self.tables
    let firstKept = (2 + first.count + last.count)..<bytes.count
    bytes += note + Self.frame + Self.scanHeader + Self.scanData
    let secondKept = (firstKept.upperBound + note.count)..<bytes.count
    bytes += note + note
    let thirdStart = bytes.count
    bytes += Self.tables + Self.scanHeader + Self.scanData + Self.end
    let structure = try JPEGStructure(bytes)
    #expect(
      structure.imageDataRanges == [0..<2, firstKept, secondKept, thirdStart..<bytes.count])
    #expect(
      structure.segments.filter(\.isMetadata).map(\.marker) == [0xE0, 0xEF, 0xFE, 0xFE, 0xFE])
    #expect(try JPEGStructure.imageData(of: bytes) == Self.plain)
  }

  @Test("bytes after the end are counted and are no image data")
  func trailingBytesAreOutside() throws {
    let bytes = Self.plain + [0xFF, 0xD8, 0xFF, 0xE1, 0x00]
    #expect(try JPEGStructure(bytes).trailingByteCount == 5)
    #expect(try JPEGStructure.imageData(of: bytes) == Self.plain)
  }

  @Test("fill bytes before any marker are tolerated and are no image data")
  func fillBytesAreTolerated() throws {
    let fill: [UInt8] = [0xFF, 0xFF, 0xFF]
    let note = SamplePictures.segment(0xFE, [1])
    let bytes =
      Self.start + fill + Self.tables + fill + note + Self.frame + fill + Self.scanHeader
      + Self.scanData + fill + Self.tables + Self.scanHeader + Self.scanData + fill + Self.end
    #expect(try JPEGStructure.imageData(of: bytes) == Self.plain)
  }

  @Test("a JPEG inside an APP1 segment, complete or cut, confuses nothing")
  func thumbnailDoesNotConfuse() throws {
    let thumbnail = try SamplePictures.drawn()
    for body in [thumbnail, Array(thumbnail.prefix(300)), [0xFF, 0xD9], [0xFF, 0xDA, 0xFF]] {
      let bytes =
        Self.start + SamplePictures.segment(0xE1, Array("Exif\0\0".utf8) + body)
        + Self.plain.dropFirst(2)
      #expect(try JPEGStructure.imageData(of: bytes) == Self.plain)
    }
  }

  @Test("a picture of libjpeg's is its file without the JFIF segment", arguments: [false, true])
  func libjpegsFileWithoutJFIF(progressive: Bool) throws {
    let bytes = try SamplePictures.drawn(progressive: progressive)
    let structure = try JPEGStructure(bytes)
    #expect(structure.segments[1] == .init(marker: 0xE0, range: 2..<20))
    #expect(structure.imageDataRanges == [0..<2, 20..<bytes.count])
    let scans = structure.segments.filter { $0.marker == 0xDA }.count
    #expect(progressive ? scans > 3 : scans == 1)
    #expect(structure.segments.contains { $0.marker == (progressive ? 0xC2 : 0xC0) })
  }

  @Test("restart markers belong to the picture data")
  func restartsAreKept() throws {
    let bytes = SamplePictures.withRestarts
    let structure = try JPEGStructure(bytes)
    #expect(structure.imageDataRanges == [0..<2, 20..<bytes.count])
    #expect(!structure.segments.contains { (0xD0...0xD7).contains($0.marker) })
  }

  @Test("metadata added or removed at random leaves the image data identical")
  func metadataNeverChangesImageData() throws {
    let pictures = [
      try SamplePictures.drawn(), try SamplePictures.drawn(progressive: true),
      SamplePictures.withRestarts, SamplePictures.rgb,
    ]
    try forEachSeed { seed, generator in
      let bytes = pictures[Int(seed) % pictures.count]
      let expected = try JPEGStructure.imageData(of: bytes)
      var changed: [UInt8] = []
      for (index, segment) in try JPEGStructure(bytes).segments.enumerated() {
        // Metadata may stand before any segment but SOI.
        if index > 0, Bool.random(using: &generator) {
          let tricky: [UInt8] = [0xFF, 0xD8, 0xD9, 0xDA, 0x00]
          var body: [UInt8] = []
          for _ in 0..<Int.random(in: 0...400, using: &generator) {
            body.append(
              Bool.random(using: &generator)
                ? UInt8.random(in: 0...255, using: &generator)
                : tricky[Int.random(in: 0..<tricky.count, using: &generator)])
          }
          let markers: [UInt8] = [0xFE] + Array(0xE0...0xEF)
          let marker = markers[Int.random(in: 0..<markers.count, using: &generator)]
          changed += SamplePictures.segment(marker, body)
        }
        let segments = try JPEGStructure(bytes).segments
        let next = index + 1 < segments.count ? segments[index + 1].range.lowerBound : bytes.count
        if !segment.isMetadata || Bool.random(using: &generator) {
          changed += bytes[segment.range.lowerBound..<next]
        }
      }
      #expect(try JPEGStructure.imageData(of: changed) == expected, "seed \(seed)")
    }
  }

  @Test("each kind of break is named with its place")
  func namesEachBreak() throws {
    func expect(_ error: ImageryError, _ bytes: [UInt8]) {
      #expect(throws: error) { try JPEGStructure(bytes) }
    }
    let head = Self.start + Self.tables
    expect(.truncatedBetweenSegments(atByte: 2), Self.start)
    expect(.truncatedBetweenSegments(atByte: 4), Self.start + [0xFF, 0xFF])
    expect(.markerExpected(found: 0x41, atByte: head.count), head + [0x41, 0xFF, 0xD9])
    expect(.markerMisplaced(marker: 0xD8, atByte: 2), Self.start + Self.plain)
    expect(.markerMisplaced(marker: 0xD3, atByte: 2), Self.start + [0xFF, 0xD3])
    expect(.markerMisplaced(marker: 0x00, atByte: 3), Self.start + [0xFF, 0xFF, 0x00])
    expect(.markerMisplaced(marker: 0x42, atByte: 2), Self.start + [0xFF, 0x42, 0, 2])
    expect(
      .segmentLengthTooSmall(marker: 0xE1, atByte: 2, length: 0), Self.start + [0xFF, 0xE1, 0, 0])
    expect(
      .segmentLengthTooSmall(marker: 0xE1, atByte: 2, length: 1), Self.start + [0xFF, 0xE1, 0, 1])
    expect(
      .truncatedInSegment(marker: 0xE1, atByte: 2, missingByteCount: 1),
      Self.start + [0xFF, 0xE1, 0])
    expect(
      .truncatedInSegment(marker: 0xE1, atByte: 2, missingByteCount: 65_533),
      Self.start + [0xFF, 0xE1, 0xFF, 0xFF])
    expect(.pictureDataMissing(atByte: head.count), head + Self.end)
    expect(
      .pictureDataMissing(atByte: 2 + Self.frame.count), Self.start + Self.frame + Self.end)
    expect(.frameHeaderMissing(atByte: 2), Self.start + Self.scanHeader + Self.scanData + Self.end)
    expect(
      .frameHeaderInvalid(atByte: 2),
      Self.start + SamplePictures.segment(0xC0, [8, 0, 16, 0, 24, 1]))
    expect(.frameHeaderInvalid(atByte: 2), Self.start + SamplePictures.segment(0xC0, []))
    expect(
      .markerMisplaced(marker: 0xC2, atByte: 2 + Self.frame.count),
      Self.start + Self.frame + Self.frame)
    let open = Self.start + Self.frame + Self.scanHeader + Self.scanData
    expect(.truncatedInPictureData(atByte: open.count), open)
    expect(.truncatedInPictureData(atByte: open.count + 1), open + [0xFF])
    expect(.truncatedInPictureData(atByte: open.count + 2), open + [0xFF, 0xFF])
  }

  @Test("a segment of exactly two bytes' length is empty, not broken")
  func emptySegmentIsFine() throws {
    let bytes = Self.start + [0xFF, 0xE5, 0, 2] + Self.plain.dropFirst(2)
    #expect(try JPEGStructure(bytes).segments[1] == .init(marker: 0xE5, range: 2..<6))
  }
}
