import Inspection
import Office
import TestSupport
import Testing
import TimeAndText

@Suite("The contract of the items that orders ask for", .timeLimit(.minutes(2)))
struct OrderedItemsContract {
  private func template(
    _ type: String, _ version: Int, _ wording: String
  ) throws -> ItemTemplate {
    let item = OrderItem(
      name: try #require(ItemName("q")), wording: wording,
      content: .question(Question(.yesOrNo)))
    return ItemTemplate(
      type: type, version: version, title: nil, items: try OrderItems([item]), made: Samples.now,
      author: "otto")
  }

  @Test(
    "an order keeps its version until a later order has another one, or none",
    arguments: OfficeEngines.all)
  func versions(engine: OfficeEngine) async throws {
    var samples = Samples()
    let (one, two) = (try template("beet", 1, "Is it beet?"), try template("beet", 2, "Beet?"))
    let (asked, plain) = (samples.task("asked", type: "beet"), samples.task("plain"))
    try await engine.withOffice { database in
      try await database.add(tasks: [asked, plain])
      func items() async throws -> [Identifier: OrderedItems] {
        try await database.read(in: "north") {
          try $0.tasks.items(ofTasks: [asked.id, plain.id, samples.id()])
        }
      }
      func revise(_ revision: Int, _ version: Int??) async throws {
        try await database.write(in: "north") { session in
          var (before, after) = (try session.tasks.task(asked.id), asked)
          (before.revision, after.revision) = (revision - 1, revision)
          try session.tasks.replaceOrder(of: before, with: after, at: Samples.now)
          guard let version else { return }
          try session.tasks.keep(template: version.map { ("beet", $0) }, ofTask: after)
        }
      }
      try await database.write(in: "north") { session in
        try session.templates.insert(one)
        try session.tasks.keep(template: ("beet", 1), ofTask: asked)
        try session.templates.insert(two)
      }
      #expect(try await items() == [asked.id: OrderedItems(one)])
      try await revise(2, nil)
      #expect(try await items() == [asked.id: OrderedItems(one)])
      try await revise(3, 2)
      #expect(try await items() == [asked.id: OrderedItems(two)])
      try await revise(4, .some(nil))
      #expect(try await items().isEmpty)
      try await revise(5, nil)
      #expect(try await items().isEmpty)
      try await revise(6, 1)
      #expect(try await items() == [asked.id: OrderedItems(one)])
    }
  }

  @Test(
    "items are seen by their inspector and their agency, and by no other",
    arguments: OfficeEngines.all)
  func wall(engine: OfficeEngine) async throws {
    var samples = Samples()
    let (own, other) = (
      samples.task("own", of: "ines", type: "beet"), samples.task("other", of: "ivan", type: "beet")
    )
    let ids = [own.id, other.id]
    let beet = try template("beet", 1, "Is it beet?")
    try await engine.withOffice { database in
      try await database.add(tasks: [own, other])
      try await database.write(in: "north") { session in
        try session.templates.insert(beet)
        for task in [own, other] { try session.tasks.keep(template: ("beet", 1), ofTask: task) }
      }
      for (inspector, seen) in [("ines", [own.id]), ("ivan", [other.id]), (nil, ids)] {
        let items = try await database.read(in: "north", ofInspector: inspector) {
          try $0.tasks.items(ofTasks: ids)
        }
        #expect(Set(items.keys) == Set(seen))
      }
      #expect(try await database.read(in: "south") { try $0.tasks.items(ofTasks: ids) }.isEmpty)
      await #expect(throws: (any Error).self) {
        try await database.write(in: "south") {
          try $0.tasks.keep(template: nil, ofTask: own)
        }
      }
      await #expect(throws: (any Error).self, "a version that is not there") {
        try await database.write(in: "north") { session in
          var later = own
          later.revision = 2
          try session.tasks.keep(template: ("beet", 9), ofTask: later)
        }
      }
    }
  }
}
