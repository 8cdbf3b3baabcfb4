import Evidence
import Foundation
import Inspection
import Positioning
import TestSupport
import Testing
import Web

/// Every text of the pages stands in one file, so that a language is one file, too.
@Suite("The catalogue of texts")
struct CatalogueTests {
  /// The literals that pages hand to their texts.
  private static func literals(in source: String) -> Set<String> {
    var found: Set<String> = []
    for match in source.matches(of: #/\bt\(\s*"((?:[^"\\]|\\.)*)"/#) {
      found.insert(String(match.1).replacing("\\\"", with: "\""))
    }
    return found
  }

  /// All sources of pages, by name.
  private static func sources() throws -> [(name: String, text: String)] {
    try ["FieldUnit", "Office", "Web"].flatMap { side in
      let folder = Repository.root.appendingPathComponent("Sources/\(side)")
      let names = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String }
      return try (names ?? []).filter { $0.hasSuffix(".swift") }.sorted().map { name in
        (
          "\(side)/\(name)",
          try String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8)
        )
      }
    }
  }

  /// Words that pages show and that are not literals there.
  private static var words: [String] {
    TaskState.allCases.map(\.title) + Role.allCases.map(\.rawValue)
      + [EvidenceVerdict.intact, .doubtful, .incomplete, .altered].map(\.rawValue)
      + ["note"] + CentroidMethod.allCases.map(\.rawValue) + [PhotoPosition.Method.fix.name]
      + CaptureRule.allCases.flatMap { [$0.title, $0.advice].compactMap(\.self) }
      + CaptureRule.Topic.allCases.map(\.title)
      + ["Accept", "Return", "Decline", "Withdraw", "Reopen"]
  }

  @Test(
    "Sources/Web/Languages/en.json holds every text of both sides' pages and of their frame, and nothing else"
  )
  func complete() throws {
    var texts = Set(Self.words)
    for source in try Self.sources() { texts.formUnion(Self.literals(in: source.text)) }
    #expect(texts.count > 150)
    let lines = texts.sorted().map { text in
      let json = String(decoding: JSONValue.string(text).canonicalBytes, as: UTF8.self)
      return "  \(json): \(json)"
    }
    let catalogue = "{\n" + lines.joined(separator: ",\n") + "\n}\n"
    #expect(try Golden.difference(catalogue, from: "Sources/Web/Languages/en.json") == nil)
    #expect(
      (try? JSONValue(parsing: Array(catalogue.utf8))) != nil, "the catalogue is no JSON")
  }

  @Test("no page says words outside the catalogue")
  func everythingIsInIt() throws {
    // Text between tags that is no interpolation: only signs, units and names may stand there.
    let allowed: Set = ["PDF", "KML", "CSV", "SHA-256", "N", "m"]
    for (file, source) in try Self.sources() {
      for match in source.matches(of: #/>([A-Za-z][A-Za-z ]+)</#) {
        let text = String(match.1).trimmingCharacters(in: .whitespaces)
        #expect(allowed.contains(text), "\(file): \(text)")
      }
    }
  }

  @Test("every other language says all of it, with the same placeholders")
  func languages() throws {
    func catalogue(_ name: String) throws -> [String: String] {
      let file = Repository.root.appendingPathComponent("Sources/Web/Languages/\(name).json")
      return try JSONDecoder().decode([String: String].self, from: Data(contentsOf: file))
    }
    func placeholders(_ text: String) -> [String] {
      text.matches(of: #/\{[0-9]+\}/#).map { String($0.0) }.sorted()
    }
    let english = try catalogue("en")
    for texts in Texts.languages where texts.language != "en" {
      let other = try catalogue(texts.language)
      let missing = english.keys.filter { other[$0] == nil }.sorted()
      let surplus = other.keys.filter { english[$0] == nil }.sorted()
      #expect(missing.isEmpty, "\(texts.language) lacks: \(missing)")
      #expect(surplus.isEmpty, "\(texts.language) has what no page says: \(surplus)")
      for (key, value) in other.sorted(by: { $0.key < $1.key }) {
        #expect(placeholders(value) == placeholders(key), "\(texts.language): \(key)")
      }
      #expect(texts("Tasks") == other["Tasks"], "the program has another state of the file")
    }
  }
}
