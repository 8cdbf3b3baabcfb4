import Inspection

/// A template that is not kept yet.
package struct TemplateDraft: Sendable {
  /// The title; nil for none.
  package var title: String?
  /// The items.
  package var items: OrderItems
  /// The number of the kept version on which it is based; 0 if there was none.
  package var version: Int

  /// Creates a draft.
  package init(title: String?, items: OrderItems, version: Int) {
    (self.title, self.items, self.version) = (title, items, version)
  }

  /// Creates the draft of a kept template; an empty one for nil.
  package init(_ kept: ItemTemplate?) throws {
    self.init(
      title: kept?.title, items: try kept?.items ?? OrderItems([]), version: kept?.version ?? 0)
  }

  /// Returns true if something differs from what is kept.
  package func differs(from kept: ItemTemplate?) -> Bool {
    guard let kept else { return !items.items.isEmpty }
    return kept.items != items || kept.title != title
  }
}
