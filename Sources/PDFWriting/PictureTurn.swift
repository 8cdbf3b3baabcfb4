import Imagery

/// The turn or reflection that makes a picture upright: EXIF's orientation (JEITA CP-3451, tag
/// 0x0112). Cameras store the sensor's rows, and this tag says how the camera was held.
package struct PictureTurn: Hashable {
  /// A direction on the upright picture, x to the right and y down.
  package struct Direction: Hashable {
    package var x: Double
    package var y: Double

    static let right = Direction(x: 1, y: 0)
    static let left = Direction(x: -1, y: 0)
    static let down = Direction(x: 0, y: 1)
    static let up = Direction(x: 0, y: -1)

    package var opposite: Direction { Direction(x: -x, y: -y) }
  }

  /// The direction from a stored column to the next one, on the upright picture.
  package let columnsRun: Direction
  /// The direction from a stored row to the next one, on the upright picture.
  package let rowsRun: Direction

  /// The turn of a picture that is stored upright.
  package static let upright = PictureTurn(columnsRun: .right, rowsRun: .down)

  /// True if the turn exchanges height and width.
  package var swapsSides: Bool { columnsRun.x == 0 }

  /// The place of the stored picture's lower left corner on the upright picture, whose sides are 1.
  package var lowerLeftCorner: (x: Double, y: Double) {
    // Rows run towards this corner, and columns run away from it.
    let towards = [rowsRun, columnsRun.opposite]
    return (
      x: towards.contains(.right) ? 1 : 0, y: towards.contains(.down) ? 1 : 0
    )
  }

  private init(columnsRun: Direction, rowsRun: Direction) {
    self.columnsRun = columnsRun
    self.rowsRun = rowsRun
  }

  /// Creates the turn of an EXIF orientation; nil outside 1…8.
  package init?(orientation: Int) {
    switch orientation {
    case 1: (columnsRun, rowsRun) = (.right, .down)
    case 2: (columnsRun, rowsRun) = (.left, .down)
    case 3: (columnsRun, rowsRun) = (.left, .up)
    case 4: (columnsRun, rowsRun) = (.right, .up)
    case 5: (columnsRun, rowsRun) = (.down, .right)
    case 6: (columnsRun, rowsRun) = (.down, .left)
    case 7: (columnsRun, rowsRun) = (.up, .left)
    case 8: (columnsRun, rowsRun) = (.up, .right)
    default: return nil
    }
  }

  /// Reads the turn from a JPEG's EXIF; upright if there is no orientation that can be read.
  package init(jpeg: [UInt8]) {
    self = Self.orientation(in: jpeg).flatMap(PictureTurn.init(orientation:)) ?? .upright
  }

  private static func orientation(in jpeg: [UInt8]) -> Int? {
    guard let structure = try? JPEGStructure(jpeg) else { return nil }
    let name = Array("Exif\0\0".utf8)
    for segment in structure.segments where segment.marker == 0xE1 {
      // A segment begins with its marker and length, two bytes each.
      let payload = jpeg[segment.range].dropFirst(4)
      if payload.starts(with: name) { return orientation(tiff: payload.dropFirst(name.count)) }
    }
    return nil
  }

  /// Reads the orientation from TIFF data (TIFF 6.0): byte order, 42, offset of the first
  /// directory, whose entries are 12 bytes each; nil if there is none.
  private static func orientation(tiff: ArraySlice<UInt8>) -> Int? {
    let isBigEndian: Bool
    if tiff.starts(with: Array("MM".utf8)) {
      isBigEndian = true
    } else if tiff.starts(with: Array("II".utf8)) {
      isBigEndian = false
    } else {
      return nil
    }
    func number(at offset: Int, bytes count: Int) -> Int? {
      guard offset >= 0, offset + count <= tiff.count else { return nil }
      let bytes = tiff[(tiff.startIndex + offset)..<(tiff.startIndex + offset + count)]
      let ordered = isBigEndian ? Array(bytes) : bytes.reversed()
      return ordered.reduce(0) { $0 << 8 | Int($1) }
    }
    guard let directory = number(at: 4, bytes: 4), let count = number(at: directory, bytes: 2)
    else { return nil }
    for index in 0..<count {
      let entry = directory + 2 + 12 * index
      guard let tag = number(at: entry, bytes: 2) else { return nil }
      if tag == 0x0112 { return number(at: entry + 8, bytes: 2) }
    }
    return nil
  }
}
