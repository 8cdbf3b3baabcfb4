/// A picture as the comparison of two pictures sees it: 8-bit grey, upright, small.
public struct GreyPicture: Sendable, Equatable {
  /// The width in pixels.
  public let width: Int
  /// The height in pixels.
  public let height: Int
  /// The brightness of each pixel, row by row from the top; `width * height` bytes.
  public let pixels: [UInt8]

  /// Decodes a JPEG, shrinks it so that its longer side has at most `maximumSide` pixels, and turns
  /// it upright by its EXIF orientation. Small pictures keep their size. Damage inside the picture's
  /// data is accepted.
  /// - Throws: as `JPEGPicture.inspect`.
  public init(decoding bytes: [UInt8], maximumSide: Int) throws {
    let structure = try JPEGStructure(bytes)
    let colour = try PixelBuffer(decoding: bytes, maximumSide: maximumSide)
      .upright(from: ExifBlock.orientation(of: bytes, structure))
    width = colour.width
    height = colour.height
    pixels = colour.pixels.withUnsafeBufferPointer { source in
      [UInt8](unsafeUninitializedCapacity: source.count / 3) { target, count in
        count = source.count / 3
        for index in 0..<count {
          // The weights of ITU-R BT.601, in parts of 65,536; they add up to it.
          let weighed =
            19_595 * Int(source[3 * index]) + 38_470 * Int(source[3 * index + 1])
            + 7_471 * Int(source[3 * index + 2])
          target[index] = UInt8((weighed + 32_768) >> 16)
        }
      }
    }
  }
}
