import Inspection
import Office
import TestSupport
import Testing
import TimeAndText

@Suite("The contract of templates", .timeLimit(.minutes(2)))
struct TemplateContract {
  private func template(
    _ type: String, _ version: Int, items count: Int = 1, title: String? = nil
  ) throws -> ItemTemplate {
    let items = try (1...count).map { number in
      OrderItem(
        name: try #require(ItemName("q\(number)")), wording: "Question \(number) “č”",
        content: .question(Question(.yesOrNo)))
    }
    return ItemTemplate(
      type: type, version: version, title: title, items: try OrderItems(items),
      made: Samples.time(Double(version)), author: "otto")
  }

  @Test("each version is kept as it was, and the newest is in force", arguments: OfficeEngines.all)
  func versions(engine: OfficeEngine) async throws {
    let versions = try (1...12).map { try template("crop check", $0, items: $0, title: "T\($0)") }
    try await engine.withOffice { database in
      for version in versions {
        try await database.write(in: "north") { try $0.templates.insert(version) }
        let newest = try await database.read(in: "north") {
          try $0.templates.template(ofType: "crop check", version: nil)
        }
        #expect(newest == version)
      }
      for version in versions {
        let kept = try await database.read(in: "north") {
          try $0.templates.template(ofType: "crop check", version: version.version)
        }
        #expect(kept == version)
      }
      let missing = try await database.read(in: "north") {
        [
          try $0.templates.template(ofType: "crop check", version: 13),
          try $0.templates.template(ofType: "Crop check", version: nil),
        ]
      }
      #expect(missing == [nil, nil])
    }
  }

  @Test(
    "the newest version of each type is listed by type, and no other agency's",
    arguments: OfficeEngines.all)
  func list(engine: OfficeEngine) async throws {
    let own = [
      try template("b", 1), try template("b", 2), try template("a", 1), try template("ž", 1),
    ]
    let other = try template("b", 7)
    try await engine.withOffice { database in
      #expect(try await database.read(in: "north") { try $0.templates.newest() }.isEmpty)
      for template in own {
        try await database.write(in: "north") { try $0.templates.insert(template) }
      }
      try await database.write(in: "south") { try $0.templates.insert(other) }
      let newest = try await database.read(in: "north") { try $0.templates.newest() }
      #expect(newest == [own[2], own[1], own[3]])
      #expect(try await database.read(in: "south") { try $0.templates.newest() } == [other])
    }
  }

  @Test("a version that is there is not replaced", arguments: OfficeEngines.all)
  func twice(engine: OfficeEngine) async throws {
    let (first, second) = (try template("a", 1), try template("a", 1, items: 3))
    try await engine.withOffice { database in
      try await database.write(in: "north") { try $0.templates.insert(first) }
      await #expect(throws: (any Error).self) {
        try await database.write(in: "north") { try $0.templates.insert(second) }
      }
      let kept = try await database.read(in: "north") {
        try $0.templates.template(ofType: "a", version: nil)
      }
      #expect(kept == first)
    }
  }
}
