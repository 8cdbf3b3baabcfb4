import Foundation
import TestSupport
import Testing

@testable import Exports
@testable import PDFWriting

@Suite("PDF: where lines end")
struct PDFTypefaceTests {
  private func typeface() throws -> (HaruDocument, PDFTypeface) {
    let fonts = try #require(PDFFonts.installed(), "fonts-dejavu-core is not installed")
    let document = try HaruDocument(
      fonts: fonts, for: NSTemporaryDirectory() + "typeface.pdf")
    return (document, document.regular)
  }

  @Test("no line is wider than its column, and no character is lost")
  func property() throws {
    let (document, typeface) = try typeface()
    let letters = Array("abcdef WWWW iiii   žščřΩλЖщ.,-—±0123456789")
    forEachSeed { seed, random in
      let text = String(
        (0..<Int.random(in: 0...400, using: &random)).map { _ in
          letters[Int.random(in: 0..<letters.count, using: &random)]
        })
      let width = Double.random(in: 12...300, using: &random)
      let lines = typeface.lines(of: text, size: 8, width: width)
      for line in lines {
        #expect(typeface.width(of: line, size: 8) <= width, "seed \(seed): \(line)")
      }
      func shown(_ text: some Sequence<Character>) -> String { String(text.filter { $0 != " " }) }
      #expect(shown(lines.joined()) == shown(text), "seed \(seed)")
    }
    withExtendedLifetime(document) {}
  }

  @Test("lines end at spaces where they can, and inside a word only where they must")
  func spaces() throws {
    let (document, typeface) = try typeface()
    let width = typeface.width(of: "one two", size: 10)
    func lines(_ text: String) -> [String] { typeface.lines(of: text, size: 10, width: width) }
    #expect(lines("one two one two") == ["one two", "one two"])
    #expect(lines("one twos") == ["one", "twos"])
    #expect(lines("one\ntwo\r\n\n\n\nthree\n\n") == ["one", "two", "", "three"])
    #expect(lines("") == [""])
    #expect(lines("    ") == [""])
    #expect(lines("mmmmmmmmm").allSatisfy { !$0.isEmpty && $0.count < 9 })
    // A column narrower than a letter gets one letter a line.
    #expect(typeface.lines(of: "abc", size: 10, width: 1) == ["a", "b", "c"])
    withExtendedLifetime(document) {}
  }

  @Test("what is too long for its place ends with an ellipsis and fits")
  func elided() throws {
    let (document, typeface) = try typeface()
    #expect(typeface.elided("short", size: 7, width: 200) == "short")
    let text = typeface.elided(String(repeating: "long ", count: 100), size: 7, width: 200)
    #expect(text.hasSuffix("…"))
    #expect(typeface.width(of: text, size: 7) <= 200)
    #expect(typeface.width(of: text, size: 7) > 185)
    withExtendedLifetime(document) {}
  }
}
