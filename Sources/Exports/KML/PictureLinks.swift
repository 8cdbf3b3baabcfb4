/// Where a photo's pictures lie beside a document, as in a KMZ: only what is there is linked to.
public struct PictureLinks: Hashable, Sendable {
  /// The photo's own file; nil where it is not there.
  public var photo: String?
  /// A small picture of it; nil where there is none.
  public var thumbnail: String?

  /// Links to nothing.
  public init() {}
}
