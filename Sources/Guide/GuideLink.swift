/// A link of a guide's page that leads to a page of the guide.
struct GuideLink {
  /// The page on which the link is.
  let source: GuidePage
  /// The page to which it leads.
  let page: GuidePage
  /// The heading to which it leads, as its language names it; nil for the whole page.
  let slug: String?

  /// Reads a link as Markdown has it, such as `officer.md#decide`; nil if it leads out of the guide.
  init?(_ link: String, on source: GuidePage) {
    let parts = link.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
    let file = parts.first.map(String.init) ?? ""
    let found = file.isEmpty ? source : GuidePage.allCases.first { $0.fileName == file }
    guard let found else { return nil }
    self.source = source
    page = found
    slug = parts.count > 1 ? String(parts[1]) : nil
  }

  /// Returns the link's address in the programs; nil if the page has no such heading.
  func address(documents: [GuidePage: Markdown], anchors: [GuidePage: [String]]) -> String? {
    guard let slug else { return page.path }
    guard let place = documents[page]?.headings.firstIndex(where: { $0.slug == slug }),
      let names = anchors[page], names.indices.contains(place)
    else { return nil }
    return page == source ? "#\(names[place])" : "\(page.path)#\(names[place])"
  }
}
