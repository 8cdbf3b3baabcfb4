import CTurboJPEG

/// The functions of libjpeg-turbo's codec. They are pure: each makes its own handle and destroys it.
enum TurboJPEG {
  /// A scale of up to 1, in eighths, at which libjpeg decodes without extra cost.
  struct Scale: Sendable, Equatable {
    let eighths: Int

    /// Returns a scaled side in pixels, as TJSCALED of turbojpeg.h, a macro that Swift cannot import.
    func scaled(_ sidePixels: Int) -> Int {
      (sidePixels * eighths + 7) / 8
    }
  }

  static let smallestScale = Scale(eighths: 1)

  static func colourSpace(of bytes: [UInt8]) throws -> JPEGPicture.ColourSpace {
    try withHandle(tjInitDecompress) { handle in
      var width: Int32 = 0
      var height: Int32 = 0
      var subsampling: Int32 = 0
      var colourSpace: Int32 = -1
      let status = tjDecompressHeader3(
        handle, bytes, UInt(bytes.count), &width, &height, &subsampling, &colourSpace)
      // A warning about the header (an odd JFIF version) leaves the values usable.
      guard status == 0 || isWarning(handle) else {
        throw ImageryError.undecodable(decoderSays: words(of: handle))
      }
      switch colourSpace {
      case Int32(TJCS_YCbCr.rawValue): return .yCbCr
      case Int32(TJCS_RGB.rawValue): return .rgb
      case Int32(TJCS_GRAY.rawValue): return .grey
      default:
        throw ImageryError.unsupported(reason: "its colours are made for print (CMYK)")
      }
    }
  }

  /// Decodes to 8-bit RGB. With `acceptsDamage` libjpeg's warnings are ignored, and pixels that it
  /// could not read stay as it left them.
  static func decode(
    _ bytes: [UInt8], picture: JPEGPicture, scale: Scale, acceptsDamage: Bool
  ) throws -> PixelBuffer {
    let width = scale.scaled(picture.widthPixels)
    let height = scale.scaled(picture.heightPixels)
    var pixels = [UInt8](repeating: 0, count: 3 * width * height)
    try withHandle(tjInitDecompress) { handle in
      let flags = TJFLAG_LIMITSCANS | (acceptsDamage ? 0 : TJFLAG_STOPONWARNING)
      let status = tjDecompress2(
        handle, bytes, UInt(bytes.count), &pixels, Int32(width), Int32(3 * width), Int32(height),
        Int32(TJPF_RGB.rawValue), flags)
      guard status == 0 || (acceptsDamage && isWarning(handle)) else {
        throw isWarning(handle)
          ? ImageryError.damaged(decoderSays: words(of: handle))
          : ImageryError.undecodable(decoderSays: words(of: handle))
      }
    }
    return PixelBuffer(uncheckedWidth: width, height: height, pixels: pixels)
  }

  static func encode(_ buffer: PixelBuffer, quality: Int, progressive: Bool) throws -> [UInt8] {
    try withHandle(tjInitCompress) { handle in
      var output: UnsafeMutablePointer<UInt8>?
      var outputCount: UInt = 0
      defer { tjFree(output) }
      let status = tjCompress2(
        handle, buffer.pixels, Int32(buffer.width), Int32(3 * buffer.width), Int32(buffer.height),
        Int32(TJPF_RGB.rawValue), &output, &outputCount, Int32(TJSAMP_420.rawValue),
        Int32(min(max(quality, 1), 100)),
        TJFLAG_ACCURATEDCT | (progressive ? TJFLAG_PROGRESSIVE : 0))
      guard status == 0, let output else {
        throw ImageryError.encodingFailed(encoderSays: words(of: handle))
      }
      return Array(UnsafeBufferPointer(start: output, count: Int(outputCount)))
    }
  }

  private static func withHandle<Result>(
    _ make: () -> tjhandle?, _ body: (tjhandle) throws -> Result
  ) throws -> Result {
    guard let handle = make() else {
      throw ImageryError.undecodable(decoderSays: "libjpeg-turbo did not start")
    }
    defer { tjDestroy(handle) }
    return try body(handle)
  }

  private static func isWarning(_ handle: tjhandle) -> Bool {
    tjGetErrorCode(handle) == Int32(TJERR_WARNING.rawValue)
  }

  private static func words(of handle: tjhandle) -> String {
    tjGetErrorStr2(handle).map { String(cString: $0) } ?? "no reason given"
  }
}
