import Inspection
import Office
import Store
import Sync
import TestSupport
import Testing
import TimeAndText

@Suite("The contract of answers", .timeLimit(.minutes(2)))
struct AnswerContract {
  private func order() throws -> OrderedItems {
    OrderedItems(
      type: "beet", version: 2,
      items: try OrderItems([
        OrderItem(
          name: try #require(ItemName("q")), wording: "Is it “beet”? č",
          content: .question(Question(.yesOrNo))),
        OrderItem(name: try #require(ItemName("words")), wording: "Words", content: .note),
      ]))
  }

  private func answer(
    _ id: Identifier, _ task: Identifier, _ value: ItemAnswer, item: Int = 0, at seconds: Double,
    photos: [Identifier] = [], isLate: Bool = false, by inspector: String = "ines"
  ) throws -> ReceivedAnswer {
    let order = try order()
    return ReceivedAnswer(
      SealedAnswer(
        id: id, to: order.items.items[item], of: order, task: task, revision: 1, value,
        photos: photos, at: Samples.time(seconds)),
      inspector: inspector, received: Samples.now, isLate: isLate)
  }

  @Test(
    "each word is kept as it came, once, in the order in which it was given",
    arguments: OfficeEngines.all)
  func words(engine: OfficeEngine) async throws {
    var samples = Samples()
    let (task, other) = (samples.task("a"), samples.task("b"))
    let photos = [samples.id(), samples.id()]
    let first = try answer(samples.id(), task.id, .value(.yes(true)), at: 2, photos: photos)
    let second = try answer(samples.id(), task.id, .notPossible(reason: "a dog"), at: 1)
    let third = try answer(
      samples.id(), task.id, .value(.text("wet “č”")), item: 1, at: 3, isLate: true)
    try await engine.withOffice { database in
      try await database.add(tasks: [task, other])
      func list(_ id: Identifier, in agency: String = "north") async throws -> [ReceivedAnswer] {
        try await database.read(in: agency) { try $0.answers.list(ofTask: id) }
      }
      #expect(try await list(task.id).isEmpty)
      try await database.write(in: "north") { session in
        for one in [first, second, third] { try session.answers.insert(one) }
      }
      #expect(try await list(task.id) == [second, first, third])
      var changed = second
      changed.inspector = "ivan"
      try await database.write(in: "north") { [changed] in try $0.answers.insert(changed) }
      #expect(try await list(task.id) == [second, first, third])
      #expect(try await list(other.id).isEmpty)
      #expect(try await list(task.id, in: "south").isEmpty)
    }
  }

  @Test(
    "the words of a decision on items come back with it, once, and the wall holds for them too",
    arguments: OfficeEngines.all)
  func verdicts(engine: OfficeEngine) async throws {
    var samples = Samples()
    let (own, other) = (samples.task("own", of: "ines"), samples.task("other", of: "ivan"))
    let item = try #require(ItemName("roof"))
    let (first, second) = (samples.id(), samples.id())
    let judged = [samples.id(), samples.id()]
    let words = [
      ItemVerdict(
        item: item, returned: "dark “č”", judged: judged,
        marks: [try PhotoMark(photo: judged[1], linesText: "0,0 1000,1000;5,5")])
    ]
    let theirs = [ItemVerdict(item: item, returned: nil, judged: [])]
    try await engine.withOffice { database in
      try await database.add(tasks: [own, other])
      try await database.write(in: "north") { session in
        try session.answers.insert(words, ofTask: own.id, decision: first)
        try session.answers.insert(theirs, ofTask: other.id, decision: second)
      }
      for (inspector, seen) in [
        ("ines", [first: words]), ("ivan", [second: theirs]),
        (nil, [first: words, second: theirs]),
      ] {
        let found = try await database.read(in: "north", ofInspector: inspector) { session in
          try session.answers.verdicts(ofDecisions: [first, second, own.id])
        }
        #expect(found == seen)
      }
      await #expect(throws: (any Error).self, "the same decision again") {
        try await database.write(in: "north") {
          try $0.answers.insert(words, ofTask: own.id, decision: first)
        }
      }
    }
  }

  @Test("answers are seen by the task's inspector and by no other", arguments: OfficeEngines.all)
  func wall(engine: OfficeEngine) async throws {
    var samples = Samples()
    let (own, other) = (samples.task("own", of: "ines"), samples.task("other", of: "ivan"))
    let mine = try answer(samples.id(), own.id, .value(.yes(true)), at: 1)
    let theirs = try answer(samples.id(), other.id, .value(.yes(false)), at: 1, by: "ivan")
    try await engine.withOffice { database in
      try await database.add(tasks: [own, other])
      try await database.write(in: "north") { session in
        for one in [mine, theirs] { try session.answers.insert(one) }
      }
      for (inspector, seen) in [("ines", [mine]), ("ivan", [theirs]), (nil, [mine, theirs])] {
        let found = try await database.read(in: "north", ofInspector: inspector) { session in
          try [own, other].flatMap { try session.answers.list(ofTask: $0.id) }
        }
        #expect(found == seen)
      }
      let (fresh, missing) = (samples.id(), samples.id())
      await #expect(throws: (any Error).self, "a task that is not there") {
        let nowhere = try answer(fresh, missing, .value(.yes(true)), at: 1)
        try await database.write(in: "north") { try $0.answers.insert(nowhere) }
      }
    }
  }
}
