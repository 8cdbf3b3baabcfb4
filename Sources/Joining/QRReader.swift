import CZbar
import Imagery

/// Reads QR codes in pictures, with libzbar.
package enum QRReader {
  /// The longest side at which a picture is searched, pixels: a code of 45 modules that fills a third
  /// of it has 9 pixels for each module, and a search takes some milliseconds.
  static let sidePixels = 1280
  /// The most bytes of a picture that a page may send.
  package static let bytesAtMost = 12 << 20

  /// Returns the texts of the QR codes in a JPEG; none if it has no code.
  /// - Throws: `ImageryError` if the bytes are no picture that can be decoded, and `QRReaderError` if
  ///   libzbar is missing.
  package static func texts(inJPEG bytes: [UInt8]) throws -> [String] {
    let picture = try PixelBuffer(decoding: bytes, maximumSide: sidePixels)
    return try texts(inGrey: grey(picture), width: picture.width, height: picture.height)
  }

  /// Returns the luminance of each pixel (ITU-R BT.601).
  private static func grey(_ picture: PixelBuffer) -> [UInt8] {
    let pixels = picture.pixels
    return [UInt8](unsafeUninitializedCapacity: picture.width * picture.height) { grey, count in
      for index in 0..<(picture.width * picture.height) {
        let (red, green, blue) = (
          Int(pixels[3 * index]), Int(pixels[3 * index + 1]), Int(pixels[3 * index + 2])
        )
        grey[index] = UInt8((299 * red + 587 * green + 114 * blue) / 1000)
      }
      count = picture.width * picture.height
    }
  }

  private static func texts(inGrey pixels: [UInt8], width: Int, height: Int) throws -> [String] {
    let zbar = try ZbarLibrary.loaded.get()
    guard let scanner = zbar.makeScanner(), let image = zbar.makeImage() else { return [] }
    defer {
      zbar.freeImage(image)
      zbar.freeScanner(scanner)
    }
    // Only QR codes: each further kind would be further code that reads strangers' bytes.
    _ = zbar.configure(scanner, ZBAR_NONE, ZBAR_CFG_ENABLE, 0)
    _ = zbar.configure(scanner, ZBAR_QRCODE, ZBAR_CFG_ENABLE, 1)
    // The name of the format: 8 bits of grey a pixel ("Y800").
    zbar.setFormat(image, 0x3030_3859)
    zbar.setSize(image, UInt32(width), UInt32(height))
    return pixels.withUnsafeBytes { bytes -> [String] in
      zbar.setData(image, bytes.baseAddress, UInt(bytes.count), nil)
      defer { zbar.setData(image, nil, 0, nil) }
      guard zbar.scan(scanner, image) > 0 else { return [] }
      var texts: [String] = []
      var symbol = zbar.firstSymbol(image)
      while let found = symbol {
        if zbar.kind(found) == ZBAR_QRCODE, let data = zbar.data(found) {
          let text = UnsafeRawBufferPointer(start: data, count: Int(zbar.length(found)))
          if let text = String(validating: text, as: UTF8.self) { texts.append(text) }
        }
        symbol = zbar.nextSymbol(found)
      }
      return texts
    }
  }
}
