import Guide

/// The link of a page to its part of the guide.
public enum HelpLink {
  /// Returns a complaint about a page without such a link, or about a link to a part that the guide
  /// lacks in one of its languages; nil if all is well.
  public static func complaint(about page: String) -> String? {
    guard let link = page.firstMatch(of: #/<a class="help" href="/help/([a-z]+)#([a-z0-9-]+)"/#)
    else { return "the page leads to no part of the guide" }
    guard let guide = GuidePage(rawValue: String(link.1)) else { return "no page \(link.1)" }
    let lacking = GuideBook.all.filter { book in
      book.text(of: guide)?.sections.contains { $0.anchor == link.2 } != true
    }
    return lacking.isEmpty
      ? nil : "\(lacking.map(\.language)) have no part \(link.1)#\(link.2)"
  }
}
