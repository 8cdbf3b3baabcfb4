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
    let pages = max(1, (rows + size - 1) / size)
    return (min(max(1, asked), pages), pages)
  }

  /// Returns the links to the previous and the next page; nil if there is only one page.
  /// - Parameter path: the list's address with the fields of its query, without `page`.
  func pager(_ number: Int, of pages: Int, _ path: String) -> HTML? {
    guard pages > 1 else { return nil }
    let sign = path.contains("?") ? "&" : "?"
    func link(_ page: Int, _ words: String) -> HTML? {
      (1...pages).contains(page)
        ? "<a class=\"button\" href=\"\("\(path)\(sign)page=\(page)")\">\(words)</a>" : nil
    }
    return """
      <nav class="pager" aria-label="\(t("Pages"))">\(link(number - 1, t("Previous")))
      <span class="muted">\(t("Page {1} of {2}", number, pages))</span>\(link(number + 1, t("Next")))</nav>
      """
  }
}
