import Foundation
import Imagery
import Inspection
import Store

/// The previews of photos as files. They are made from the photos and may be deleted at any time:
/// they are no evidence, they are not sealed, and a missing one is made again.
package struct ThumbnailShelf: Sendable {
  package let folder: DataFolder

  /// Returns the path of a photo's preview.
  package func path(_ id: Identifier) -> String { "\(shelf(id))/\(id).jpg" }

  private func shelf(_ id: Identifier) -> String {
    "\(folder.root)/\(DataFolder.thumbnails)/\(id.folder)"
  }

  /// Returns true if a photo's preview can be read.
  package func holds(_ id: Identifier) -> Bool { access(path(id), R_OK) == 0 }

  /// Makes a photo's preview; it is there whole or not at all.
  /// - Throws: `StoreError` if the photo's file cannot be read or the preview cannot be written;
  ///   `ImageryError` if the file is no picture.
  package func make(_ id: Identifier) throws {
    let photo = folder.file(.photos, id)
    let preview = try Thumbnail.jpeg(of: try DurableFile.read(photo))
    try DurableFile.makeFolder(shelf(id))
    try DurableFile.replace(path(id), with: preview)
    // Deleting a photo removes its file first and its preview next: a preview that was made in
    // between must not outlive the photo.
    if access(photo, F_OK) != 0 { remove(id) }
  }

  /// Removes a photo's preview. A preview that cannot be removed is no reason to keep the photo.
  package func remove(_ id: Identifier) {
    unlink(path(id))
    unlink(path(id) + ".new")
  }
}

extension DataFolder {
  /// The name of the folder of the previews, below the field unit's folder.
  package static let thumbnails = "thumbnails"
}
