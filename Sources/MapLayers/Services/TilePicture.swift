/// The facts that the first bytes of a picture tell. Only these are read: the browser decodes the
/// picture.
struct TilePicture: Hashable, Sendable {
  /// The media type.
  var mediaType: String
  /// Width and height in pixels; nil if the head does not say.
  var size: (width: Int, height: Int)? { width.map { ($0, height ?? 0) } }
  private var width: Int?
  private var height: Int?

  /// Reads a picture's head; nil if the bytes are neither PNG, JPEG nor WebP.
  init?(_ bytes: [UInt8]) {
    if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
      mediaType = "image/png"
      guard bytes.count >= 24 else { return nil }
      (width, height) = (Self.number(bytes[16..<20]), Self.number(bytes[20..<24]))
    } else if bytes.starts(with: [0xFF, 0xD8, 0xFF]) {
      mediaType = "image/jpeg"
      guard let size = Self.sizeOfJPEG(bytes) else { return nil }
      (width, height) = size
    } else if bytes.count >= 16, bytes.starts(with: Array("RIFF".utf8)),
      bytes[8..<12].elementsEqual("WEBP".utf8)
    {
      mediaType = "image/webp"
    } else {
      return nil
    }
  }

  /// True if a tile may have this size.
  var isTile: Bool { size.map { $0 == (256, 256) || $0 == (512, 512) } ?? true }

  private static func number(_ bytes: ArraySlice<UInt8>) -> Int {
    bytes.reduce(0) { $0 << 8 | Int($1) }
  }

  /// Walks the segments of a JPEG up to the frame's head, which has the size.
  private static func sizeOfJPEG(_ bytes: [UInt8]) -> (Int, Int)? {
    var at = 2
    while at + 9 < bytes.count {
      guard bytes[at] == 0xFF else { return nil }
      let marker = bytes[at + 1]
      if marker == 0xFF {
        at += 1
        continue
      }
      // Start of frame: C0 to CF without the tables C4, C8 and CC.
      if (0xC0...0xCF).contains(marker), ![0xC4, 0xC8, 0xCC].contains(marker) {
        return (number(bytes[(at + 7)..<(at + 9)]), number(bytes[(at + 5)..<(at + 7)]))
      }
      let length = number(bytes[(at + 2)..<(at + 4)])
      guard length >= 2 else { return nil }
      at += 2 + length
    }
    return nil
  }
}
