import Web

/// A heading of the guide, with everything below it up to the next heading.
package struct GuideSection: Sendable {
  /// The heading's name in addresses, the same in every language: the English heading in small
  /// letters, with hyphens for blanks.
  package let anchor: String
  /// The rank of the heading: 1 for the title of the page, then 2 and 3.
  package let level: Int
  /// The heading without markup.
  package let title: String
  /// The heading's contents with markup.
  package let heading: HTML
  /// The words below the heading without markup, for the search.
  let words: String
  /// Everything below the heading.
  package let body: HTML
}

/// A page of the guide in one language.
package struct GuideText: Sendable {
  /// The page that this is.
  package let page: GuidePage
  /// The sections in their order; the first one has the page's title.
  package let sections: [GuideSection]

  /// The title of the page.
  package var title: String { sections.first?.title ?? page.rawValue }
}
