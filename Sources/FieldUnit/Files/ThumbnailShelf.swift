import Foundation
import Imagery
import Inspection
import Store

/// The previews of photos as files. They are made from the photos and may be deleted at any time: they
/// are no evidence, nothing is sealed over them, and whatever is missing is made again.
package struct ThumbnailShelf: Sendable {
  package let folder: DataFolder

  /// Where a photo's preview lies.
  package func path(_ id: Identifier) -> String { "\(shelf(id))/\(id).jpg" }

  private func shelf(_ id: Identifier) -> String {
    "\(folder.root)/\(DataFolder.thumbnails)/\(id.folder)"
  }

  /// Whether it is there.
  package func holds(_ id: Identifier) -> Bool { access(path(id), R_OK) == 0 }

  /// Makes a photo's preview; it is there whole or not at all.
  /// - Throws: `StoreError` where the photo's file cannot be read or the preview cannot be written;
  ///   `ImageryError` for what is no picture.
  package func make(_ id: Identifier) throws {
    let photo = folder.file(.photos, id)
    let preview = try Thumbnail.jpeg(of: try DurableFile.read(photo))
    try DurableFile.makeFolder(shelf(id))
    try DurableFile.replace(path(id), with: preview)
    // Whoever deletes a photo removes its file first and its preview then: one that was made in between
    // must not outlive it.
    if access(photo, F_OK) != 0 { remove(id) }
  }

  /// A preview goes with its photo. That it cannot be removed is no reason to keep the photo.
  package func remove(_ id: Identifier) {
    unlink(path(id))
    unlink(path(id) + ".new")
  }
}

extension DataFolder {
  /// The folder of the previews, below the data directory's own.
  package static let thumbnails = "thumbnails"
}
