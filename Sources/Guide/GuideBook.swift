/// The whole guide in one language.
package struct GuideBook: Sendable {
  /// The language's BCP 47 tag.
  package let language: String
  /// The pages, in the order of `GuidePage`.
  package let texts: [GuideText]
  /// The links to headings that no page has, for a test.
  let brokenLinks: [String]

  /// Returns a page; every page is in every language.
  package func text(of page: GuidePage) -> GuideText? { texts.first { $0.page == page } }

  /// The guide in English, which all other languages follow.
  package static var english: GuideBook { books.english }
  /// The guide in Czech.
  package static var czech: GuideBook { books.czech }
  /// The guide in every language, English first.
  package static var all: [GuideBook] { [english, czech] }

  /// Returns the guide in a language; the English one if there is none in that language.
  package static func inLanguage(_ tag: String) -> GuideBook {
    all.first { $0.language == tag } ?? english
  }

  /// Both languages are made together and once: the library's list of extensions is one for the
  /// whole program.
  private static let books: (english: GuideBook, czech: GuideBook) = {
    let english = documents(english: true)
    let czech = documents(english: false)
    let anchors = english.mapValues { $0.headings.map(\.slug) }
    return (
      GuideBook(language: "en", documents: english, anchors: anchors),
      GuideBook(language: "cs", documents: czech, anchors: anchors)
    )
  }()

  /// Makes the guide in a language.
  /// - Parameter anchors: the names of each page's headings in English, which this language's
  ///   headings get by their order, so that an address means the same in every language.
  init(language: String, documents: [GuidePage: Markdown], anchors: [GuidePage: [String]]) {
    self.language = language
    var broken: [String] = []
    texts = GuidePage.allCases.compactMap { page in
      documents[page].map { document in
        let sections = document.sections(anchors: anchors[page] ?? []) { link in
          let target = GuideLink(link, on: page)
          guard let target else { return nil }
          guard let address = target.address(documents: documents, anchors: anchors) else {
            broken.append("\(page.fileName): \(link)")
            return nil
          }
          return address
        }
        return GuideText(page: page, sections: sections)
      }
    }
    brokenLinks = broken
  }

  private static func documents(english isEnglish: Bool) -> [GuidePage: Markdown] {
    Dictionary(
      uniqueKeysWithValues: files(english: isEnglish).map { ($0.page, Markdown($0.bytes)) })
  }

  private static func files(english isEnglish: Bool) -> [(page: GuidePage, bytes: [UInt8])] {
    GuidePage.allCases.map { page in
      switch page {
      case .inspector:
        (page, isEnglish ? PackageResources.inspector_en_md : PackageResources.inspector_cs_md)
      case .officer:
        (page, isEnglish ? PackageResources.officer_en_md : PackageResources.officer_cs_md)
      case .administrator:
        (
          page,
          isEnglish ? PackageResources.administrator_en_md : PackageResources.administrator_cs_md
        )
      case .policy:
        (page, isEnglish ? PackageResources.policy_en_md : PackageResources.policy_cs_md)
      case .settings:
        (page, isEnglish ? PackageResources.settings_en_md : PackageResources.settings_cs_md)
      }
    }
  }
}
