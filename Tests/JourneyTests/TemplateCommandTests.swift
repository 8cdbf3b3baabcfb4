import Foundation
import TestSupport
import Testing

@Suite("Templates at the command line", .timeLimit(.minutes(3)))
struct TemplateCommandTests {
  private func run(_ arguments: [String], data: URL) async throws -> Program.Outcome {
    try await Program.run(
      Program.standpoint, ["office"] + arguments,
      environment: ["STANDPOINT_DATA": data.path, "SWIFT_BACKTRACE": "enable=no"])
  }

  private static let items = """
    [{"id": "crop", "kind": "question", "wording": "Which crop?", "question":
      {"form": "choice", "choices": [{"id": "maize", "wording": "Maize"}, {"id": "other", "wording": "Other"}]}},
     {"id": "roof", "kind": "shot", "wording": "The roof", "shot": {"least": 2},
      "when": {"equals": ["crop", "other"]}}]
    """

  @Test("a template is taken, listed, shown, exported and taken again, in versions")
  func versions() async throws {
    try await withTemporaryDirectory { folder in
      let file = folder.appendingPathComponent("crops.json")
      try Self.items.write(to: file, atomically: true, encoding: .utf8)
      #expect(try await run(["agency", "add", "north"], data: folder).status == 0)
      func template(_ arguments: String...) async throws -> Program.Outcome {
        try await run(["template"] + arguments + ["--agency", "north"], data: folder)
      }
      func take(_ more: String...) async throws -> String {
        try await run(
          ["template", "import", file.path, "--agency", "north", "--type", "crop check"] + more,
          data: folder
        ).output
      }
      #expect(try await template("list").errors.hasPrefix("no template yet"))
      #expect(try await take("--dry-run") == "crop check: version 1, 2 items: new, not kept\n")
      #expect(try await take() == "crop check: version 1, 2 items: new\n")
      #expect(try await take() == "crop check: version 1, 2 items: nothing changed\n")
      #expect(try await template("list").output == "crop check: version 1, 2 items\n")
      #expect(
        try await template("show", "crop check").output == """
          crop check: version 1, 2 items
          1\tcrop\tchoice\tWhich crop? (required)
          2\troof\tshot ×2\tThe roof (required, on a condition)

          """)
      let copy = folder.appendingPathComponent("copy.json")
      #expect(try await template("export", "crop check", "-o", copy.path).status == 0)
      try Self.items.replacingOccurrences(of: "\"least\": 2", with: "\"least\": 4").write(
        to: file, atomically: true, encoding: .utf8)
      #expect(try await take() == "crop check: version 2, 2 items: new\n")
      try FileManager.default.removeItem(at: file)
      try FileManager.default.moveItem(at: copy, to: file)
      let again = try await take("--format", "json")
      #expect(again.contains("\"version\":3") && again.contains("\"new\":true"))
      let shown = try await template("show", "crop check", "--version", "2", "--format", "json")
      let json = try #require(
        try JSONSerialization.jsonObject(with: Data(shown.output.utf8)) as? [String: Any])
      #expect(json["type"] as? String == "crop check" && json["version"] as? Int == 2)
      let items = try #require(json["items"] as? [[String: Any]])
      #expect(items.map { $0["id"] as? String } == ["crop", "roof"])
      #expect(items.map { $0["kind"] as? String } == ["question", "shot"])
      #expect(items.map { $0["required"] as? Bool } == [true, true])
      #expect(items.allSatisfy { $0["wording"] is String })
    }
  }

  @Test("a file that cannot be taken is refused with exit 2, and changes nothing")
  func refusals() async throws {
    try await withTemporaryDirectory { folder in
      #expect(try await run(["agency", "add", "north"], data: folder).status == 0)
      let file = folder.appendingPathComponent("items.json")
      for (text, words) in [
        ("[", "is neither an XLSX workbook nor JSON"), ("{}", "the items are no array"),
        ("[{\"id\": \"q\", \"kind\": \"note\"}]", "item 1: wording is"),
        (
          Self.items.replacingOccurrences(
            of: "\"equals\": [\"crop\"", with: "\"equals\": [\"roof\""),
          "item 2: "
        ), ("PK\u{3}\u{4}", "the workbook is damaged, or is none"), ("[]", "the file has no item"),
      ] {
        try text.write(to: file, atomically: true, encoding: .utf8)
        let outcome = try await run(
          ["template", "import", file.path, "--agency", "north", "--type", "t"], data: folder)
        #expect(outcome.status == 2 && outcome.output.isEmpty, "\(text)")
        #expect(outcome.errors.contains(words), "\(text): \(outcome.errors)")
      }
      for (arguments, words) in [
        (["show", "t", "--agency", "north"], "no template for tasks of the type t"),
        (["list", "--agency", "south"], "south"),
        (["export", "t", "--agency", "north", "-o", file.path], "no template for tasks"),
        (
          ["import", folder.path + "/gone", "--agency", "north", "--type", "t"],
          "/gone is not there, or cannot be read"
        ), (["import", file.path, "--agency", "north", "--type", " "], "A type's name must have"),
      ] {
        let outcome = try await run(["template"] + arguments, data: folder)
        #expect(outcome.status == 2, "\(arguments)")
        #expect(outcome.errors.contains(words), "\(arguments): \(outcome.errors)")
      }
    }
  }
}
