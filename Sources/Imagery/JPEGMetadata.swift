/// The metadata of a JPEG: EXIF and XMP in APP1, a C2PA manifest store in APP11. Only segments
/// before the picture are changed, never the picture's own bytes.
public struct JPEGMetadata: Sendable {
  private static let exifName = Array("Exif\0\0".utf8)
  private static let xmpName = Array("http://ns.adobe.com/xap/1.0/\0".utf8)
  /// The most bytes of a segment's body: 65,535 without the two bytes of the length, which counts
  /// itself.
  private static let maximumSegmentBytes = 65_533

  private let bytes: [UInt8]
  /// The parts of the file that are the picture itself, as in `JPEGStructure`.
  public let imageDataRanges: [Range<Int>]
  private let exifRanges: [Range<Int>]
  private let xmpRanges: [Range<Int>]
  /// The segments of a C2PA manifest store; other JUMBF boxes are left alone.
  private let boxRanges: [Range<Int>]
  /// The start of a list of further pictures (MPF); the list counts their offsets from there. Nil
  /// if there is no list.
  private let listStart: Int?
  /// The place for new segments: after SOI and the JFIF segments.
  private let place: Int

  /// Finds the metadata in a file.
  /// - Throws: `ImageryError`.
  public init(_ bytes: [UInt8]) throws {
    let structure = try JPEGStructure(bytes)
    self.bytes = bytes
    imageDataRanges = structure.imageDataRanges
    func all(_ marker: UInt8, _ name: [UInt8]) -> [Range<Int>] {
      structure.segments.filter {
        $0.marker == marker && bytes[$0.range].dropFirst(4).starts(with: name)
      }.map(\.range)
    }
    exifRanges = all(0xE1, Self.exifName)
    xmpRanges = all(0xE1, Self.xmpName)
    listStart = all(0xE2, Array("MPF\0".utf8)).first?.lowerBound
    let boxes = all(0xEB, [0x4A, 0x50]).filter {
      bytes[$0].dropFirst(16).starts(with: Array("jumb".utf8))
    }
    // The description in the box's first packet tells the kind of box; the other packets repeat its
    // instance number.
    let store = boxes.first {
      bytes[$0].dropFirst(24).starts(with: Array("jumdc2pa".utf8))
    }.map { bytes[$0].dropFirst(6).prefix(2) }
    boxRanges = boxes.filter { bytes[$0].dropFirst(6).prefix(2) == store }
    place =
      structure.segments.dropFirst().prefix { $0.marker == 0xE0 }.last?.range.upperBound ?? 2
  }

  /// The EXIF block, beginning with its byte order; nil if there is none.
  public var exif: [UInt8]? {
    exifRanges.first.map { Array(bytes[$0].dropFirst(4 + Self.exifName.count)) }
  }

  /// The XMP packet; nil if there is none.
  public var xmp: [UInt8]? {
    xmpRanges.first.map { Array(bytes[$0].dropFirst(4 + Self.xmpName.count)) }
  }

  /// True if the file has EXIF or XMP more than once, so that nothing tells which of them counts.
  public var isAmbiguous: Bool { exifRanges.count > 1 || xmpRanges.count > 1 }

  /// The box of a C2PA manifest store (JUMBF), joined from its segments; nil if there is none.
  /// Source: ISO/IEC 19566-5, annex D: each segment repeats the box's length and type.
  public var manifestStore: [UInt8]? {
    guard let first = boxRanges.first else { return nil }
    var box = Array(bytes[first].dropFirst(12))
    for range in boxRanges.dropFirst() { box += bytes[range].dropFirst(20) }
    return box
  }

  /// The range of the manifest store's segments in the file; nil if there are none, or if they do
  /// not adjoin each other.
  public var manifestRange: Range<Int>? {
    guard let first = boxRanges.first, let last = boxRanges.last else { return nil }
    let total = boxRanges.reduce(0) { $0 + $1.count }
    return last.upperBound - first.lowerBound == total
      ? first.lowerBound..<last.upperBound : nil
  }

  /// Returns the file with other EXIF and XMP, in two parts, between which a manifest store
  /// belongs. A nil argument leaves the present block as it is.
  ///
  /// - Parameters:
  ///   - dropsStore: True to drop the present manifest store.
  ///   - dropsFurther: True to drop also a second EXIF or XMP, if a new one is written.
  /// - Throws: `ImageryError.unsupported` if a block is too long for a segment.
  public func parts(
    exif: [UInt8]?, xmp: [UInt8]?, dropsStore: Bool = true, dropsFurther: Bool = true
  ) throws -> (head: [UInt8], tail: [UInt8]) {
    var head = Array(bytes[..<place])
    var dropped = dropsStore ? boxRanges : []
    for (new, old, name) in [
      (exif, exifRanges, Self.exifName), (xmp, xmpRanges, Self.xmpName),
    ] {
      guard let new else { continue }
      head += try Self.segment(0xE1, name + new)
      dropped += dropsFurther ? old : Array(old.prefix(1))
    }
    var tail: [UInt8] = []
    tail.reserveCapacity(bytes.count)
    var offset = place
    for range in dropped.sorted(by: { $0.lowerBound < $1.lowerBound }) {
      tail += bytes[offset..<range.lowerBound]
      // Nothing after a list of further pictures may move, so an empty comment fills the place.
      if let listStart, range.lowerBound > listStart {
        tail += [0xFF, 0xFE] + bytes[range].dropFirst(2).prefix(2)
        tail += Array(repeating: 0, count: range.count - 4)
      }
      offset = range.upperBound
    }
    tail += bytes[offset...]
    return (head, tail)
  }

  /// Returns the segments that hold a manifest store's box.
  /// - Throws: `ImageryError.unsupported`.
  public static func manifestSegments(_ box: [UInt8]) throws -> [UInt8] {
    // The body of a marker: "JP", the box's instance, the packet's number, the box's length and
    // type again.
    let room = maximumSegmentBytes - 8 - 8
    let header = Array(box.prefix(8))
    var segments: [UInt8] = []
    var number: UInt32 = 1
    var rest = box.dropFirst(8)
    repeat {
      let piece = rest.prefix(room)
      rest = rest.dropFirst(room)
      let packet = (0..<4).reversed().map { UInt8(truncatingIfNeeded: number >> (8 * UInt32($0))) }
      segments += try segment(0xEB, [0x4A, 0x50, 0, 1] + packet + header + piece)
      number += 1
    } while !rest.isEmpty
    return segments
  }

  private static func segment(_ marker: UInt8, _ body: [UInt8]) throws -> [UInt8] {
    guard body.count <= maximumSegmentBytes else {
      throw ImageryError.unsupported(reason: "its metadata do not fit into a segment")
    }
    let length = body.count + 2
    return [0xFF, marker, UInt8(length >> 8), UInt8(length & 0xFF)] + body
  }
}
