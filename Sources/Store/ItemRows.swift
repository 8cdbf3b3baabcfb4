import Evidence
import GRDB
import Inspection
import Sync

/// The items of templates and orders in rows of either database.
enum ItemRows {
  /// Returns items as their column holds them.
  static func text(_ items: OrderItems) -> String {
    String(decoding: ItemsJSON.json(items).canonicalBytes, as: UTF8.self)
  }

  /// Reads items from their column.
  static func items(_ text: String, of subject: String) throws -> OrderItems {
    do {
      return try ItemsJSON.items(try JSONValue(parsing: Array(text.utf8)))
    } catch {
      throw StoreError.damagedRow(subject)
    }
  }
}
