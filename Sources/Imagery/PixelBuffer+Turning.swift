extension PixelBuffer {
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
