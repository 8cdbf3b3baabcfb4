import Evidence
import FieldUnit
import Foundation
import Imagery
import Synchronization

/// The program's sign as a pixel image (PNG), for systems that take no drawing: the ring of
/// uncertainty around the point of the inspector, as in the drawing next to each page's title.
///
/// The colour fills the whole square, so that ring and cross stay whole in any shape that a system
/// cuts out of it.
enum AppIcon {
  private static let drawn = Mutex<[Int: [UInt8]]>([:])

  /// Returns the file's bytes, which are drawn once for each size.
  /// - Parameter side: pixels, 16 to 1024; other values are drawn at the nearest of these.
  static func bytes(side: Int) throws -> [UInt8] {
    if let known = drawn.withLock({ $0[side] }) { return known }
    let made = try png(try picture(side: min(max(side, 16), 1024)))
    drawn.withLock { $0[side] = made }
    return made
  }

  private static func picture(side: Int) throws -> PixelBuffer {
    let ground = Colour(red: 0x0B, green: 0x4F, blue: 0x6C)
    var picture = try PixelBuffer(width: side, height: side, colour: ground)
    let unit = Double(side) / 40
    func disc(_ radius: Double, _ colour: Colour) {
      let corners = (0..<180).map { step -> PixelPoint in
        let angle = Double(step) * .pi / 90
        return PixelPoint(
          x: (20 + radius * cos(angle)) * unit, y: (20 + radius * sin(angle)) * unit)
      }
      picture.fillPolygon(corners, colour: colour)
    }
    disc(10.25, .white)
    disc(7.75, ground)
    for (x, y) in [(0.0, -1.0), (0, 1), (-1, 0), (1, 0)] {
      picture.drawLine(
        from: PixelPoint(x: (20 + 6 * x) * unit, y: (20 + 6 * y) * unit),
        to: PixelPoint(x: (20 + 14 * x) * unit, y: (20 + 14 * y) * unit), thickness: 2.5 * unit,
        colour: .white)
    }
    disc(3.5, .white)
    return picture
  }

  // MARK: PNG (ISO/IEC 15948)

  private static func png(_ picture: PixelBuffer) throws -> [UInt8] {
    var rows: [UInt8] = []
    rows.reserveCapacity((3 * picture.width + 1) * picture.height)
    for row in 0..<picture.height {
      // Each row is stored without a filter: plain areas compress well enough.
      rows.append(0)
      let start = 3 * picture.width * row
      rows += picture.pixels[start..<(start + 3 * picture.width)]
    }
    // The compressed data between the ten bytes of the gzip header and the eight bytes of its
    // trailer is the same in a zlib stream.
    let packed = try Gzip.compress(rows)
    guard packed.count > 18 else { return [] }
    let stream = [0x78, 0x9C] + packed[10..<(packed.count - 8)] + bigEndian(adler(rows))
    let head =
      bigEndian(UInt32(picture.width)) + bigEndian(UInt32(picture.height))
      + [8, 2, 0, 0, 0]  // 8 bits each of red, green and blue, not interlaced.
    return [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + chunk("IHDR", head)
      + chunk("IDAT", stream) + chunk("IEND", [])
  }

  private static func chunk(_ name: String, _ bytes: [UInt8]) -> [UInt8] {
    let body = Array(name.utf8) + bytes
    return bigEndian(UInt32(bytes.count)) + body + bigEndian(cyclicRedundancy(body))
  }

  private static func bigEndian(_ number: UInt32) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
  }

  private static func adler(_ bytes: [UInt8]) -> UInt32 {
    var (low, high): (UInt32, UInt32) = (1, 0)
    for byte in bytes {
      low = (low + UInt32(byte)) % 65_521
      high = (high + low) % 65_521
    }
    return high << 16 | low
  }

  private static func cyclicRedundancy(_ bytes: [UInt8]) -> UInt32 {
    var sum: UInt32 = 0xFFFF_FFFF
    for byte in bytes {
      sum ^= UInt32(byte)
      for _ in 0..<8 { sum = sum & 1 == 1 ? sum >> 1 ^ 0xEDB8_8320 : sum >> 1 }
    }
    return ~sum
  }
}
