import TimeAndText

/// The items that an agency keeps for a type of tasks, in one version. A later version changes no
/// order that was made with this one.
public struct ItemTemplate: Hashable, Sendable {
  /// The type of the tasks.
  public let type: String
  /// The number of the version, from 1.
  public let version: Int
  /// The title, for people; nil for none.
  public let title: String?
  /// The items.
  public let items: OrderItems
  /// The time when the version was made.
  public let made: DeviceTime
  /// The login of the person who made it.
  public let author: String

  /// Creates a version.
  public init(
    type: String, version: Int, title: String?, items: OrderItems, made: DeviceTime, author: String
  ) {
    self.type = type
    self.version = version
    self.title = title
    self.items = items
    self.made = made
    self.author = author
  }
}
