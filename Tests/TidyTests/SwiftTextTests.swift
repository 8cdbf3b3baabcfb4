import Testing

@Suite("Swift text") struct SwiftTextTests {
  @Test("comments go, whole or nested, and line numbers stay")
  func comments() {
    let text = SwiftText("let a = 1 // one\n/* two /* deep */\n still */ let b = 2\n")
    #expect(text.withoutComments == "let a = 1 \n\n let b = 2\n")
  }

  @Test("two slashes inside a string are no comment")
  func slashesInStrings() {
    let source = ##"let url = "tcp://host"; let b = #"a // "b" "#; print(b)"##
    #expect(SwiftText(source).withoutComments == source)
  }

  @Test("the words of a string go from the code, an interpolation stays")
  func interpolation() {
    let text = SwiftText(#"let a = "say \(name("x // y")) // \" twice" + b"#)
    #expect(text.codeOnly == #"let a = "\(name(""))" + b"#)
  }

  @Test("lines of a multiline string are no code")
  func multilineStrings() {
    let source = "let a = \"\"\"\n  import Secret // \"quoted\"\n  \"\"\"\nimport Geodesy"
    #expect(SwiftText(source).codeOnly == "let a = \"\"\"\n\n\"\"\"\nimport Geodesy")
  }

  @Test("a line that ends with a backslash inside a string is counted")
  func escapedLines() {
    let source = "let a = \"\"\"\n  one \\\n  two\n  \"\"\"\nlet b = 1"
    #expect(SwiftText(source).codeOnly == "let a = \"\"\"\n\n\n\"\"\"\nlet b = 1")
    #expect(SwiftText(source).withoutComments == source)
  }

  @Test("a regex is no code, and a division is")
  func regexes() {
    let source = ##"""
      let a = text.matches(of: /"[^"]*\/{/) + b
      let c = #/\("/# + (d / e) / f // half
      return /[(]/
      """##
    #expect(
      SwiftText(source).codeOnly
        == "let a = text.matches(of: //) + b\nlet c = #//# + (d / e) / f \nreturn //")
  }

  @Test("lines are counted as an editor counts them")
  func lineCount() {
    #expect("".lineCount == 0)
    #expect("a".lineCount == 1)
    #expect("a\n".lineCount == 1)
    #expect("a\n\nb".lineCount == 3)
  }
}
