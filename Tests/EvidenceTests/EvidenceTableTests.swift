import Foundation
import TestSupport
import Testing

@testable import Evidence

/// The table in `docs/evidence.md` promises a verdict for each attack: each of its rows is a test
/// here.
@Suite("The table of attacks")
struct EvidenceTableTests {
  private struct Row {
    var attack: String
    var check: String
    var verdict: String
  }

  private static func rows() throws -> [Row] {
    let text = try String(
      contentsOf: Repository.root.appendingPathComponent("docs/evidence.md"), encoding: .utf8)
    let lines = text.split(separator: "\n")
    let start = try #require(lines.firstIndex { $0.hasPrefix("| attack | check | verdict |") })
    return lines[(start + 2)...].prefix { $0.hasPrefix("|") }.map { line in
      let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
      return Row(attack: cells[0], check: cells[1], verdict: cells.count == 3 ? cells[2] : "")
    }
  }

  /// Returns the titles of this folder's tests.
  private static func titles() throws -> [String] {
    let folder = Repository.root.appendingPathComponent("Tests/EvidenceTests")
    let files = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    return try files.filter { $0.hasSuffix("Tests.swift") }.flatMap { name in
      let text = try String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8)
      let lines = text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
      return lines.indices.compactMap { index -> String? in
        let isTest =
          lines[index].hasPrefix("@Test(\"")
          || (index > 0 && lines[index - 1] == "@Test(" && lines[index].hasPrefix("\""))
        guard isTest else { return nil }
        let parts = lines[index].split(separator: "\"", omittingEmptySubsequences: false)
        return parts.count > 1 ? String(parts[1]) : nil
      }
    }
  }

  @Test("each row is the name of a test, which says the same check and the same verdict")
  func rows() throws {
    let titles = try Self.titles()
    let rows = try Self.rows()
    #expect(rows.count > 40)
    #expect(Set(rows.map(\.attack)).count == rows.count)
    let checks = Set(Finding.Check.allCases.map(\.rawValue)).union(["issuer"])
    let verdicts: Set = ["intact", "doubtful", "incomplete", "altered", "unknown"]
    for row in rows {
      #expect(checks.contains(row.check), "\(row.attack)")
      #expect(verdicts.contains(row.verdict), "\(row.attack)")
      let check = row.check.replacing("-", with: " ")
      #expect(
        titles.contains { title in
          title.hasPrefix(row.attack + ": ") && title.contains(check)
            && title.dropFirst(row.attack.count).contains(row.verdict)
        }, "no test is named \"\(row.attack): \(check), \(row.verdict)\"")
    }
  }

  @Test("every attack with a certificate, a receipt or a bare link that a test names has its row")
  func complete() throws {
    let attacks = Set(try Self.rows().map(\.attack))
    let words = [": certificate, ", ": receipt, ", ": issuer unknown"]
    for title in try Self.titles() {
      guard let end = words.compactMap({ title.range(of: $0)?.lowerBound }).first else { continue }
      let attack = String(title[..<end])
      #expect(attacks.contains(attack), "\(title)")
    }
  }
}
