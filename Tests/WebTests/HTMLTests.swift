import TestSupport
import Testing
import TimeAndText

@testable import Web

@Suite("HTML") struct HTMLTests {
  @Test("what is interpolated as text is escaped, whatever it holds")
  func escaping() {
    let name = "<script>alert('x')</script> & \"co\""
    let page: HTML = "<p title=\"\(name)\">\(name[...])</p>"
    let safe = "&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt; &amp; &quot;co&quot;"
    #expect(page.text == "<p title=\"\(safe)\">\(safe)</p>")
  }

  @Test(
    "an attack never leaves the attribute that it stands in",
    arguments: [
      "\" onmouseover=\"alert(1)", "'><img src=x onerror=alert(1)>", "\"\u{301}><b>", "&quot;><b>",
      "</title><script>", "<\u{301}b>", "\u{2028}\"<b>",
    ])
  func attributes(attack: String) {
    let inner = HTML(escaping: attack).text
    #expect(!inner.contains { "<>\"'".contains($0) })
    #expect(!inner.unicodeScalars.contains { "<>\"'".unicodeScalars.contains($0) })
  }

  @Test("HTML, optional HTML and lists of it are embedded as they are")
  func embedding() {
    let bold: HTML = "<b>\("a&b")</b>"
    let none: HTML? = nil
    let page: HTML = "<p>\(bold)\(none)\([bold, "<i></i>"])\(raw: "&nbsp;")</p>"
    #expect(page.text == "<p><b>a&amp;b</b><b>a&amp;b</b><i></i>&nbsp;</p>")
  }

  @Test("numbers stand as digits, and nil as nothing")
  func values() {
    let no: String? = nil
    let text: String? = "<"
    let page: HTML = "\(-7)|\(no)|\(text)|\(nil as Int?)"
    #expect(page.text == "-7||&lt;|")
  }

  @Test("pieces are joined in order")
  func joining() {
    #expect(HTML.joined(["<a>", "<b>", "<c>"], separator: "<br>").text == "<a><br><b><br><c>")
    #expect(HTML.joined([]).isEmpty)
    #expect(("<a>" + "\("<")" as HTML).text == "<a>&lt;")
    #expect(HTML.joined((0..<3).map { "<li>\($0)</li>" }).text == "<li>0</li><li>1</li><li>2</li>")
  }

  @Test("escaped text can be read back to what it was")
  func property() {
    forEachSeed { seed, generator in
      let alphabet = Array("<>&\"'; abc#39quotlmpgé̈\u{301}")
      let text = String((0..<40).map { _ in alphabet.randomElement(using: &generator) ?? "a" })
      let back = HTML(escaping: text).text.replacing("&lt;", with: "<").replacing("&gt;", with: ">")
        .replacing("&quot;", with: "\"").replacing("&#39;", with: "'").replacing("&amp;", with: "&")
      #expect(Array(back.utf8) == Array(text.utf8), "seed \(seed)")
    }
  }
}

@Suite("Texts") struct TextsTests {
  private let german = Texts(
    language: "de",
    translations: ["{1} of {2} rows": "{2} Zeilen, davon {1}", "Save": "Sichern"])

  @Test("a sentence appears in the language, or in English where nobody has translated it")
  func sentences() {
    #expect(german("Save") == "Sichern")
    #expect(german("Cancel") == "Cancel")
    #expect(Texts.english("Save") == "Save")
    #expect(german.language == "de")
  }

  @Test("values go where the translation wants them")
  func placeholders() {
    #expect(german("{1} of {2} rows", 3, 10) == "10 Zeilen, davon 3")
    #expect(Texts.english("{1} of {2} rows", 3, 10) == "3 of 10 rows")
  }

  @Test("a value that looks like a placeholder stays what it is")
  func values() {
    #expect(Texts.english("{1} and {2}", "{2}", "x") == "{2} and x")
  }

  @Test("in markup, values that are markup stay so, and everything else is escaped")
  func markup() {
    let link: HTML = "<a href=\"/x\">x</a>"
    #expect(
      german.html("{1} of {2} rows", link, "<b>").text
        == "&lt;b&gt; Zeilen, davon <a href=\"/x\">x</a>")
    #expect(Texts.english.html("a < {1}", 3).text == "a &lt; 3")
  }

  @Test("a moment is an element that a script can make local, and reads UTC without one")
  func moments() throws {
    let time = try #require(DeviceTime(rfc3339: "2026-06-05T07:08:09.500Z"))
    #expect(
      Texts.english.time(time).text
        == "<time datetime=\"2026-06-05T07:08:09.500Z\">2026-06-05 07:08:09 UTC</time>")
    #expect(
      Texts.czech.day(of: time).text
        == "<time datetime=\"2026-06-05T07:08:09.500Z\" data-only=\"day\">5. 6. 2026</time>")
    #expect(Texts.czech.decimal(0.5, places: 2) == "0,50")
    #expect(Texts.czech("moving at \(decimal: 1.4, places: 1) m/s" as Wording).hasSuffix("1,4 m/s"))
  }

  @Test("a placeholder without a value stays, and so does every other brace")
  func remains() {
    #expect(Texts.english("{1} {3} {x} {} { {1", "a") == "a {3} {x} {} { {1")
  }
}
