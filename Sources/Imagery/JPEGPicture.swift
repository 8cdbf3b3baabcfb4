/// The properties of a JPEG's picture, read without decoding its pixels.
public struct JPEGPicture: Sendable, Equatable {
  /// The way in which the colours are stored.
  public enum ColourSpace: String, Sendable, Equatable, CaseIterable {
    /// Lightness and two colour differences, as nearly every camera writes (JFIF).
    case yCbCr
    /// Red, green and blue.
    case rgb
    /// Lightness only.
    case grey
  }

  /// The longest accepted side, pixels.
  public static let maximumSidePixels = 16_384
  /// The most accepted pixels.
  public static let maximumPixelCount = 200_000_000
  /// The most accepted pixels of a file that is progressive or has several scans: a decoder keeps
  /// all its coefficients, 6 bytes a pixel. Cameras with more pixels than this write them in one
  /// scan.
  public static let maximumPixelCountOfSeveralScans = 64_000_000
  /// The most accepted pixels times scans. Each scan goes over the picture again, at 1 to 2 ns a
  /// pixel (docs/measured.md). The limit depends only on the file, so a slow machine gives the same
  /// answer as a fast one.
  public static let maximumScannedPixelCount = 1_500_000_000

  /// Width as stored, in pixels, 1 to `maximumSidePixels`; an EXIF orientation is not applied.
  public let widthPixels: Int
  /// Height as stored, in pixels, 1 to `maximumSidePixels`; an EXIF orientation is not applied.
  public let heightPixels: Int
  /// The way in which the colours are stored.
  public let colourSpace: ColourSpace

  /// Reads the frame header and refuses a picture that cannot be decoded here: broken structure,
  /// lossless or hierarchical coding, samples of other than 8 bits, print colours (CMYK), sizes
  /// beyond the limits. The pixels are not read: see `verifyDecodes`.
  /// - Throws: any `ImageryError` but `.damaged` and `.encodingFailed`.
  public static func inspect(_ bytes: [UInt8]) throws -> JPEGPicture {
    try inspect(bytes, JPEGStructure(bytes))
  }

  /// Does the same with a structure that the caller has already read.
  static func inspect(_ bytes: [UInt8], _ structure: JPEGStructure) throws -> JPEGPicture {
    let frame = structure.frame
    try checkSize(widthPixels: frame.widthPixels, heightPixels: frame.heightPixels)
    guard frame.bitsPerSample == 8 else {
      throw ImageryError.unsupported(
        reason: "its samples have \(frame.bitsPerSample) bits, only 8 are supported")
    }
    try checkScans(structure)
    // libjpeg-turbo 2 decodes SOF0, SOF1, SOF2 (Huffman) and SOF9, SOF10 (arithmetic).
    guard [0xC0, 0xC1, 0xC2, 0xC9, 0xCA].contains(frame.marker) else {
      throw ImageryError.unsupported(reason: "it is coded without loss or in a hierarchy")
    }
    return JPEGPicture(
      widthPixels: frame.widthPixels, heightPixels: frame.heightPixels,
      colourSpace: try TurboJPEG.colourSpace(of: bytes))
  }

  private static func checkScans(_ structure: JPEGStructure) throws {
    let frame = structure.frame
    let scans = structure.scanCount
    guard frame.isProgressive || scans > 1 else { return }
    let pixels = frame.widthPixels * frame.heightPixels
    guard pixels <= maximumPixelCountOfSeveralScans else {
      throw ImageryError.tooManyPixelsOfSeveralScans(
        widthPixels: frame.widthPixels, heightPixels: frame.heightPixels,
        limitPixels: maximumPixelCountOfSeveralScans)
    }
    guard pixels * scans <= maximumScannedPixelCount else {
      throw ImageryError.tooManyScans(limit: maximumScannedPixelCount / pixels)
    }
  }

  /// Proves that all pixels are there, by decoding the whole picture at the smallest scale. The
  /// decoder reads the entropy-coded data of every block; a warning of libjpeg, such as a premature
  /// end, counts as an error. Cost: some nanoseconds a pixel, memory 3 bytes for each 64 pixels
  /// (for progressive files and those of several scans also their coefficients, up to 6 bytes a
  /// pixel). The limits on pixels and scans also limit the time.
  /// - Throws: as `inspect`, and `ImageryError.damaged`.
  public static func verifyDecodes(_ bytes: [UInt8]) throws {
    let picture = try inspect(bytes)
    let pixels = try TurboJPEG.decode(
      bytes, picture: picture, scale: TurboJPEG.smallestScale, acceptsDamage: false)
    // The pixels are not used afterwards. Without this line the optimizer might free them while
    // they are written (decision 19).
    withExtendedLifetime(pixels) {}
  }

  /// Checks the sides and the number of pixels.
  /// - Throws: `ImageryError.sidesOutOfRange` or `.tooManyPixels`.
  static func checkSize(widthPixels: Int, heightPixels: Int) throws {
    let sides = 1...maximumSidePixels
    guard sides.contains(widthPixels), sides.contains(heightPixels) else {
      throw ImageryError.sidesOutOfRange(
        widthPixels: widthPixels, heightPixels: heightPixels, limitPixels: maximumSidePixels)
    }
    guard widthPixels * heightPixels <= maximumPixelCount else {
      throw ImageryError.tooManyPixels(
        widthPixels: widthPixels, heightPixels: heightPixels, limitPixels: maximumPixelCount)
    }
  }
}
