/// A picture for paper: scaled inside the decoder, encoded again.
///
/// The obvious way, to decode the picture and to shrink what was decoded to the size that is wanted, spends
/// most of its time on pixels that nobody prints. libjpeg makes a picture of n/8 of its sides out of the same
/// read of the entropy-coded data; so the size is one that it can make, and no second pass follows. A camera's
/// picture of 4000 by 3000 becomes one of 1500 by 1125: 220 pixels to the inch over a page's width.
public struct PrintPicture: Sendable, Equatable {
  /// The longer side has at most so many pixels.
  public static let longestSidePixels = 1600
  /// libjpeg's own scale.
  public static let quality = 80

  /// The small picture, a baseline JPEG without anything of the file but its pixels. It is turned as the file
  /// stores it: EXIF's orientation is not applied.
  public let jpeg: [UInt8]
  /// Its width in pixels.
  public let widthPixels: Int
  /// Its height in pixels.
  public let heightPixels: Int
  /// What of the file's picture data cannot be read; nil where all of it can. What is left is shown.
  public let damage: ImageryError?

  /// Makes the small picture. The whole of the file's picture data is read once; a second time only where it
  /// is damaged. The same bytes give the same picture on the same version of libjpeg-turbo.
  /// - Throws: as `JPEGPicture.inspect`, and `ImageryError.encodingFailed`.
  public init(of bytes: [UInt8]) throws {
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
    // An eighth of the largest pictures that are accepted is still more than paper shows.
    let side = max(pixels.width, pixels.height)
    if side > Self.longestSidePixels {
      func shrunk(_ pixels: Int) -> Int { max(1, pixels * Self.longestSidePixels / side) }
      pixels = pixels.shrunk(toWidth: shrunk(pixels.width), height: shrunk(pixels.height))
    }
    jpeg = try pixels.encodeJPEG(quality: Self.quality)
    (widthPixels, heightPixels) = (pixels.width, pixels.height)
    self.damage = damage
  }
}
