/// The room on a disk, measured in photos, because photos need it.
package struct PhotoRoom: Hashable, Sendable {
  /// The number of photos that an inspector takes on a long day.
  package static let photosADay = 200
  /// The size of a photo of a good camera with its proof, bytes, if no photo on the device is
  /// larger on average.
  package static let leastBytesOfPhoto = 8 << 20

  /// Bytes that may still be written.
  package var freeBytes: Int
  /// The expected size of a photo, bytes.
  package var bytesOfPhoto: Int

  /// Creates the room of a disk.
  /// - Parameter mean: the average size of this device's photos, bytes; nil before the first. A
  ///   smaller average than `leastBytesOfPhoto` does not count, because tomorrow's camera may be
  ///   another.
  package init(freeBytes: Int, meanBytesOfPhoto mean: Int?) {
    self.freeBytes = max(0, freeBytes)
    bytesOfPhoto = max(mean ?? 0, Self.leastBytesOfPhoto)
  }

  /// The bytes that a day of photos needs.
  package var bytesOfDay: Int { Self.photosADay * bytesOfPhoto }
  /// The number of photos that still fit.
  package var photos: Int { freeBytes / bytesOfPhoto }
  /// True if there is less room than a day of photos needs.
  package var isLow: Bool { freeBytes < bytesOfDay }
  /// True if there is less room than three days need, so that it is time to look.
  package var isScarce: Bool { photos / 3 < Self.photosADay }
}
