import Inspection

/// A photo, and the number by which phones know it.
public struct NumberedPhoto: Hashable, Sendable {
  /// The photo.
  public var id: Identifier
  /// Its number; nil where no phone was told of it yet.
  public var number: Int64?

  /// A photo from its parts.
  public init(id: Identifier, number: Int64?) {
    self.id = id
    self.number = number
  }
}
