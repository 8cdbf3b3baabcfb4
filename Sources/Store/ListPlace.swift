/// A place within a list: what the list's order compares, of the one that was shown last. What is
/// behind it stays behind it, whatever is added to the list meanwhile.
public struct ListPlace: Hashable, Sendable {
  /// One of the values that are compared.
  public enum Key: Hashable, Sendable {
    /// A moment, a number, or a yes or no.
    case integer(Int64)
    /// A name or an identifier.
    case text(String)
  }

  /// The values, one after the other.
  public var keys: [Key]

  /// A place from what is compared there.
  public init(_ keys: [Key]) { self.keys = keys }
}
