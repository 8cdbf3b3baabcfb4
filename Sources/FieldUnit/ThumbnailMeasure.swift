import Foundation
import Imagery
import Store

/// What previews cost on this machine: drawn pictures of 12 megapixels with the grain of a sensor, each
/// read from its file and made small as when it was captured.
public enum ThumbnailMeasure {
  /// One picture's.
  public struct Sample: Hashable, Sendable {
    /// From the picture's name to the preview's bytes.
    public var seconds: Double
    /// Of the picture.
    public var bytes: Int
    /// Of the preview.
    public var previewBytes: Int
  }

  /// How often each picture is made small; the fastest time counts, since all else is the machine's.
  private static let tries = 3

  /// - Parameters:
  ///   - pictures: how many; they are left in the folder as `picture-1.jpg` and so on.
  ///   - folder: a folder that is there.
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
