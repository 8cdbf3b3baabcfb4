import Inspection
import Office
import Store
import TestSupport
import Testing
import TimeAndText

@Suite("The contract of acts on many tasks", .timeLimit(.minutes(2)))
struct BulkContract {
  private func act(_ samples: inout Samples, after seconds: Double = 0) -> BulkAct {
    BulkAct(
      id: samples.id(), kind: .withdraw, officer: "otto", list: "state=open",
      planned: Samples.time(seconds))
  }

  @Test(
    "an act and its steps are kept, counted, and read in their order", arguments: OfficeEngines.all)
  func kept(engine: OfficeEngine) async throws {
    var samples = Samples()
    let tasks = (0..<5).map { samples.task("t\($0)") }
    let copy = samples.task("copy", of: "ivan")
    let planned = act(&samples)
    let words: Wording = "\(3) of its photos are still being checked"
    let steps = tasks.enumerated().map { number, task in
      BulkStep(
        task: task.id, transitions: number, revision: 1, examined: 2, shown: "mark",
        state: number == 3 ? .left : .planned, words: number == 3 ? words : nil)
    }
    try await engine.withOffice { database in
      try await database.add(tasks: tasks + [copy])
      try await database.write(in: "north") { try $0.bulk.insert(planned, steps) }
      try await database.read(in: "north") { session in
        #expect(try session.bulk.act(planned.id) == planned)
        #expect(try session.bulk.counts(ofAct: planned.id) == [.planned: 4, .left: 1])
        let page = try session.bulk.steps(ofAct: planned.id, .planned, from: 1, limit: 2)
        #expect(page.map(\.number) == [1, 2] && page.map(\.step) == [steps[1], steps[2]])
        let rest = try session.bulk.steps(ofAct: planned.id, .planned, from: 3, limit: 9)
        #expect(rest.map(\.number) == [4])
        #expect(
          try session.bulk.steps(ofAct: planned.id, .left, from: 0, limit: 9).map(\.step.words)
            == [words])
      }
      var (done, step) = (planned, steps[4])
      (done.value, done.done) = ("ended", Samples.time(1))
      (step.state, step.change) = (.done, 77)
      step.copy = BulkStep.Copy(task: copy.id, change: 78)
      step.dueBefore = Samples.time(5)
      let (act, last) = (done, step)
      try await database.write(in: "north") { session in
        try session.bulk.save(act, heldUntil: Samples.time(60))
        try session.bulk.save(last, number: 4, ofAct: act.id)
      }
      try await database.read(in: "north") { session in
        let kept = try session.bulk.act(planned.id)
        #expect(kept == act)
        #expect(
          try session.bulk.steps(ofAct: act.id, .done, from: 0, limit: 9).map(\.step) == [last])
        #expect(try session.bulk.handed(last.task).to == copy.id)
        #expect(try session.bulk.handed(copy.id).from == last.task)
        #expect(try session.bulk.handed(tasks[0].id).to == nil)
      }
      let other = try await database.read(in: "south") { try $0.bulk.act(planned.id) }
      #expect(other == nil)
    }
  }

  @Test(
    "plans that were not done go after their time, and nothing else does",
    arguments: OfficeEngines.all)
  func plans(engine: OfficeEngine) async throws {
    var samples = Samples()
    let task = samples.task()
    let (old, new) = (act(&samples), act(&samples, after: 10))
    var finished = act(&samples)
    finished.done = Samples.time(1)
    let done = finished
    try await engine.withOffice { database in
      try await database.add(tasks: [task])
      try await database.write(in: "north") { session in
        for one in [old, new, done] {
          try session.bulk.insert(one, [BulkStep(task: task.id, transitions: 0, revision: 1)])
          try session.bulk.save(one, heldUntil: nil)
        }
      }
      try await database.write(in: "south") { try $0.bulk.removePlans(before: Samples.time(99)) }
      try await database.write(in: "north") { try $0.bulk.removePlans(before: Samples.time(5)) }
      let left = try await database.read(in: "north") { session in
        try [old, new, done].map { try session.bulk.act($0.id)?.id }
      }
      #expect(left == [nil, new.id, done.id])
    }
  }

  @Test(
    "tasks of a held act, and what changed after them, are told when its time is over",
    arguments: OfficeEngines.all)
  func held(engine: OfficeEngine) async throws {
    var samples = Samples()
    let tasks = ["a", "b", "c"].map { samples.task($0) }
    let copy = samples.task("copy", of: "ivan")
    let planned = act(&samples)
    try await engine.withOffice { database in
      func names(_ login: String, at seconds: Double) async throws -> [String] {
        try await database.read(in: "north") {
          try $0.tasks.changedTasks(
            ofInspector: login, since: nil, at: Samples.time(seconds), limit: 99
          ).tasks.map(\.name)
        }
      }
      try await database.add(tasks: tasks + [copy])
      try await database.write(in: "north") { session in
        try session.tasks.setNote("wet", of: tasks[1].id)
        var step = BulkStep(task: tasks[1].id, transitions: 0, revision: 1, state: .done)
        step.copy = BulkStep.Copy(task: copy.id, change: 4)
        try session.bulk.insert(
          planned,
          [step, BulkStep(task: tasks[0].id, transitions: 0, revision: 1, state: .refused)])
        try session.bulk.save(planned, heldUntil: Samples.time(60))
        try session.tasks.setNote("wet", of: tasks[2].id)
      }
      #expect(try await names("ines", at: 59) == ["a"], "a refused step holds nothing")
      #expect(try await names("ivan", at: 59).isEmpty)
      #expect(try await names("ines", at: 60) == ["a", "b", "c"])
      #expect(
        try await names("ines", at: -3600) == ["a", "b", "c"],
        "a clock that was set back holds nothing")
      try await database.read(in: "north") { session in
        let held = try session.bulk.newestChange(ofTask: tasks[1].id)
        #expect(
          try session.bulk.newestTellable(toInspector: "ines", at: Samples.time(59)) == held - 1)
        #expect(
          try session.bulk.newestTellable(toInspector: "ines", at: Samples.time(60))
            == session.bulk.newestChange(ofTask: tasks[2].id))
        #expect(try session.bulk.heldCopies(at: Samples.time(59)) == [copy.id])
        #expect(try session.bulk.heldCopies(at: Samples.time(60)).isEmpty)
      }
      #expect(try await names("ivan", at: 60) == ["copy"])
    }
  }

  @Test(
    "what was told to an inspector's devices only grows, and is theirs alone",
    arguments: OfficeEngines.all)
  func told(engine: OfficeEngine) async throws {
    var samples = Samples()
    let tasks = ["a", "b"].map { samples.task($0) }
    try await engine.withOffice { database in
      try await database.add(tasks: [tasks[0]])
      func cursor() async throws -> String {
        try #require(
          try await database.read(in: "north") {
            try $0.tasks.changedTasks(
              ofInspector: "ines", since: nil, at: Samples.now, limit: 9
            ).cursor
          })
      }
      let first = try await cursor()
      try await database.add(tasks: [tasks[1]])
      let second = try await cursor()
      try await database.write(in: "north") { session in
        let newest = try session.bulk.newestChange(ofTask: tasks[1].id)
        #expect(try session.bulk.newestChange(ofInspector: "ines") == newest)
        #expect(try session.bulk.newestChange(ofInspector: "ivan") == 0)
        #expect(try session.bulk.told(toInspector: "ines") == 0)
        try session.bulk.tell("ines", upTo: first)
        #expect(try session.bulk.told(toInspector: "ines") < newest)
        try session.bulk.tell("ines", upTo: second)
        try session.bulk.tell("ines", upTo: first)
        #expect(try session.bulk.told(toInspector: "ines") == newest)
        #expect(try session.bulk.told(toInspector: "ivan") == 0)
      }
      let other = try await database.read(in: "south") { try $0.bulk.told(toInspector: "ines") }
      #expect(other == 0)
    }
  }

  @Test(
    "an order that was taken back before anybody heard of it is never told, and references move",
    arguments: OfficeEngines.all)
  func takenBack(engine: OfficeEngine) async throws {
    var samples = Samples()
    let (first, copy) = (samples.task("first"), samples.task("copy", of: "ivan"))
    let planned = act(&samples)
    try await engine.withOffice { database in
      try await database.add(tasks: [first, copy])
      func names() async throws -> [String] {
        try await database.read(in: "north") {
          try $0.tasks.changedTasks(
            ofInspector: "ivan", since: nil, at: Samples.now, limit: 9
          ).tasks.map(\.name)
        }
      }
      #expect(try await names() == ["copy"])
      try await database.write(in: "north") { session in
        try session.tasks.keep(reference: "r", ofTask: first.id)
        try session.bulk.moveReference(from: first.id, to: copy.id)
        #expect(try session.tasks.task(withReference: "r") == copy.id)
        var step = BulkStep(task: first.id, transitions: 0, revision: 1, state: .undone)
        step.copy = BulkStep.Copy(task: copy.id, change: 2)
        try session.bulk.insert(planned, [step])
      }
      #expect(try await names().isEmpty)
    }
  }

  @Test(
    "a step that fails leaves nothing behind, and the transaction goes on",
    arguments: OfficeEngines.all)
  func attempts(engine: OfficeEngine) async throws {
    struct Failure: Error {}
    var samples = Samples()
    let task = samples.task()
    try await engine.withOffice { database in
      try await database.add(tasks: [task])
      try await database.write(in: "north") { session in
        try session.attempt { try session.tasks.setNote("kept", of: task.id) }
        #expect(throws: Failure.self) {
          try session.attempt {
            try session.tasks.setNote("lost", of: task.id)
            throw Failure()
          }
        }
      }
      let note = try await database.read(in: "north") { try $0.tasks.task(task.id).note }
      #expect(note == "kept")
    }
  }
}
