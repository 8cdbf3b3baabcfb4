/// The items that an order asks for, with the version of the template in which they stand. A later
/// version changes no order.
public struct OrderedItems: Hashable, Sendable {
  /// The type of tasks for which the template is.
  public let type: String
  /// The version of the template, from 1.
  public let version: Int
  /// The items.
  public let items: OrderItems

  /// Creates the items of an order.
  public init(type: String, version: Int, items: OrderItems) {
    (self.type, self.version, self.items) = (type, version, items)
  }

  /// Creates the items of an order that is made with a template.
  public init(_ template: ItemTemplate) {
    self.init(type: template.type, version: template.version, items: template.items)
  }

  /// Returns each template and version once, by type and version.
  public static func distinct(_ orders: [OrderedItems]) -> [OrderedItems] {
    var known: [String: OrderedItems] = [:]
    for order in orders { known["\(order.version) \(order.type)"] = order }
    return known.values.sorted { ($0.type, $0.version) < ($1.type, $1.version) }
  }
}
