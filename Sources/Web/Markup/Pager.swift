/// One page of a list that is shown in parts.
public struct Pager: Hashable, Sendable {
  /// The number of the page, from 1.
  public let number: Int
  /// The number of pages, at least 1.
  public let pages: Int
  /// The places of the page's rows in the whole list.
  public let rows: Range<Int>

  /// Finds the page that is nearest to an asked number.
  /// - Parameters:
  ///   - asked: the asked number; nil counts as 1.
  ///   - rows: the number of rows of the whole list.
  ///   - size: the number of rows on a page, at least 1.
  public init(asked: Int?, rows: Int, each size: Int) {
    pages = max(1, (rows + size - 1) / size)
    number = min(max(1, asked ?? 1), pages)
    self.rows = min(rows, (number - 1) * size)..<min(rows, number * size)
  }

  /// Creates a page whose number is known.
  public init(_ number: Int, of pages: Int) {
    (self.number, self.pages, rows) = (number, pages, 0..<0)
  }

  /// Returns the links to the previous and the next page; nil if there is only one page.
  /// - Parameter address: returns the address of a page.
  public func links(_ t: Texts, _ address: (Int) -> String) -> HTML? {
    guard pages > 1 else { return nil }
    func link(_ page: Int, _ words: String) -> HTML? {
      (1...pages).contains(page)
        ? "<a class=\"button\" href=\"\(address(page))\">\(words)</a>" : nil
    }
    return """
      <nav class="pager" aria-label="\(t("Pages"))">\(link(number - 1, t("Previous")))
      <span class="muted">\(t("Page {1} of {2}", number, pages))</span>\(link(number + 1, t("Next")))</nav>
      """
  }
}
