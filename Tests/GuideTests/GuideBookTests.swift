import Foundation
import TestSupport
import Testing
import Web

@testable import Guide

@Suite("The guide") struct GuideBookTests {
  @Test("every page of a program leads to a part that is there in every language")
  func parts() {
    #expect(GuideBook.all.count == 2)
    for part in GuidePart.allCases {
      #expect(
        HelpLink.complaint(about: "<a class=\"help\" href=\"\(part.href)\">") == nil, "\(part)")
    }
    #expect(HelpLink.complaint(about: "<a class=\"help\" href=\"/help/officer#nothing\">") != nil)
    #expect(HelpLink.complaint(about: "<a href=\"/help/officer#decide\">") != nil)
  }

  @Test("both languages have the same headings in the same order, each name once")
  func headings() throws {
    for page in GuidePage.allCases {
      let english = try #require(GuideBook.english.text(of: page))
      let czech = try #require(GuideBook.czech.text(of: page))
      #expect(english.sections.map(\.level) == czech.sections.map(\.level), "\(page)")
      #expect(english.sections.map(\.anchor) == czech.sections.map(\.anchor), "\(page)")
      #expect(Set(english.sections.map(\.anchor)).count == english.sections.count, "\(page)")
      #expect(english.sections.first?.level == 1, "\(page)")
      #expect(english.title != czech.title, "\(page)")
    }
  }

  @Test("the guide leads only into itself, and shows neither raw HTML nor pictures")
  func links() {
    for book in GuideBook.all {
      #expect(book.brokenLinks.isEmpty)
      for text in book.texts {
        let html = text.sections.map(\.body.text).joined()
        for link in html.matches(of: #/href="([^"]*)"/#) {
          #expect(link.1.hasPrefix("/help/") || link.1.hasPrefix("#"), "\(link.1)")
        }
        #expect(!html.contains("<img") && !html.contains("raw HTML omitted"), "\(text.page)")
      }
    }
    let officer = GuideBook.czech.text(of: .administrator)?.sections.map(\.body.text).joined()
    #expect(officer?.contains("href=\"/help/policy\"") == true)
    #expect(officer?.contains("href=\"#agencies\"") == true, "the English name, in Czech, too")
  }

  @Test("in a document nothing can be anything but words, lists, tables and links into the guide")
  func hostile() throws {
    let document = Markdown(
      Array(
        """
        # A <b>title</b> & more
        <script>alert(1)</script>

        [bad](javascript:alert(1)) [far](https://example.org) [near](officer.md#decide)
        ![picture](x.png)

        | a | b<c | d |
        | --- | --- | --- |
        | `x` | <img src=x> *y* | |

        ## Twice
        ## Twice
        1. one

           | in | list |
           | --- | --- |
           | 1 | 2 |
        """.utf8))
    let sections = document.sections(anchors: ["first"]) { $0.hasPrefix("officer") ? "/here" : nil }
    #expect(sections.map(\.anchor) == ["first", "twice", "twice-1"])
    #expect(sections.map(\.level) == [1, 2, 2])
    let all = sections.map { $0.heading.text + $0.body.text }.joined()
    for banned in ["<script", "<b>", "<img", "javascript:", "example.org", "picture"] {
      #expect(!all.contains(banned), "\(banned)")
    }
    #expect(all.contains("<a href=\"/here\">near</a>") && all.contains("far"))
    #expect(all.contains("<td data-label=\"b&lt;c\">") && all.contains("<td></td>"))
    #expect(all.contains("<th scope=\"row\">1</th><td>2</td>"), "in a list, too")
    #expect(sections.last?.words == "one in list 1 2")
  }

  @Test("the words in italics are words of the pages, in each language")
  func words() throws {
    for (book, folder) in [("en", "docs"), ("cs", "docs/cs")] {
      let catalogue = try PageWords(language: book)
      for page in GuidePage.allCases {
        let file = Repository.root.appendingPathComponent("\(folder)/\(page.fileName)")
        let strange = catalogue.strangers(in: try String(contentsOf: file, encoding: .utf8))
        #expect(strange.isEmpty, "\(folder)/\(page.fileName) names what no page says: \(strange)")
      }
    }
    #expect(try PageWords(language: "en").strangers(in: "Press *Nowhere to be seen*.").count == 1)
  }

  @Test("a search finds words in any case and without accents, headings first")
  func search() throws {
    let czech = try #require(GuideSearch("VRATTE úkol")).findings(in: .czech)
    #expect(czech.first?.section.anchor == "return-a-task")
    let english = try #require(GuideSearch("countdown 5 s")).findings(in: .english)
    #expect(english.contains { $0.section.anchor == "take-a-photo" })
    #expect(english.contains { $0.excerpt.text.contains("<mark>countdown</mark>") })
    #expect(try #require(GuideSearch("zeppelin")).findings(in: .english).isEmpty)
    #expect(GuideSearch(" ?! ") == nil)
    let long = try #require(GuideSearch(String(repeating: "a", count: 500)))
    #expect(long.question.count == GuideSearch.charactersAtMost)
    let hostile = try #require(GuideSearch("<script>")).findings(in: .english)
    #expect(hostile.allSatisfy { !$0.excerpt.text.contains("<script") })
  }
}
