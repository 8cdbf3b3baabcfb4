/// A picture for paper: scaled inside the decoder, encoded again.
///
/// The obvious way is to decode the picture and then to shrink it to the wanted size. That spends
/// most of its time on pixels that are never printed. libjpeg can make a picture of n/8 of the
/// sides from the same read of the entropy-coded data. So the size is one that libjpeg can make,
/// and no second pass follows. A camera's picture of 4000 by 3000 becomes one of 1500 by 1125: 220
/// pixels to the inch over a page's width.
public struct PrintPicture: Sendable, Equatable {
  /// The most pixels of the longer side.
  public static let longestSidePixels = 1600
  /// The JPEG quality on libjpeg's own scale, 1 to 100.
  public static let quality = 80

  /// The small picture, a baseline JPEG with nothing of the file but its pixels. It is turned as
  /// the file stores it: EXIF's orientation is not applied.
  public let jpeg: [UInt8]
  /// A much smaller picture, turned in the same way; nil if none was asked for.
  public let small: [UInt8]?
  /// The width, pixels.
  public let widthPixels: Int
  /// The height, pixels.
  public let heightPixels: Int
  /// The damage in the file's picture data; nil if all of it can be read. The undamaged rest is shown.
  public let damage: ImageryError?

  /// Makes the small picture. The whole of the file's picture data is read once, and a second time
  /// only if it is damaged. Equal bytes give equal pictures on the same version of libjpeg-turbo.
  /// - Parameter smallSidePixels: the longer side of the much smaller picture; nil for none.
  /// - Throws: as `JPEGPicture.inspect`, and `ImageryError.encodingFailed`.
  public init(of bytes: [UInt8], smallSidePixels: Int? = nil) throws {
    let picture = try JPEGPicture.inspect(bytes)
    let longer = max(picture.widthPixels, picture.heightPixels)
    let eighths =
      (1...8).last { TurboJPEG.Scale(eighths: $0).scaled(longer) <= Self.longestSidePixels } ?? 1
    let scale = TurboJPEG.Scale(eighths: eighths)
    var damage: ImageryError?
    var pixels: PixelBuffer
    do {
      pixels = try TurboJPEG.decode(bytes, picture: picture, scale: scale, acceptsDamage: false)
    } catch let error as ImageryError {
      guard case .damaged = error else { throw error }
      damage = error
      pixels = try TurboJPEG.decode(bytes, picture: picture, scale: scale, acceptsDamage: true)
    }
    // An eighth of the largest accepted pictures is still more than paper shows.
    let side = max(pixels.width, pixels.height)
    if side > Self.longestSidePixels {
      func shrunk(_ pixels: Int) -> Int { max(1, pixels * Self.longestSidePixels / side) }
      pixels = pixels.shrunk(toWidth: shrunk(pixels.width), height: shrunk(pixels.height))
    }
    let print = try pixels.encodeJPEG(quality: Self.quality)
    jpeg = print
    // The picture just made is read in eighths, which costs less than shrinking its pixels.
    small = try smallSidePixels.map {
      try PixelBuffer(decoding: print, maximumSide: $0).encodeJPEG(quality: Self.quality)
    }
    (widthPixels, heightPixels) = (pixels.width, pixels.height)
    self.damage = damage
  }
}
