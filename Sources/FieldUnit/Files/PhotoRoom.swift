import Foundation

/// How much room a disk has, measured in what it is needed for: photos.
package struct PhotoRoom: Hashable, Sendable {
  /// What an inspector takes on a long day.
  static let photosADay = 200
  /// A photo of a good camera with its proof, where no photo says otherwise.
  static let leastBytesOfPhoto = 8 << 20

  /// Bytes that may still be written.
  package var freeBytes: Int
  /// What a photo is taken to need, bytes.
  package var bytesOfPhoto: Int

  /// - Parameter mean: what photos on this device take on average; nil before the first. A smaller
  ///   one promises nothing: tomorrow's camera may be another.
  package init(freeBytes: Int, meanBytesOfPhoto mean: Int?) {
    self.freeBytes = max(0, freeBytes)
    bytesOfPhoto = max(mean ?? 0, Self.leastBytesOfPhoto)
  }

  /// What a day of photos needs, bytes.
  package var bytesOfDay: Int { Self.photosADay * bytesOfPhoto }
  /// Photos that still fit.
  package var photos: Int { freeBytes / bytesOfPhoto }
  /// Whether it is less than what a day of photos needs.
  package var isLow: Bool { freeBytes < bytesOfDay }
  /// Whether it is less than what three days need: time to look.
  package var isScarce: Bool { photos / 3 < Self.photosADay }

  /// Bytes that are free for this program on the disk of a folder; nil where nobody can tell.
  package static func freeBytes(at path: String) -> Int? {
    let attributes = try? FileManager.default.attributesOfFileSystem(forPath: path)
    return (attributes?[.systemFreeSize] as? NSNumber)?.intValue
  }
}
