import FieldUnit
import Web

extension FieldPage {
  /// Returns the requested page of a list, from 1, and the number of pages, at least 1. A number
  /// that cannot be read becomes 1, and one outside the list the nearest page.
  func pageNumber(
    _ request: WebRequest, of rows: Int, each size: Int
  ) -> (number: Int, pages: Int) {
    pageNumber(request.query["page"].flatMap { Int($0) } ?? 1, of: rows, each: size)
  }

  /// Returns the page of a list that is nearest to an asked number, from 1, and the number of
  /// pages, at least 1.
  func pageNumber(
    _ asked: Int, of rows: Int, each size: Int
  ) -> (number: Int, pages: Int) {
    let pager = Pager(asked: asked, rows: rows, each: size)
    return (pager.number, pager.pages)
  }

  /// Returns the links to the previous and the next page; nil if there is only one page.
  /// - Parameter path: the list's address with the fields of its query, without `page`.
  func pager(_ number: Int, of pages: Int, _ path: String) -> HTML? {
    let sign = path.contains("?") ? "&" : "?"
    return Pager(number, of: pages).links(t) { "\(path)\(sign)page=\($0)" }
  }
}
