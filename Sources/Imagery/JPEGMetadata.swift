/// A JPEG taken apart for what is written beside the picture: EXIF and XMP in APP1, a C2PA manifest
/// store in APP11. The picture's own bytes are never touched, only what stands before them.
public struct JPEGMetadata: Sendable {
  private static let exifName = Array("Exif\0\0".utf8)
  private static let xmpName = Array("http://ns.adobe.com/xap/1.0/\0".utf8)
  /// Bytes of a segment beside its marker: its length, of two bytes, counts itself.
  private static let maximumSegmentBytes = 65_533

  private let bytes: [UInt8]
  private let exifRange: Range<Int>?
  private let xmpRange: Range<Int>?
  private let boxRanges: [Range<Int>]
  /// Where what is written here goes: behind SOI and JFIF's segments.
  private let place: Int

  /// Finds what is there.
  /// - Throws: `ImageryError`.
  public init(_ bytes: [UInt8]) throws {
    let structure = try JPEGStructure(bytes)
    self.bytes = bytes
    func first(_ name: [UInt8]) -> Range<Int>? {
      structure.segments.first {
        $0.marker == 0xE1 && bytes[$0.range].dropFirst(4).starts(with: name)
      }?.range
    }
    exifRange = first(Self.exifName)
    xmpRange = first(Self.xmpName)
    boxRanges = structure.segments.filter {
      $0.marker == 0xEB && bytes[$0.range].dropFirst(4).starts(with: [0x4A, 0x50])
        && bytes[$0.range].dropFirst(16).starts(with: Array("jumb".utf8))
    }.map(\.range)
    place =
      structure.segments.dropFirst().prefix { $0.marker == 0xE0 }.last?.range.upperBound ?? 2
  }

  /// The EXIF block, from its byte order on; nil where there is none.
  public var exif: [UInt8]? {
    exifRange.map { Array(bytes[$0].dropFirst(4 + Self.exifName.count)) }
  }

  /// The XMP packet; nil where there is none.
  public var xmp: [UInt8]? { xmpRange.map { Array(bytes[$0].dropFirst(4 + Self.xmpName.count)) } }

  /// The box of a C2PA manifest store (JUMBF), put together from its segments; nil where there is none.
  /// Source: ISO/IEC 19566-5, annex D: each segment repeats the box's length and type.
  public var manifestStore: [UInt8]? {
    guard let first = boxRanges.first else { return nil }
    let instance = bytes[first].dropFirst(6).prefix(2)
    var box: [UInt8] = []
    for range in boxRanges where bytes[range].dropFirst(6).prefix(2).elementsEqual(instance) {
      let payload = bytes[range].dropFirst(12)
      box += box.isEmpty ? payload : payload.dropFirst(8)
    }
    return box
  }

  /// Where the manifest store's segments lie in the file, if they lie together.
  public var manifestRange: Range<Int>? {
    guard let first = boxRanges.first, let last = boxRanges.last else { return nil }
    let total = boxRanges.reduce(0) { $0 + $1.count }
    return last.upperBound - first.lowerBound == total
      ? first.lowerBound..<last.upperBound : nil
  }

  /// The file without its manifest store and with other EXIF and XMP, in two parts: a manifest store
  /// belongs between them. Nil leaves what is there as it is.
  /// - Throws: `ImageryError.unsupported` for more than a segment can hold.
  public func parts(exif: [UInt8]?, xmp: [UInt8]?) throws -> (head: [UInt8], tail: [UInt8]) {
    var head = Array(bytes[..<place])
    var dropped = boxRanges
    for (new, old, name) in [
      (exif, exifRange, Self.exifName), (xmp, xmpRange, Self.xmpName),
    ] {
      guard let body = new.map({ name + $0 }) ?? old.map({ Array(bytes[$0].dropFirst(4)) }) else {
        continue
      }
      head += try Self.segment(0xE1, body)
      if let old { dropped.append(old) }
    }
    var tail: [UInt8] = []
    tail.reserveCapacity(bytes.count)
    var offset = place
    for range in dropped.sorted(by: { $0.lowerBound < $1.lowerBound }) {
      tail += bytes[offset..<range.lowerBound]
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
