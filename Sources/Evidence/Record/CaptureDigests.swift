import Imagery

/// The digests that a capture's record carries.
public enum CaptureDigests {
  /// Returns the SHA-256 of a JPEG's image data alone: from SOI to EOI without APPn and COM segments.
  /// - Throws: `ImageryError` if the bytes are no whole JPEG.
  public static func image(of jpeg: [UInt8]) throws -> String {
    Digest.hexadecimal(jpeg, ranges: try JPEGStructure(jpeg).imageDataRanges)
  }
}
