import Inspection
import Office
import Store
import Sync
import TestSupport
import Testing
import TimeAndText

@Suite("The contract of the standing of items", .timeLimit(.minutes(2)))
struct StandingContract {
  private static func order() throws -> OrderedItems {
    let crop = try #require(ItemName("crop"))
    let choices = try ["maize", "fallow"].map {
      Question.Choice(name: try #require(ItemName($0)), wording: $0)
    }
    return OrderedItems(
      type: "beet", version: 1,
      items: try OrderItems([
        OrderItem(name: crop, wording: "Crop?", content: .question(.init(.several(choices)))),
        OrderItem(
          name: try #require(ItemName("high")), wording: "High?",
          content: .question(.init(.number(.init())))),
        OrderItem(
          name: try #require(ItemName("words")), wording: "Words", isRequired: false, content: .note
        ),
        OrderItem(
          name: try #require(ItemName("roof")), wording: "Roof", isRequired: false,
          content: .shot(WantedShot())),
      ]))
  }

  private func answer(
    _ id: Identifier, _ task: Identifier, _ item: Int, _ value: ItemAnswer, day: Int = 0,
    isLate: Bool = false, by inspector: String = "ines"
  ) throws -> ReceivedAnswer {
    let order = try Self.order()
    return ReceivedAnswer(
      SealedAnswer(
        id: id, to: order.items.items[item], of: order, task: task, revision: 1, value,
        photos: [], at: Samples.time(Double(day) * 86_400)),
      inspector: inspector, received: Samples.now, isLate: isLate)
  }

  /// Makes a template and orders tasks with it.
  private func begin(_ database: some OfficeDatabase, _ tasks: [InspectionTask]) async throws {
    try await database.add(tasks: tasks)
    let order = try Self.order()
    try await database.write(in: "north") { session in
      try session.templates.insert(
        ItemTemplate(
          type: order.type, version: order.version, title: nil, items: order.items,
          made: Samples.now, author: "otto"))
      for task in tasks { try session.tasks.keep(template: ("beet", 1), ofTask: task) }
    }
  }

  private func found(
    _ database: some OfficeDatabase, _ items: TaskFilter.Items? = nil, answer: String? = nil,
    state: TaskState? = nil, of inspector: String? = nil
  ) async throws -> [String] {
    var filter = TaskFilter(state: state)
    filter.items = items
    filter.answer = answer.flatMap(TaskFilter.Answer.init(_:))
    return try await database.read(in: "north", ofInspector: inspector) { [filter] session in
      let names = try session.tasks.page(
        filter, TaskSorting(.name), at: Samples.now, limit: 50, offset: 0
      ).map(\.name)
      let count = try session.tasks.count(filter, at: Samples.now)
      let all = try session.tasks.identifiers(filter, TaskSorting(.name), at: Samples.now)
      #expect(names.count == count && all.count == count)
      return names
    }
  }

  @Test(
    "lists find tasks by what is missing and by an answer as soon as the transaction has committed",
    arguments: OfficeEngines.all)
  func lists(engine: OfficeEngine) async throws {
    var samples = Samples()
    let (one, two) = (samples.task("one", type: "beet"), samples.task("two", type: "beet"))
    let plain = samples.task("plain")
    let (maize, fallow) = (try #require(ItemName("maize")), try #require(ItemName("fallow")))
    try await engine.withOffice { database in
      try await database.add(tasks: [plain])
      try await begin(database, [one, two])
      #expect(try await found(database, .missing) == ["one", "two"])
      #expect(try await found(database, .done).isEmpty)
      let given = try [
        answer(samples.id(), one.id, 0, .value(.several([maize, fallow]))),
        answer(samples.id(), one.id, 1, .value(.number(2.5))),
        answer(samples.id(), two.id, 0, .notPossible(reason: "a dog")),
        answer(samples.id(), two.id, 1, .value(.number(1)), isLate: true),
      ]
      try await database.write(in: "north") { session in
        for one in given { try session.answers.insert(one) }
      }
      #expect(try await found(database, .missing) == ["two"])
      #expect(try await found(database, .notPossible) == ["two"])
      #expect(try await found(database, answer: "crop=fallow") == ["one"])
      #expect(try await found(database, answer: "crop=maize") == ["one"])
      #expect(try await found(database, answer: "high=2.5") == ["one"])
      #expect(try await found(database, answer: "high=1").isEmpty, "it came late")
      #expect(try await found(database, answer: "crop=").isEmpty, "not possible is no answer")
      #expect(try await found(database, .missing, answer: "crop=fallow").isEmpty)
      #expect(try await found(database, answer: "crop=fallow", state: .new) == ["one"])
      #expect(try await found(database, answer: "crop=fallow", state: .accepted).isEmpty)
      let progress = try await database.read(in: "north") {
        try $0.answers.progress(ofTasks: [one.id, two.id, plain.id])
      }
      #expect(
        progress == [
          one.id: KnownProgress(held: ItemProgress(answered: 2, asked: 4)),
          two.id: KnownProgress(held: ItemProgress(answered: 1, asked: 4)),
        ])
      // The device's own word stands beside it, and a later one in its place.
      for answered in [1, 3] {
        try await database.write(in: "north") {
          try $0.standings.keep(told: ItemProgress(answered: answered, asked: 4), ofTask: one.id)
        }
      }
      let told = try await database.read(in: "north") {
        try $0.answers.progress(ofTasks: [one.id])[one.id]
      }
      #expect(told?.told == ItemProgress(answered: 3, asked: 4) && told?.held.answered == 2)
      #expect(told?.counted(in: .open).answered == 3 && told?.counted(in: .returned).answered == 3)
      #expect(told?.counted(in: .dataProvided).answered == 2)
      #expect(
        try await database.read(in: "south") { try $0.answers.progress(ofTasks: [one.id]) }.isEmpty)
      // A change of mind counts at once, and the value before it does not.
      let later = try answer(samples.id(), one.id, 0, .value(.several([maize])), day: 1)
      try await database.write(in: "north") { try $0.answers.insert(later) }
      #expect(try await found(database, answer: "crop=fallow").isEmpty)
      #expect(try await found(database, answer: "crop=maize") == ["one"])
    }
  }

