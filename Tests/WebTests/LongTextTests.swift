import Testing

@testable import Web

@Suite("The language that nobody speaks")
struct LongTextTests {
  @Test(
    "each text is 40 % longer, keeps its placeholders, and stands in brackets",
    arguments: [
      "Tasks", "Send all {1} unsent", "OK", "{1} of {2} files", "The task is open.", "{1}", "",
      "What was \"said\" is <kept>",
    ])
  func longer(text: String) {
    let long = Texts.long.template(text)
    #expect(long.hasPrefix("⟦") && long.hasSuffix("⟧"))
    let own = text.replacing(#/\{[0-9]+\}/#, with: "").count
    let said = long.dropFirst().dropLast().replacing(#/\{[0-9]+\}/#, with: "").count
    #expect(Double(said) >= 1.4 * Double(own) && said <= own + (4 * own + 9) / 10)
    #expect(
      long.matches(of: #/\{[0-9]+\}/#).map { String($0.0) }
        == text.matches(of: #/\{[0-9]+\}/#).map { String($0.0) })
    // A word stays one word, since long words break a page.
    #expect(text.contains(" ") || !long.contains(" "))
    #expect(Texts.long("{1} of {2} files", 3, "x").contains("3 öf x fïlëš"))
  }

  @Test("it is offered only where it is asked for")
  func offered() {
    #expect(Texts.offered(in: [:]).map(\.language) == ["en", "cs"])
    #expect(Texts.offered(in: ["STANDPOINT_PSEUDO": "0"]).count == 2)
    let all = Texts.offered(in: ["STANDPOINT_PSEUDO": "1"])
    #expect(all.map(\.language) == ["en", "cs", "en-x-long"])
    #expect(Set(all.map(\.ownName)).count == 3)
    // No browser's own wish selects it.
    #expect(Texts.preferred(by: "en-x-long, cs;q=0.5").language == "en")
    #expect(Texts.preferred(by: "cs-CZ").language == "cs")
  }
}
