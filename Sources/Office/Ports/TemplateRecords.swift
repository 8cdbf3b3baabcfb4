import Inspection
import Store

/// Keeps the items that an agency has for types of tasks. A version never changes.
public protocol TemplateRecords {
  /// Reads a version of a type's template, the newest for nil; nil if there is none.
  func template(ofType type: String, version: Int?) throws -> ItemTemplate?
  /// Reads the newest version of each type's template, by type.
  func newest() throws -> [ItemTemplate]
  /// Adds a version.
  func insert(_ template: ItemTemplate) throws
}
