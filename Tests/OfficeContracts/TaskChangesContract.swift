import Foundation
import Inspection
import Office
import Positioning
import Store
import Sync
import TestSupport
import Testing
import TimeAndText

@Suite("The contract of tasks: what changed since a cursor", .timeLimit(.minutes(2)))
struct TaskChangesContract {
  private func changes(
    _ database: any OfficeDatabase, of login: String = "ines", since cursor: String?,
    at now: DeviceTime = Samples.now, limit: Int = 99, in agency: String = "north"
  ) async throws -> (names: [String], cursor: String?, hasMore: Bool) {
    let answer = try await database.read(in: agency) {
      try $0.tasks.changedTasks(ofInspector: login, since: cursor, at: now, limit: limit)
    }
    return (answer.tasks.map(\.name), answer.cursor, answer.hasMore)
  }

  private func note(_ task: InspectionTask, _ database: any OfficeDatabase) async throws {
    try await database.write(in: "north") { try $0.tasks.setNote("wet", of: task.id) }
  }

  @Test(
    "changed tasks come in the order of their last change, each once, and after that no more",
    arguments: OfficeEngines.all)
  func order(engine: OfficeEngine) async throws {
    var samples = Samples()
    let tasks = ["a", "b", "c"].map { samples.task($0) }
    try await engine.withOffice { database in
      let none = try await changes(database, since: nil)
      #expect(none.names.isEmpty && none.cursor == nil && !none.hasMore)
      try await database.add(tasks: tasks)
      let first = try await changes(database, since: nil)
      #expect(first.names == ["a", "b", "c"])
      #expect(!first.hasMore)
      let nothing = try await changes(database, since: first.cursor)
      #expect(nothing.names.isEmpty && !nothing.hasMore)
      #expect(nothing.cursor == first.cursor)
      try await note(tasks[1], database)
      try await note(tasks[0], database)
      try await note(tasks[1], database)
      let second = try await changes(database, since: first.cursor)
      #expect(second.names == ["a", "b"])
      #expect(try await changes(database, since: nil).names == ["c", "a", "b"])
    }
  }

  @Test(
    "each kind of change counts: an order, its replacement, a transition, a conflict and a note",
    arguments: OfficeEngines.all)
  func kinds(engine: OfficeEngine) async throws {
    var samples = Samples()
    let before = samples.task("a")
    var after = before
    (after.name, after.revision) = ("a, later", 2)
    let order = after
    var opened = after
    let step = try opened.perform(
      .open, by: Person(agency: "north", login: "ines", role: .inspector), id: samples.id(),
      at: Samples.now, contents: TaskContents(photos: 0))
    let (open, refused) = (
      opened,
      TransitionConflict(
        transition: TaskTransition(
          id: samples.id(), action: .open, from: .new, to: .open, person: step.person,
          time: Samples.now, reason: nil), reason: "it was open already")
    )
    try await engine.withOffice { database in
      var cursor: String?
      func expectChange(_ what: Comment) async throws {
        let answer = try await changes(database, since: cursor)
        #expect(answer.names.count == 1, what)
        #expect(answer.cursor != cursor, what)
        cursor = answer.cursor
      }
      try await database.add(tasks: [before])
      try await expectChange("the order")
      try await database.write(in: "north") {
        try $0.tasks.replaceOrder(of: before, with: order, at: Samples.now)
      }
      try await expectChange("the replacement")
      try await database.write(in: "north") { try $0.tasks.save(step, of: open, revision: 2) }
      try await expectChange("the transition")
      try await database.write(in: "north") { try $0.tasks.save(refused, of: open, revision: 2) }
      try await expectChange("the conflict")
      try await note(open, database)
      try await expectChange("the note")
      let kept = try await database.read(in: "north") { try $0.tasks.task(open.id).note }
      #expect(kept == "wet")
    }
  }

