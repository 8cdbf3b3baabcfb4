import Inspection

/// A photo, and the number by which phones know it.
public struct NumberedPhoto: Hashable, Sendable {
  /// The photo's identifier.
  public var id: Identifier
  /// The photo's number; nil if no phone has been told of it yet.
  public var number: Int64?

  /// Creates a photo with its number.
  public init(id: Identifier, number: Int64?) {
    self.id = id
    self.number = number
  }
}
