extension PixelBuffer {
  /// Shrinks the picture by area averaging. Taking every nth pixel would make stripes of a hedge
  /// flicker and text unreadable. So each new pixel is the mean of the old area that it covers.
  /// Fractional edges are counted exactly in integers: an old pixel is `new` units long, a new one
  /// `old` units. Cost: one visit of each old pixel, then one of each half-shrunk one.
  func shrunk(toWidth newWidth: Int, height newHeight: Int) -> PixelBuffer {
    guard newWidth < width || newHeight < height, newWidth <= width, newHeight <= height else {
      return self
    }
    let narrow = Self.shrunk(
      pixels, old: width, new: newWidth, lines: height, step: 3, lineStep: 3 * width,
      newLineStep: 3 * newWidth)
    let small = Self.shrunk(
      narrow, old: height, new: newHeight, lines: newWidth, step: 3 * newWidth, lineStep: 3,
      newLineStep: 3)
    return PixelBuffer(uncheckedWidth: newWidth, height: newHeight, pixels: small)
  }

  /// Shrinks along one axis: `step` is the distance in bytes between neighbours on the axis,
  /// `lineStep` between neighbouring lines.
  private static func shrunk(
    _ source: [UInt8], old: Int, new: Int, lines: Int, step: Int, lineStep: Int, newLineStep: Int
  ) -> [UInt8] {
    guard new < old else { return source }
    var result = [UInt8](repeating: 0, count: 3 * new * lines)
    source.withUnsafeBufferPointer { source in
      result.withUnsafeMutableBufferPointer { result in
        for target in 0..<new {
          let start = target * old
          let end = start + old
          let first = start / new
          let last = (end - 1) / new
          for line in 0..<lines {
            var red = old / 2
            var green = old / 2
            var blue = old / 2
            var offset = line * lineStep + first * step
            for position in first...last {
              let weight = min(end, (position + 1) * new) - max(start, position * new)
              red += weight * Int(source[offset])
              green += weight * Int(source[offset + 1])
              blue += weight * Int(source[offset + 2])
              offset += step
            }
            // The value of `step` is the same before and after: 3, or a row of the new width.
            let output = line * newLineStep + target * step
            result[output] = UInt8(red / old)
            result[output + 1] = UInt8(green / old)
            result[output + 2] = UInt8(blue / old)
          }
        }
      }
    }
    return result
  }
}
