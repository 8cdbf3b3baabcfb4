/// A picture in memory: 8-bit RGB, row by row from the top, without padding.
public struct PixelBuffer: Sendable, Equatable {
  /// Width in pixels, 1 to `JPEGPicture.maximumSidePixels`.
  public let width: Int
  /// Height in pixels, 1 to `JPEGPicture.maximumSidePixels`.
  public let height: Int
  /// Red, green, blue of each pixel, from the top left; `3 * width * height` bytes.
  public internal(set) var pixels: [UInt8]

  /// Creates a picture of one colour.
  /// - Throws: `ImageryError.sidesOutOfRange` or `.tooManyPixels`.
  public init(width: Int, height: Int, colour: Colour = .white) throws {
    try JPEGPicture.checkSize(widthPixels: width, heightPixels: height)
    self.init(
      uncheckedWidth: width, height: height,
      pixels: [UInt8](repeating: 0, count: 3 * width * height))
    fillRectangle(columns: 0..<width, rows: 0..<height, colour: colour)
  }

  /// Decodes a JPEG so that its longer side has at most `maximumSide` pixels. This is cheap,
  /// because most of the scaling happens inside the decoder. Small pictures keep their size. An
  /// EXIF orientation is not applied. Damage inside the picture data is accepted, so that people
  /// can look at a damaged picture; `JPEGPicture.verifyDecodes` finds the damage.
  /// - Parameter maximumSide: The longest side in pixels; a number below 1 counts as 1.
  /// - Throws: as `JPEGPicture.inspect`.
  public init(decoding bytes: [UInt8], maximumSide: Int) throws {
    let picture = try JPEGPicture.inspect(bytes)
    let longer = max(picture.widthPixels, picture.heightPixels)
    let target = min(max(maximumSide, 1), longer)
    let eighths = (1...8).first { TurboJPEG.Scale(eighths: $0).scaled(longer) >= target } ?? 8
    let decoded = try TurboJPEG.decode(
      bytes, picture: picture, scale: TurboJPEG.Scale(eighths: eighths), acceptsDamage: true)
    // The decoder rounds both sides up, so the shorter one may be a pixel short of the exact ratio.
    func shrunk(_ side: Int) -> Int { max(1, (side * target + longer / 2) / longer) }
    self = decoded.shrunk(
      toWidth: min(decoded.width, shrunk(picture.widthPixels)),
      height: min(decoded.height, shrunk(picture.heightPixels)))
  }

  init(uncheckedWidth width: Int, height: Int, pixels: [UInt8]) {
    self.width = width
    self.height = height
    self.pixels = pixels
  }

  /// Returns the colour at a place; nil outside the picture.
  public func colour(x: Int, y: Int) -> Colour? {
    guard (0..<width).contains(x), (0..<height).contains(y) else { return nil }
    let offset = 3 * (y * width + x)
    return Colour(red: pixels[offset], green: pixels[offset + 1], blue: pixels[offset + 2])
  }

  /// Encodes the picture as a baseline JPEG (JFIF, 4:2:0). Equal pixels give equal bytes on the
  /// same version of libjpeg-turbo.
  /// - Parameter quality: 1 (small) to 100 (faithful), clamped; libjpeg's own scale.
  /// - Throws: `ImageryError.encodingFailed`.
  public func encodeJPEG(quality: Int) throws -> [UInt8] {
    try TurboJPEG.encode(self, quality: quality, progressive: false)
  }
}
