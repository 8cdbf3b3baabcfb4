/// A preview of a picture, for lists of thousands.
///
/// The obvious way, to decode the picture and to shrink it, decodes sixty-four pixels for each one
/// that is kept. libjpeg can skip the detail of each block of 8 by 8 that no preview shows, and
/// make one pixel of the block. Only reading the entropy-coded data once cannot be avoided. A
/// camera's picture of 12 megapixels becomes one of 500 by 375. The preview is upright, however the
/// camera was held by its EXIF, and carries none of the picture's metadata: no place, no time, no
/// maker.
public enum Thumbnail {
  /// The size of a preview, and how well it is kept.
  public struct Size: Hashable, Sendable {
    /// The fewest pixels of the longer side, if the picture itself has as many.
    public let leastSidePixels: Int
    /// The most pixels of the longer side.
    public let mostSidePixels: Int
    /// The JPEG quality on libjpeg's own scale, 1 to 100.
    let quality: Int

    /// The size for lists: small, and good enough to tell pictures apart.
    public static let list = Size(leastSidePixels: 320, mostSidePixels: 640, quality: 75)
    /// The size of an earlier picture on a camera page: as exact as comparing two pictures is.
    public static let reference = Size(leastSidePixels: 1600, mostSidePixels: 1600, quality: 80)
  }

  /// Makes the preview. Damage inside the picture's data is accepted, so that people can see the
  /// rest. Equal bytes give equal previews on the same version of libjpeg-turbo.
  /// - Throws: as `JPEGPicture.inspect`, and `ImageryError.encodingFailed`.
  public static func jpeg(of bytes: [UInt8], _ size: Size = .list) throws -> [UInt8] {
    let structure = try JPEGStructure(bytes)
    let picture = try JPEGPicture.inspect(bytes, structure)
    let longer = max(picture.widthPixels, picture.heightPixels)
    let eighths = (1...8).first {
      TurboJPEG.Scale(eighths: $0).scaled(longer) >= size.leastSidePixels
    }
    let decoded = try TurboJPEG.decode(
      bytes, picture: picture, scale: TurboJPEG.Scale(eighths: eighths ?? 8), acceptsDamage: true)
    return try small(decoded, size)
      .upright(from: ExifBlock.orientation(of: bytes, structure))
      .encodeJPEG(quality: size.quality)
  }

  /// Shrinks a decoded picture further, because an eighth of the largest pictures is still more
  /// than a page shows.
  private static func small(_ decoded: PixelBuffer, _ size: Size) -> PixelBuffer {
    let longer = max(decoded.width, decoded.height)
    guard longer > size.mostSidePixels else { return decoded }
    func shrunk(_ side: Int) -> Int {
      max(1, (side * size.mostSidePixels + longer / 2) / longer)
    }
    return decoded.shrunk(toWidth: shrunk(decoded.width), height: shrunk(decoded.height))
  }
}

extension ExifBlock {
  /// Reads the orientation in which the camera was held (Exif 2.32, tag 0x0112), 1 to 8; 1, as
  /// stored, if EXIF says nothing readable.
  static func orientation(of bytes: [UInt8], _ structure: JPEGStructure) -> Int {
    let name = Array("Exif\0\0".utf8)
    for segment in structure.segments where segment.marker == 0xE1 {
      // The marker and the length, two bytes each, come before the segment's contents.
      let body = bytes[segment.range].dropFirst(4)
      guard body.starts(with: name) else { continue }
      guard let block = try? ExifBlock(Array(body.dropFirst(name.count))),
        case .shorts(let values) = block[.primary, 0x0112], let value = values.first,
        (1...8).contains(value)
      else { return 1 }
      return Int(value)
    }
    return 1
  }
}
