import Foundation
import TestSupport
import Testing

@testable import Web

@Suite("The frame of a page") struct PageFrameTests {
  private func page(
    person: String? = nil, signOut: (href: String, label: String, formToken: String)? = nil,
    refreshSeconds: Int? = nil
  ) -> String {
    PageFrame.html(
      title: "<T>", side: .field, language: "cs",
      navigation: [
        .init(title: "A&B", href: "/a?x=1&y=2", isCurrent: true),
        .init(title: "C", href: "/c", isCurrent: false),
      ], person: person.map { ($0, nil) }, signOut: signOut,
      notices: [.init(kind: .error, text: "<bad>")],
      main: "<p>main</p>", refreshSeconds: refreshSeconds
    ).text
  }

  @Test("it has language, landmarks, a way past the navigation, and its texts escaped")
  func document() {
    let text = page(person: "<J>", signOut: ("/out", "Out", "tok\"en"))
    #expect(text.hasPrefix("<!DOCTYPE html>\n<html lang=\"cs\">"))
    #expect(text.contains("<title>&lt;T&gt; – Standpoint</title>"))
    #expect(text.contains("<meta name=\"viewport\""))
    #expect(text.contains("<body class=\"field\">\n<a class=\"skip\" href=\"#main\">"))
    #expect(text.contains("<nav aria-label="))
    #expect(text.contains("<a href=\"/a?x=1&amp;y=2\" aria-current=\"page\">A&amp;B</a>"))
    #expect(text.contains("<span class=\"person\">&lt;J&gt;</span>"))
    #expect(text.contains("name=\"csrf\" value=\"tok&quot;en\""))
    #expect(text.contains("<p class=\"notice notice-error\" role=\"alert\">&lt;bad&gt;</p>"))
    #expect(text.contains("<main id=\"main\""))
    #expect(text.contains(Asset.styleSheet.href))
    #expect(text.contains(Asset.liveScript.href))
  }

  @Test("nothing in it needs what the policy forbids")
  func policy() {
    let text = page(person: "J", signOut: ("/out", "Out", "t"), refreshSeconds: 5)
    #expect(!text.contains(" style="))
    #expect(!text.contains("<style"))
    #expect(!text.contains(" onclick"))
    #expect(!text.replacing("></script>", with: "").contains("</script"))
    #expect(!text.contains("http:") && !text.contains("https:"))
  }

  @Test("without a script it loads anew by itself, and without a person it shows none")
  func variants() {
    #expect(
      page(refreshSeconds: 5).contains(
        "<noscript><meta http-equiv=\"refresh\" content=\"5\"></noscript>"))
    #expect(!page().contains("noscript"))
    #expect(!page().contains("class=\"who\""))
  }

  @Test("every part of the sample pages has its rule in the style sheet")
  func classes() async throws {
    let style = String(decoding: Asset.styleSheet.bytes, as: UTF8.self)
    for name in [
      "bar", "card", "facts", "state", "state-new", "state-open", "state-returned",
      "state-dataProvided", "state-accepted", "state-declined", "state-withdrawn",
      "verdict-intact", "verdict-doubtful", "verdict-incomplete", "verdict-altered", "button",
      "primary", "danger", "quiet", "actions", "notice", "notice-success", "notice-warning",
      "notice-error", "notice-note", "number", "muted", "empty", "fields", "hint", "field-error",
      "light", "light-good", "light-warn", "light-bad", "demonstration", "photos", "photo",
      "photo-large", "split", "timeline", "gate", "gate-still", "gate-settling", "gate-moving",
      "gate-refused", "meter", "tabs", "pager", "map", "digest", "live-lost", "toolbar", "compare",
      "gallery", "foot",
    ] {
      #expect(style.contains(".\(name)"), "\(name)")
    }
    #expect(style.filter { $0 == "{" }.count == style.filter { $0 == "}" }.count)
  }

  @Test("text on its ground has the contrast of WCAG 2.2 AA, in every theme")
  func contrast() throws {
    let style = StyleSheet.colours
    var themes: [String: [String: String]] = [:]
    for (theme, text) in StyleSheet.themes {
      // The style sheet holds the text that is measured.
      #expect(style.contains(text), "\(theme)")
      for declaration in text.split(separator: ";") {
        let words = declaration.split { " \n:".contains($0) }
        guard words.count == 2, words[1].hasPrefix("#") else { continue }
        themes[theme, default: [:]][String(words[0])] = String(words[1])
      }
    }
    #expect(themes.count == 4)
    // Every theme names all colours, and borrows none from another one.
    #expect(Set(themes.values.map { Set($0.keys) }).count == 1)
    let texts = [
      ("--ink", "--ground"), ("--ink", "--surface"), ("--ink", "--raised"), ("--soft", "--ground"),
      ("--soft", "--surface"), ("--soft", "--raised"), ("--accent", "--ground"),
      ("--accent", "--surface"), ("--accent", "--accent-soft"), ("--on-accent", "--accent"),
      ("--on-bar", "--bar"), ("--on-bar-soft", "--bar"), ("--good", "--good-soft"),
      ("--warn", "--warn-soft"), ("--bad", "--bad-soft"), ("--good", "--ground"),
      ("--warn", "--ground"), ("--bad", "--ground"), ("--surface", "--ink"), ("--bad", "--surface"),
    ]
    for (theme, colours) in themes {
      func ratio(_ one: String, _ other: String) throws -> Double {
        let luminances = try [one, other].map { try luminance(#require(colours[$0])) }.sorted()
        return (luminances[1] + 0.05) / (luminances[0] + 0.05)
      }
      for (text, ground) in texts {
        #expect(try ratio(text, ground) >= 4.5, "\(text) on \(ground) in \(theme)")
      }
      for (edge, ground) in [
        ("--edge", "--surface"), ("--focus", "--ground"), ("--focus", "--surface"),
      ] {
        #expect(try ratio(edge, ground) >= 3, "\(edge) on \(ground) in \(theme)")
      }
    }
  }

  private func luminance(_ colour: String) throws -> Double {
    let digits = colour.dropFirst()
    let full = digits.count == 3 ? digits.flatMap { [$0, $0] } : Array(digits)
    let parts = try stride(from: 0, to: 6, by: 2).map { start in
      let value = try #require(Int(String(full[start..<(start + 2)]), radix: 16))
      let part = Double(value) / 255
      return part <= 0.04045 ? part / 12.92 : pow((part + 0.055) / 1.055, 2.4)
    }
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]
  }
}