  @Test(
    "photos, tracks, verdicts, steps and another order change the standing, too",
    arguments: OfficeEngines.all)
  func triggers(engine: OfficeEngine) async throws {
    var samples = Samples()
    let task = samples.task("task", type: "beet")
    let photo = try samples.photo()
    let alone = try samples.photo(after: 5)
    let track = samples.track(task: task.id)
    let decision = samples.id()
    let roof = try #require(ItemName("roof"))
    let items = try OrderItems([
      OrderItem(name: roof, wording: "Roof", content: .shot(WantedShot())),
      OrderItem(name: try #require(ItemName("way")), wording: "Way", content: .track(.free)),
    ])
    try await engine.withOffice { database in
      try await begin(database, [])
      try await database.add(tasks: [task])
      func told() async throws -> [Int]? {
        try await database.read(in: "north") {
          try $0.answers.progress(ofTasks: [task.id])[task.id].map {
            [$0.held.answered, $0.held.asked]
          }
        }
      }
      #expect(try await told() == nil)
      try await database.write(in: "north") { session in
        try session.templates.insert(
          ItemTemplate(
            type: "beet", version: 2, title: nil, items: items, made: Samples.now, author: "otto"))
        try session.tasks.keep(template: ("beet", 2), ofTask: task)
      }
      #expect(try await told() == [0, 2])
      try await database.write(in: "north") { session in
        for one in [photo, alone] { try session.photos.insert(one) }
      }
      #expect(try await told() == [0, 2], "they belong to no task")
      try await database.write(in: "north") {
        try $0.photos.assign(photo.photo, to: task.id, at: Samples.now)
      }
      #expect(try await told() == [1, 2])
      try await database.write(in: "north") { try $0.tracks.insert(track) }
      #expect(try await told() == [2, 2])
      try await database.write(in: "north") { session in
        var returned = try session.tasks.task(task.id)
        let step = TaskTransition(
          id: decision, action: .returnToInspector, from: .new, to: .returned,
          person: Person(agency: "north", login: "otto", role: .officer), time: Samples.now,
          reason: "dark")
        returned.state = .returned
        try session.tasks.save(step, of: returned, revision: 1)
        try session.answers.insert(
          [ItemVerdict(item: roof, returned: "dark", judged: [photo.photo.id])], ofTask: task.id,
          decision: decision)
      }
      #expect(try await told() == [1, 2], "what was refused does not count")
      try await database.write(in: "north") {
        try $0.photos.assign(alone.photo, to: task.id, at: Samples.now)
      }
      #expect(try await told() == [2, 2])
      var given = alone.photo
      given.task = task.id
      try await database.write(in: "north") { [given] in
        try $0.photos.assign(given, to: nil, at: Samples.now)
      }
      #expect(try await told() == [1, 2])
      try await database.write(in: "north") { session in
        let before = try session.tasks.task(task.id)
        var after = before
        after.revision += 1
        try session.tasks.replaceOrder(of: before, with: after, at: Samples.now)
        try session.tasks.keep(template: nil, ofTask: after)
      }
      #expect(try await told() == nil, "the order asks for nothing any more")
    }
  }

  @Test(
    "a photo that an officer moves to another item changes the standing of both",
    arguments: OfficeEngines.all)
  func moved(engine: OfficeEngine) async throws {
    var samples = Samples()
    let task = samples.task("task", type: "beet")
    let photo = try samples.photo(task: task.id)
    let (roof, door) = (try #require(ItemName("roof")), try #require(ItemName("door")))
    let items = try OrderItems([
      OrderItem(name: roof, wording: "Roof", content: .shot(WantedShot())),
      OrderItem(
        name: door, wording: "Door", isRequired: false, content: .shot(WantedShot(least: 2))),
    ])
    try await engine.withOffice { database in
      try await begin(database, [])
      try await database.add(tasks: [task])
      try await database.write(in: "north") { session in
        try session.templates.insert(
          ItemTemplate(
            type: "beet", version: 2, title: nil, items: items, made: Samples.now, author: "otto"))
        try session.tasks.keep(template: ("beet", 2), ofTask: task)
      }
      try await database.add(photos: [photo])
      #expect(try await found(database, .missing).isEmpty)
      for (target, missing) in [(door, ["task"]), (roof, []), (nil, [])] as [(ItemName?, [String])]
      {
        try await database.write(in: "north") {
          try $0.photos.move(photo.photo.id, toItem: target)
        }
        #expect(try await found(database, .missing) == missing)
      }
    }
  }

  @Test(
    "more tasks than one transaction judges are all judged when the write returns",
    arguments: OfficeEngines.all)
  func many(engine: OfficeEngine) async throws {
    var samples = Samples()
    let tasks = (1...1100).map { samples.task("task \($0)", type: "beet") }
    try await engine.withOffice { database in
      try await begin(database, tasks)
      var filter = TaskFilter()
      filter.items = .missing
      let count = try await database.read(in: "north") { [filter] in
        try $0.tasks.count(filter, at: Samples.now)
      }
      #expect(count == tasks.count)
    }
  }

  @Test(
    "answers are counted by value, inspector and week, of one agency", arguments: OfficeEngines.all)
  func counts(engine: OfficeEngine) async throws {
    var samples = Samples()
    let (one, two) = (
      samples.task("one", of: "ines", type: "beet"), samples.task("two", of: "ivan", type: "beet")
    )
    let (maize, fallow) = (try #require(ItemName("maize")), try #require(ItemName("fallow")))
    let crop = try #require(ItemName("crop"))
    try await engine.withOffice { database in
      try await begin(database, [one, two])
      let given = try [
        answer(samples.id(), one.id, 0, .value(.several([maize, fallow]))),
        answer(samples.id(), one.id, 2, .value(.text("wet"))),
        answer(samples.id(), two.id, 0, .value(.several([maize])), day: 14, by: "ivan"),
        answer(samples.id(), two.id, 1, .notPossible(reason: "a dog"), by: "ivan"),
      ]
      try await database.write(in: "north") { session in
        for one in given { try session.answers.insert(one) }
      }
      let all = try await database.read(in: "north") { try $0.standings.counts(ofType: "beet") }
      #expect(
        all.map { "\($0.item) \($0.kind) \($0.value) \($0.tasks)" } == [
          "crop value fallow 1", "crop value maize 2", "high notPossible  1", "words words  1",
        ])
      let byInspector = try await database.read(in: "north") {
        try $0.standings.counts(ofType: "beet", item: crop, by: .inspector)
      }
      #expect(
        byInspector.map { "\($0.group) \($0.value) \($0.tasks)" } == [
          "ines fallow 1", "ines maize 1", "ivan maize 1",
        ])
      let byWeek = try await database.read(in: "north") {
        try $0.standings.counts(ofType: "beet", item: crop, by: .week)
      }
      #expect(byWeek.map(\.tasks) == [1, 1, 1])
      #expect(byWeek.first?.group == byWeek.dropFirst().first?.group)
      let days = try byWeek.map { try #require(CivilDate(iso8601: $0.group)).daysSince1970 }
      // 1970-01-05 was a Monday.
      #expect(days.allSatisfy { ($0 - 4) % 7 == 0 } && days[2] - days[0] == 14)
      let none = try await database.read(in: "south") { try $0.standings.counts(ofType: "beet") }
      #expect(none.isEmpty)
      #expect(try await found(database, answer: "crop=maize", of: "ines") == ["one"])
      #expect(try await found(database, .missing, of: "ivan").isEmpty)
      let own = try await database.read(in: "north", ofInspector: "ines") {
        try $0.answers.progress(ofTasks: [one.id, two.id])
      }
      #expect(Set(own.keys) == [one.id])
      let states = try await database.read(in: "north") { try $0.standings.states(ofType: "beet") }
      #expect(states == [.new: 2])
    }
  }
}