  @Test(
    "a held decision, and what changed after it, are told when its time is over, and none is skipped",
    arguments: OfficeEngines.all)
  func held(engine: OfficeEngine) async throws {
    var samples = Samples()
    let tasks = ["a", "b", "c"].map { samples.task($0) }
    var withdrawn = tasks[1]
    let step = try withdrawn.perform(
      .withdraw, by: Person(agency: "north", login: "otto", role: .officer), id: samples.id(),
      at: Samples.now, contents: TaskContents(photos: 0))
    let (decided, until) = (withdrawn, Samples.time(10))
    try await engine.withOffice { database in
      try await database.add(tasks: tasks)
      let first = try await changes(database, since: nil)
      #expect(first.names == ["a", "b", "c"])
      try await note(tasks[0], database)
      try await database.write(in: "north") {
        try $0.tasks.save(step, of: decided, revision: 1, heldUntil: until)
      }
      try await note(tasks[2], database)
      #expect(
        try await database.read(in: "north") { try $0.tasks.heldUntil(step.id) } == until)
      let second = try await changes(database, since: first.cursor, at: Samples.time(9.999))
      #expect(second.names == ["a"] && !second.hasMore, "nothing more to ask for now")
      let waiting = try await changes(database, since: second.cursor, at: Samples.time(9.999))
      #expect(waiting.names.isEmpty && waiting.cursor == second.cursor)
      let third = try await changes(database, since: second.cursor, at: until)
      #expect(third.names == ["b", "c"])
      #expect(try await changes(database, since: nil, at: Samples.time(5)).names == ["a"])
      #expect(
        try await changes(database, of: "ivan", since: nil, at: Samples.time(5)).names.isEmpty)
    }
  }

  @Test(
    "pages of changes neither skip nor repeat the last change of a task while others change",
    arguments: OfficeEngines.all)
  func pages(engine: OfficeEngine) async throws {
    var samples = Samples()
    let tasks = ["a", "b", "c", "d", "e"].map { samples.task($0) }
    let new = samples.task("f")
    try await engine.withOffice { database in
      try await database.add(tasks: tasks)
      let first = try await changes(database, since: nil, limit: 2)
      #expect(first.names == ["a", "b"] && first.hasMore)
      // Task a was told already, d was not, and f is new.
      try await note(tasks[0], database)
      try await note(tasks[3], database)
      try await database.add(tasks: [new])
      let second = try await changes(database, since: first.cursor, limit: 2)
      #expect(second.names == ["c", "e"] && second.hasMore)
      let third = try await changes(database, since: second.cursor, limit: 3)
      #expect(third.names == ["a", "d", "f"])
      #expect(!third.hasMore, "a page that is full is not told to go on")
      #expect(try await changes(database, since: third.cursor).names.isEmpty)
    }
  }

  @Test(
    "a cursor that means nothing here means the beginning", arguments: OfficeEngines.all,
    ["", "-", "1", "1-", "-1", "1-2-3", "9999-00", "x-y", "'; --"])
  func garbage(engine: OfficeEngine, cursor: String) async throws {
    var samples = Samples()
    let tasks = ["a", "b"].map { samples.task($0) }
    try await engine.withOffice { database in
      #expect(try await changes(database, since: cursor).cursor == nil)
      try await database.add(tasks: tasks)
      #expect(try await changes(database, since: cursor).names == ["a", "b"])
    }
  }

  @Test(
    "another inspector's cursor, another agency's, and another database's mean the beginning",
    arguments: OfficeEngines.all)
  func foreign(engine: OfficeEngine) async throws {
    var samples = Samples()
    let (mine, his, hers) = (
      samples.task("mine"), samples.task("his", of: "ivan"), samples.task("hers", of: "sara")
    )
    try await engine.withOffice { database in
      try await database.add(tasks: [mine, his])
      try await database.add(tasks: [hers], in: "south")
      let other = try await changes(database, of: "ivan", since: nil)
      #expect(other.names == ["his"])
      let southern = try await changes(database, of: "sara", since: nil, in: "south")
      #expect(southern.names == ["hers"])
      try await engine.withOffice { elsewhere in
        try await elsewhere.add(tasks: [mine, his])
        let cursor = try #require(try await changes(elsewhere, since: nil).cursor)
        #expect(try await changes(elsewhere, since: cursor).names.isEmpty)
        for foreign in [other.cursor, southern.cursor, cursor] {
          #expect(try await changes(database, since: foreign).names == ["mine"])
        }
      }
      #expect(try await changes(database, of: "sara", since: nil).names.isEmpty)
    }
  }
}
