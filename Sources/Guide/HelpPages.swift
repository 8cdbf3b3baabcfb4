import Web

/// The pages of the guide: its contents with a search, and each of its pages. Both programs have
/// them, each in its own frame, and they need no sign-in.
package struct HelpPages: Sendable {
  /// A function that puts a page of the guide into the frame of its program.
  package typealias Frame =
    @Sendable (_ request: WebRequest, _ title: String, _ main: HTML) async throws -> WebResponse

  /// The address of the contents and of the search.
  package static let path = "/help"
  /// The style of the guide's pages.
  package static let style = Asset(file: "/assets/guide.css", [PackageResources.guide_css])

  private let order: [GuidePage]
  private let isForDesks: Bool
  private let frame: Frame

  /// Creates the pages.
  /// - Parameters:
  ///   - first: the pages of the guide that this program's readers need first.
  ///   - isForDesks: true if the readers' screens mostly have room for a page's contents beside it.
  ///   - frame: puts a page into the program's frame; its style sheets have to include `style`.
  package init(first: [GuidePage], forDesks isForDesks: Bool, frame: @escaping Frame) {
    order = first + GuidePage.allCases.filter { !first.contains($0) }
    self.isForDesks = isForDesks
    self.frame = frame
  }

  /// Adds the addresses of the pages and of their style.
  package func add(to routes: inout Routes) {
    routes.get(Self.style.path) { request in Self.style.response(to: request) }
    routes.get(Self.path) { request in
      try await frame(request, Texts.current("Help"), contents(request.query["q"] ?? ""))
    }
    routes.get("/help/{page}") { request in
      guard let page = request.parameters["page"].flatMap(GuidePage.init(rawValue:)),
        let text = Self.book.text(of: page)
      else { throw WebProblem.notFound }
      return try await frame(request, text.title, self.page(text))
    }
  }

  private var t: Texts { .current }

  /// The guide in the language of the current request.
  private static var book: GuideBook { GuideBook.inLanguage(Texts.current.language) }

  /// The mark of a guide that is in another language than the page round it.
  private var language: HTML? {
    let book = Self.book
    return book.language == t.language ? nil : " lang=\"\(book.language)\""
  }

  // MARK: contents and search

  private func contents(_ question: String) -> HTML {
    let search = GuideSearch(question)
    return """
      <h1>\(t("Help"))</h1>\(form(search?.question ?? ""))
      \(search.map(findings))
      <div class="help-pages"\(language)>\(order.compactMap(Self.book.text(of:)).map(card))</div>
      """
  }

  private func form(_ question: String) -> HTML {
    """
    <form class="filter help-search" method="get" action="\(Self.path)" role="search">
    <label>\(t("Search in the guide"))<input name="q" type="search" value="\(question)" maxlength="\(GuideSearch.charactersAtMost)"></label>
    <button class="button">\(t("Search"))</button></form>
    """
  }

  private func findings(_ search: GuideSearch) -> HTML {
    let book = Self.book
    let found = search.findings(in: book)
    guard !found.isEmpty else {
      return """
        <p class="empty" role="status">\(t("The guide says nothing about “{1}”. Try fewer words, or the beginning of one.", search.question))</p>
        """
    }
    let items = found.map { finding -> HTML in
      let page = finding.section.level == 1 ? nil : book.text(of: finding.page)?.title
      return """
        <li><a href="\(finding.page.path)#\(finding.section.anchor)">\(finding.section.title)</a>\
        \(page.map { " <span class=\"muted\">\($0)</span>" as HTML })
        <p>\(finding.excerpt)</p></li>
        """
    }
    return """
      <section class="help-findings"><h2>\(t("Found: {1}", found.count))</h2>
      <ul\(language)>\(items)</ul></section>
      """
  }

  /// Returns a page of the guide with its headings, as an entry of the contents.
  private func card(_ text: GuideText) -> HTML {
    """
    <section class="card"><h2><a href="\(text.page.path)">\(text.title)</a></h2>
    \(list(text, of: text.page.path, deep: false))</section>
    """
  }

  // MARK: a page

  private func page(_ text: GuideText) -> HTML {
    let title = text.sections.first
    let headings = list(text, of: "", deep: true)
    let contents: HTML? =
      headings.isEmpty
      ? nil
      : """
      <details class="help-contents"\(isForDesks ? " open" as HTML : nil)><summary>\(t("On this page"))</summary>\
      <nav aria-label="\(t("On this page"))"\(language)>\(headings)</nav></details>
      """
    let others = order.filter { $0 != text.page }.compactMap(Self.book.text(of:)).map { other in
      "<li><a href=\"\(other.page.path)\">\(other.title)</a></li>" as HTML
    }
    let sections = text.sections.dropFirst().map { section -> HTML in
      let rank = HTML(raw: "h\(min(max(section.level, 2), 4))")
      return """
        <\(rank) id="\(section.anchor)">\(section.heading)</\(rank)>
        \(section.body)
        """
    }
    return """
      <div class="help-page"><div class="help-side">\(form(""))
      \(contents)</div>
      <article\(language)><h1 id="\(title?.anchor ?? "")">\(title?.heading)</h1>\(title?.body)
      \(sections)</article>
      <nav class="help-others" aria-label="\(t("More in the guide"))"><h2>\(t("More in the guide"))</h2>
      <ul><li><a href="\(Self.path)">\(t("Contents"))</a></li></ul><ul\(language)>\(others)</ul></nav></div>
      """
  }

  /// Returns the headings of a page as links, those of the third rank below those of the second.
  private func list(_ text: GuideText, of path: String, deep isDeep: Bool) -> HTML {
    var entries: [(section: GuideSection, inner: [GuideSection])] = []
    for section in text.sections.dropFirst() {
      if section.level <= 2 || entries.isEmpty {
        entries.append((section, []))
      } else {
        entries[entries.count - 1].inner.append(section)
      }
    }
    func link(_ section: GuideSection) -> HTML {
      "<a href=\"\(path)#\(section.anchor)\">\(section.title)</a>"
    }
    let items = entries.map { entry -> HTML in
      let inner: HTML? =
        isDeep && !entry.inner.isEmpty
        ? "<ul>\(entry.inner.map { "<li>\(link($0))</li>" as HTML })</ul>" : nil
      return "<li>\(link(entry.section))\(inner)</li>"
    }
    return items.isEmpty ? "" : "<ul>\(items)</ul>"
  }
}
