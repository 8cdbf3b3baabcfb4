import FieldUnit
import Foundation
import Imagery
import Store

/// Measures the cost of previews on this machine: drawn pictures of 12 megapixels with the grain of
/// a sensor are read from their files and made small, as after a capture.
public enum ThumbnailMeasure {
  /// The measurement of one picture.
  public struct Sample: Hashable, Sendable {
    /// The time from the picture's name to the preview's bytes, seconds.
    public var seconds: Double
    /// The size of the picture, bytes.
    public var bytes: Int
    /// The size of the preview, bytes.
    public var previewBytes: Int
  }

  /// The number of times that each picture is made small; the fastest time counts, since the rest
  /// is due to other work of the machine.
  private static let tries = 3

  /// Measures a number of pictures.
  /// - Parameters:
  ///   - pictures: the number of pictures; they are left in the folder as `picture-1.jpg` and so
  ///     on.
  ///   - folder: a folder that exists.
  /// - Throws: `StoreError`, `ImageryError`.
  public static func run(pictures: Int, folder: URL) throws -> [Sample] {
    let watch = ContinuousClock()
    return try (1...max(1, pictures)).map { number in
      let path = folder.appendingPathComponent("picture-\(number).jpg").path
      let picture = try DemonstrationPicture.grainyJPEG(
        widthPixels: 4000, heightPixels: 3000, seed: UInt64(number))
      try DurableFile.write(picture, to: path)
      var preview: [UInt8] = []
      let times = try (0..<tries).map { _ in
        try watch.measure { preview = try Thumbnail.jpeg(of: try DurableFile.read(path)) }
      }
      return Sample(
        seconds: (times.min() ?? .zero) / .seconds(1), bytes: picture.count,
        previewBytes: preview.count)
    }
  }
}
