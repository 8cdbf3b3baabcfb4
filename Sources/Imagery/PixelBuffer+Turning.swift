extension JPEGPicture {
  /// Returns true if EXIF's orientation makes the stored width the height that people see.
  /// - Throws: as `JPEGStructure.init`.
  public static func isUprightTurned(_ bytes: [UInt8]) throws -> Bool {
    ExifBlock.orientation(of: bytes, try JPEGStructure(bytes)) >= 5
  }
}

extension PixelBuffer {
  /// Decodes a JPEG as the camera saw it: EXIF's orientation is applied, as browsers do.
  /// - Parameter maximumSide: the longest side in pixels; nil for the whole picture.
  /// - Throws: as `JPEGPicture.inspect`.
  public init(upright bytes: [UInt8], maximumSide: Int? = nil) throws {
    let decoded = try PixelBuffer(
      decoding: bytes, maximumSide: maximumSide ?? JPEGPicture.maximumSidePixels)
    self = decoded.upright(from: ExifBlock.orientation(of: bytes, try JPEGStructure(bytes)))
  }

  /// Turns the stored picture upright, as the camera saw it.
  /// - Parameter orientation: The EXIF orientation, 1 to 8; any other number counts as 1, which
  ///   changes nothing.
  func upright(from orientation: Int) -> PixelBuffer {
    guard (2...8).contains(orientation) else { return self }
    let swapsSides = orientation >= 5
    let newWidth = swapsSides ? height : width
    let newHeight = swapsSides ? width : height
    // `start` is the new place of the stored picture's first pixel. `column` and `row` are the new
    // distances between neighbouring columns and rows, counted in pixels of the new picture.
    let (right, down) = (1, newWidth)
    let (lastColumn, lastRow) = (newWidth - 1, (newHeight - 1) * newWidth)
    let (start, column, row): (Int, Int, Int) =
      switch orientation {
      case 2: (lastColumn, -right, down)
      case 3: (lastRow + lastColumn, -right, -down)
      case 4: (lastRow, right, -down)
      case 5: (0, down, right)
      case 6: (lastColumn, down, -right)
      case 7: (lastRow + lastColumn, -down, -right)
      default: (lastRow, -down, right)
      }
    var turned = [UInt8](repeating: 0, count: pixels.count)
    pixels.withUnsafeBufferPointer { source in
      turned.withUnsafeMutableBufferPointer { target in
        var from = 0
        for y in 0..<height {
          var to = 3 * (start + y * row)
          for _ in 0..<width {
            target[to] = source[from]
            target[to + 1] = source[from + 1]
            target[to + 2] = source[from + 2]
            from += 3
            to += 3 * column
          }
        }
      }
    }
    return PixelBuffer(uncheckedWidth: newWidth, height: newHeight, pixels: turned)
  }
}
