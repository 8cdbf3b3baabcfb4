import Foundation
import Office
import Web

/// The filter and the page of a list of photos or tracks without a task, as an address carries
/// them.
struct StandaloneListAddress: Hashable, Sendable {
  /// True if the list shows the hidden things instead of the others.
  var isHidden: Bool
  /// The login of the inspector whose things are shown; nil for all.
  var inspector: String?
  /// The page of the list, from 1.
  var page: Int

  /// Creates the filter from the fields of a query. A value that is not understood counts as
  /// absent.
  init(_ query: [String: String]) {
    isHidden = query["hidden"] == "yes"
    inspector = query["inspector"].flatMap { $0.isEmpty ? nil : $0 }
    page = max(1, query["page"].flatMap { Int($0) } ?? 1)
  }

  /// Creates the filter from its query, as a form carries it in one field.
  init(text: String?) {
    let items = URLComponents(string: "?" + (text ?? "").prefix(2000))?.queryItems ?? []
    self.init(
      Dictionary(items.compactMap { item in item.value.map { (item.name, $0) } }) { first, _ in
        first
      })
  }

  /// Returns the query of a page of this list.
  func query(page: Int) -> String {
    [
      isHidden ? "hidden=yes" : nil, inspector.map { "inspector=\(AddressText.escaped($0))" },
      "page=\(page)",
    ].compactMap(\.self).joined(separator: "&")
  }

  /// Returns the number of the requested page, or of the last one if it is beyond the end, and the
  /// number of pages, at least 1.
  func pages(of count: Int, each: Int) -> (number: Int, pages: Int) {
    let pages = max(1, (count + each - 1) / each)
    return (min(page, pages), pages)
  }
}
