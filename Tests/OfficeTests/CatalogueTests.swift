import Evidence
import Foundation
import Inspection
import Positioning
import TestSupport
import Testing

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

  /// Words that pages show and that are not literals there.
  private static var words: [String] {
    TaskState.allCases.map(\.title) + Role.allCases.map(\.rawValue)
      + [EvidenceVerdict.intact, .doubtful, .incomplete, .altered].map(\.rawValue)
      + ["note"] + CentroidMethod.allCases.map(\.rawValue) + [PhotoPosition.Method.fix.name]
      + ["Accept", "Return", "Decline", "Withdraw", "Reopen"]
  }

  @Test("translations/en.json holds every text of both sides' pages, and nothing else")
  func complete() throws {
    var texts = Set(Self.words)
    for side in ["FieldUnit", "Office"] {
      let folder = Repository.root.appendingPathComponent("Sources/\(side)/Pages")
      for file in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
        texts.formUnion(
          Self.literals(
            in: try String(contentsOf: folder.appendingPathComponent(file), encoding: .utf8)))
      }
    }
    #expect(texts.count > 150)
    let lines = texts.sorted().map { text in
      let json = String(decoding: JSONValue.string(text).canonicalBytes, as: UTF8.self)
      return "  \(json): \(json)"
    }
    let catalogue = "{\n" + lines.joined(separator: ",\n") + "\n}\n"
    #expect(try Golden.difference(catalogue, from: "translations/en.json") == nil)
    #expect(
      (try? JSONValue(parsing: Array(catalogue.utf8))) != nil, "the catalogue is no JSON")
  }

  @Test("no page says words outside the catalogue")
  func everythingIsInIt() throws {
    // Text between tags that is no interpolation: only signs, units and names may stand there.
    let allowed: Set = ["PDF", "KML", "SHA-256", "N", "m"]
    for side in ["FieldUnit", "Office"] {
      let folder = Repository.root.appendingPathComponent("Sources/\(side)/Pages")
      for file in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
        let source = try String(contentsOf: folder.appendingPathComponent(file), encoding: .utf8)
        for match in source.matches(of: #/>([A-Za-z][A-Za-z ]+)</#) {
          let text = String(match.1).trimmingCharacters(in: .whitespaces)
          #expect(allowed.contains(text), "\(side)/\(file): \(text)")
        }
      }
    }
  }
}
