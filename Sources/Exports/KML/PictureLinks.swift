/// The paths of a photo's pictures next to a document, as in a KMZ: the document links only to
/// pictures that are there.
public struct PictureLinks: Hashable, Sendable {
  /// The path of the photo's own file; nil if the file is not there.
  public var photo: String?
  /// The path of a small picture of the photo; nil if there is none.
  public var thumbnail: String?

  /// Creates links to no picture.
  public init() {}
}
