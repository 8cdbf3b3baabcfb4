/// A JPEG taken apart for what is written beside the picture: EXIF and XMP in APP1, a C2PA manifest
/// store in APP11. The picture's own bytes are never touched, only what stands before them.
public struct JPEGMetadata: Sendable {
  private static let exifName = Array("Exif\0\0".utf8)
  private static let xmpName = Array("http://ns.adobe.com/xap/1.0/\0".utf8)
  /// Bytes of a segment beside its marker: its length, of two bytes, counts itself.
  private static let maximumSegmentBytes = 65_533

  private let bytes: [UInt8]
  /// What is the picture itself, as in `JPEGStructure`.
  public let imageDataRanges: [Range<Int>]
  private let exifRanges: [Range<Int>]
  private let xmpRanges: [Range<Int>]
  /// The segments of a C2PA manifest store; other boxes are none of our business.
  private let boxRanges: [Range<Int>]
  /// Where a list of further pictures stands, whose places are counted from there.
  private let listStart: Int?
  /// Where what is written here goes: behind SOI and JFIF's segments.
  private let place: Int

  /// Finds what is there.
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
    // The first packet tells by its description what the box is; the others name the same instance.
    let store = boxes.first {
      bytes[$0].dropFirst(24).starts(with: Array("jumdc2pa".utf8))
    }.map { bytes[$0].dropFirst(6).prefix(2) }
    boxRanges = boxes.filter { bytes[$0].dropFirst(6).prefix(2) == store }
    place =
      structure.segments.dropFirst().prefix { $0.marker == 0xE0 }.last?.range.upperBound ?? 2
  }

  /// The EXIF block, from its byte order on; nil where there is none.
  public var exif: [UInt8]? {
    exifRanges.first.map { Array(bytes[$0].dropFirst(4 + Self.exifName.count)) }
  }

  /// The XMP packet; nil where there is none.
  public var xmp: [UInt8]? {
    xmpRanges.first.map { Array(bytes[$0].dropFirst(4 + Self.xmpName.count)) }
  }

  /// Whether EXIF or XMP stands there more than once: which of them counts is then anybody's guess.
  public var isAmbiguous: Bool { exifRanges.count > 1 || xmpRanges.count > 1 }

  /// The box of a C2PA manifest store (JUMBF), put together from its segments; nil where there is none.
  /// Source: ISO/IEC 19566-5, annex D: each segment repeats the box's length and type.
  public var manifestStore: [UInt8]? {
    guard let first = boxRanges.first else { return nil }
    var box = Array(bytes[first].dropFirst(12))
    for range in boxRanges.dropFirst() { box += bytes[range].dropFirst(20) }
    return box
  }

  /// Where the manifest store's segments lie in the file, if they lie together.
  public var manifestRange: Range<Int>? {
    guard let first = boxRanges.first, let last = boxRanges.last else { return nil }
    let total = boxRanges.reduce(0) { $0 + $1.count }
    return last.upperBound - first.lowerBound == total
      ? first.lowerBound..<last.upperBound : nil
  }

  /// The file with other EXIF and XMP, in two parts: a manifest store belongs between them. Nil leaves
  /// what is there as it is.
  ///
  /// - Parameters:
  ///   - dropsStore: whether the manifest store that is there goes.
  ///   - dropsFurther: whether a second EXIF or XMP goes, too, where one is written.
  /// - Throws: `ImageryError.unsupported` for more than a segment can hold.
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
      // Behind a list of further pictures nothing may move: an empty comment takes the place.
      if let listStart, range.lowerBound > listStart {
        tail += [0xFF, 0xFE] + bytes[range].dropFirst(2).prefix(2)
        tail += Array(repeating: 0, count: range.count - 4)
      }
      offset = range.upperBound
    }
    tail += bytes[offset...]
    return (head, tail)
  }

  /// The segments of a manifest store's box.
  public static func manifestSegments(_ box: [UInt8]) throws -> [UInt8] {
    // Marker's body: "JP", the box's instance, the packet's number, the box's length and type again.
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
