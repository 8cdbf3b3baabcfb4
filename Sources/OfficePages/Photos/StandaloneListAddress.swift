import Office
import Web

/// Which of the photos or tracks without a task are looked at, as it stands in an address.
struct StandaloneListAddress: Hashable, Sendable {
  /// What officers have hidden, instead of all else.
  var isHidden: Bool
  /// Of one inspector; nil for all.
  var inspector: String?
  /// Which page of it, from 1.
  var page: Int

  /// From the fields of a query. What is not understood counts as not asked for.
  init(_ query: [String: String]) {
    isHidden = query["hidden"] == "yes"
    inspector = query["inspector"].flatMap { $0.isEmpty ? nil : $0 }
    page = max(1, query["page"].flatMap { Int($0) } ?? 1)
  }

  /// The query of one of its pages.
  func query(page: Int) -> String {
    [
      isHidden ? "hidden=yes" : nil, inspector.map { "inspector=\(AddressText.escaped($0))" },
      "page=\(page)",
    ].compactMap(\.self).joined(separator: "&")
  }

  /// The page that there is, and how many there are, of so many things.
  func pages(of count: Int, each: Int) -> (number: Int, pages: Int) {
    let pages = max(1, (count + each - 1) / each)
    return (min(page, pages), pages)
  }
}
