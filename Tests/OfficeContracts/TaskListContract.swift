import Evidence
import Geodesy
import Inspection
import Office
import Positioning
import Store
import Sync
import Testing
import TimeAndText

@Suite("The contract of tasks: lists, filters and places in them", .timeLimit(.minutes(2)))
struct TaskListContract {
  private let now = Samples.now

  /// Makes tasks of which many are alike in each order.
  private func alike() -> [InspectionTask] {
    var samples = Samples(seed: 7)
    let names = ["alder", "Alder", "beech", "Cedar"]
    let states: [TaskState] = [.new, .dataProvided, .open, .accepted]
    return (0..<24).map { number in
      samples.task(
        names[number % 4], of: number % 3 == 0 ? "ivan" : "ines",
        type: number % 2 == 0 ? "beet" : nil, state: states[number / 2 % 4],
        after: Double(number % 5),
        due: [nil, Samples.time(100), Samples.time(200)][number % 3])
    }
  }

  /// Reads a list to its end, page by page, each from the place where the one before it ended.
  private func walk(
    _ database: any OfficeDatabase, _ filter: TaskFilter, _ order: TaskSorting, limit: Int
  ) async throws -> [[Identifier]] {
    var pages: [[Identifier]] = []
    var place: ListPlace?
    repeat {
      let start = place
      let page = try await database.read(in: "north") {
        try $0.tasks.page(filter, order, at: now, after: start, limit: limit)
      }
      pages.append(page.tasks.map(\.id))
      place = page.next
    } while place != nil && pages.count < 100
    return pages
  }

  @Test(
    "each order is total: tasks that are alike follow by identifier, in every way to read the list",
    arguments: OfficeEngines.all, TaskSorting.Column.allCases)
  func orders(engine: OfficeEngine, column: TaskSorting.Column) async throws {
    let tasks = alike()
    try await engine.withOffice { database in
      try await database.add(tasks: tasks)
      for order in [TaskSorting(column), TaskSorting(column, isDescending: true)] {
        for filter in [
          TaskFilter(), TaskFilter(state: .dataProvided), TaskFilter(inspector: "ines"),
          TaskFilter(state: .open, inspector: "ivan"), TaskFilter(type: "beet"),
          TaskFilter(text: "ALDER"),
        ] {
          let expected = tasks.filter { filter.letsThrough($0) }
            .sorted { order.isOrdered($0, $1) }.map(\.id)
          try #require(!expected.isEmpty)
          let (all, pages) = try await database.read(in: "north") { session in
            (
              try session.tasks.identifiers(filter, order, at: now),
              try stride(from: 0, through: 24, by: 7).flatMap {
                try session.tasks.page(filter, order, at: now, limit: 7, offset: $0).map(\.id)
              }
            )
          }
          #expect(all == expected, "\(order) \(filter)")
          #expect(pages == expected, "\(order) \(filter)")
          let walked = try await walk(database, filter, order, limit: 5)
          #expect(walked.flatMap(\.self) == expected, "\(order) \(filter)")
        }
      }
    }
  }

  @Test("a list that fills its last page has no further one", arguments: OfficeEngines.all)
  func lastPage(engine: OfficeEngine) async throws {
    try await engine.withOffice { database in
      let none = try await walk(database, TaskFilter(), TaskSorting(), limit: 8)
      #expect(none == [[]])
      try await database.add(tasks: alike())
      let pages = try await walk(database, TaskFilter(), TaskSorting(), limit: 8)
      #expect(pages.map(\.count) == [8, 8, 8])
    }
  }

  @Test(
    "pages behind a place neither skip nor repeat a task while others are ordered",
    arguments: OfficeEngines.all)
  func arrivals(engine: OfficeEngine) async throws {
    var samples = Samples()
    let order = TaskSorting(.created)
    let tasks = (1...9).map { samples.task("\($0)", after: Double($0) * 10) }
    let later = [5.0, 35, 95].map { samples.task("at \(Int($0))", after: $0) }
    try await engine.withOffice { database in
      try await database.add(tasks: tasks)
      let first = try await database.read(in: "north") {
        try $0.tasks.page(TaskFilter(), order, at: now, after: nil, limit: 3)
      }
      #expect(first.tasks.map(\.name) == ["1", "2", "3"])
      try await database.add(tasks: later)
      let second = try await database.read(in: "north") {
        try $0.tasks.page(TaskFilter(), order, at: now, after: first.next, limit: 4)
      }
      #expect(second.tasks.map(\.name) == ["at 35", "4", "5", "6"])
      // The task behind which the next page begins leaves the list.
      var last = try #require(second.tasks.last)
      let step = try last.perform(
        .open, by: Person(agency: "north", login: "ines", role: .inspector), id: samples.id(),
        at: now, contents: TaskContents(photos: 0))
      let moved = last
      try await database.write(in: "north") { try $0.tasks.save(step, of: moved, revision: 1) }
      let third = try await database.read(in: "north") {
        try $0.tasks.page(TaskFilter(state: .new), order, at: now, after: second.next, limit: 9)
      }
      #expect(third.tasks.map(\.name) == ["7", "8", "9", "at 95"])
      #expect(third.next == nil)
    }
  }

  @Test(
    "each filter lets through what it says, and count, list and page agree",
    arguments: OfficeEngines.all)
  func filters(engine: OfficeEngine) async throws {
    let day = 86_400.0
    var samples = Samples()
    var meadow = samples.task(
      "North meadow", type: "beet", due: Samples.time(-day), parcel: try Samples.parcel("P-7"))
    meadow.instructions = "Look at the ditch"
    let field = samples.task(
      "South meadow", of: "ivan", type: "rye", state: .open, due: Samples.time(3 * day))
    let hill = samples.task("Hill", type: "beet", state: .dataProvided, due: Samples.time(-day))
    let pond = samples.task("Pond", state: .returned, parcel: try Samples.parcel("P-8", at: 10, 20))
    let wood = samples.task("Wood", of: "ivan", state: .accepted, due: Samples.time(30 * day))
    let photos = [
      try samples.photo(task: meadow.id),
      try samples.photo(of: "ivan", task: field.id, verdict: nil, at: (10.001, 20)),
      try samples.photo(task: hill.id, verdict: .altered, at: (-30, 100)),
      try samples.photo(task: pond.id, deletedReason: "blurred"),
    ]
    let tasks = [meadow, field, hill, pond, wood]
    let expected: [(TaskFilter, Set<String>)] = [
      (TaskFilter(), ["North meadow", "South meadow", "Hill", "Pond", "Wood"]),
      (TaskFilter(text: "MEADOW"), ["North meadow", "South meadow"]),
      (TaskFilter(text: "ditch"), ["North meadow"]), (TaskFilter(text: "p-7"), ["North meadow"]),
      (TaskFilter(text: "REF-1"), ["Pond"]), (TaskFilter(text: "REF"), []),
      (TaskFilter(text: "%"), []), (TaskFilter(text: "_"), []),
      (TaskFilter(state: .new), ["North meadow"]),
      (TaskFilter(inspector: "ivan"), ["South meadow", "Wood"]),
      (TaskFilter(type: "beet"), ["North meadow", "Hill"]),
      (TaskFilter(parcel: "P-7"), ["North meadow"]), (TaskFilter(parcel: "P-"), []),
      (TaskFilter(due: .overdue), ["North meadow"]),
      (TaskFilter(due: .week), ["North meadow", "South meadow"]),
      (TaskFilter(due: .undated), ["Pond"]), (TaskFilter(photos: .contradicted), ["Hill"]),
      (TaskFilter(photos: .unchecked), ["South meadow"]),
      (TaskFilter(photos: .clean), ["North meadow"]),
      (TaskFilter(photos: .missing), ["Pond", "Wood"]),
      (TaskFilter(area: try Samples.box(16, 49, 17, 50)), ["North meadow"]),
      (TaskFilter(area: try Samples.box(19.9, 9.9, 20.1, 10.1)), ["South meadow", "Pond"]),
      (TaskFilter(state: .new, inspector: "ines", type: "beet", due: .week), ["North meadow"]),
      (TaskFilter(state: .open, inspector: "ines"), []),
    ]
    try await engine.withOffice { database in
      try await database.add(tasks: tasks, photos: photos)
      // The office puts the word `reference` in front of a system's own reference.
      try await database.write(in: "north") {
        try $0.tasks.keep(reference: "reference\nREF-1", ofTask: pond.id)
      }
      let names = Dictionary(uniqueKeysWithValues: tasks.map { ($0.id, $0.name) })
      try await database.read(in: "north") { session in
        for (filter, wanted) in expected {
          let page = try session.tasks.page(filter, TaskSorting(), at: now, limit: 9, offset: 0)
          let all = try session.tasks.identifiers(filter, TaskSorting(), at: now)
          #expect(Set(page.map(\.name)) == wanted && page.count == wanted.count, "\(filter)")
          #expect(Set(all.compactMap { names[$0] }) == wanted, "\(filter)")
          #expect(all == page.map(\.id), "\(filter)")
          #expect(try session.tasks.count(filter, at: now) == wanted.count, "\(filter)")
        }
      }
    }
  }

  @Test(
    "the neighbours of a task are those beside it in the list, whether the list has it or not",
    arguments: OfficeEngines.all)
  func neighbours(engine: OfficeEngine) async throws {
    let tasks = alike()
    try await engine.withOffice { database in
      try await database.add(tasks: tasks)
      for column in TaskSorting.Column.allCases {
        for (filter, isDescending) in [
          (TaskFilter(), false), (TaskFilter(inspector: "ines"), true),
          (TaskFilter(state: .dataProvided), false),
        ] {
          let order = TaskSorting(column, isDescending: isDescending)
          let list = tasks.filter { filter.letsThrough($0) }.sorted { order.isOrdered($0, $1) }
          try await database.read(in: "north") { session in
            for task in tasks {
              let found = try session.tasks.neighbours(of: task.id, filter, order, at: now)
              let before = list.last { order.isOrdered($0, task) }
              let behind = list.first { order.isOrdered(task, $0) }
              #expect(found.previous == before?.id, "\(order) \(filter)")
              #expect(found.next == behind?.id, "\(order) \(filter)")
            }
          }
        }
      }
    }
  }

  @Test(
    "the types of an agency's tasks are told once each by name, at most 100",
    arguments: OfficeEngines.all)
  func types(engine: OfficeEngine) async throws {
    var samples = Samples()
    let few = [
      samples.task(type: "rye"), samples.task(type: "beet"), samples.task(),
      samples.task(type: "beet"),
    ]
    let many = (0..<120).map { samples.task(of: "sara", type: "type \(1000 + $0)") }
    try await engine.withOffice { database in
      try await database.add(tasks: few)
      try await database.add(tasks: many, in: "south")
      #expect(try await database.read(in: "north") { try $0.tasks.types() } == ["beet", "rye"])
      let southern = try await database.read(in: "south") { try $0.tasks.types() }
      #expect(southern == (0..<100).map { "type \(1000 + $0)" })
    }
  }

  @Test(
    "undecided tasks are an inspector's own, the newest first, as many as asked for",
    arguments: OfficeEngines.all)
  func undecided(engine: OfficeEngine) async throws {
    var samples = Samples()
    let tasks = TaskState.allCases.enumerated().map { number, state in
      samples.task("\(state)", state: state, after: Double(number))
    }
    let twins = [samples.task("twin", after: 50), samples.task("twin", after: 50)]
    let other = samples.task(of: "ivan", after: 99)
    try await engine.withOffice { database in
      try await database.add(tasks: tasks + twins + [other])
      let open = tasks.filter { !$0.state.isDecided }
      let expected = twins.map(\.id).sorted() + open.reversed().map(\.id)
      try await database.read(in: "north") { session in
        let all = try session.tasks.undecidedTasks(ofInspector: "ines", limit: 99)
        #expect(all.map(\.id) == expected)
        let some = try session.tasks.undecidedTasks(ofInspector: "ines", limit: 3)
        #expect(some.map(\.id) == Array(expected.prefix(3)))
        #expect(try session.tasks.undecidedTasks(ofInspector: "nobody", limit: 9).isEmpty)
      }
    }
  }
}

extension TaskFilter {
  /// Returns true if a task meets the conditions on name, state, inspector and type.
  fileprivate func letsThrough(_ task: InspectionTask) -> Bool {
    (text.map { task.name.lowercased().contains($0.lowercased()) } ?? true)
      && (state.map { task.state == $0 } ?? true)
      && (inspector.map { task.inspector == $0 } ?? true)
      && (type.map { task.type == $0 } ?? true)
  }
}

extension TaskSorting {
  /// Returns true if one task comes before another one.
  fileprivate func isOrdered(_ one: InspectionTask, _ other: InspectionTask) -> Bool {
    let up = !isDescending
    func by<Key: Comparable>(_ key: (InspectionTask) -> Key, isAscending: Bool) -> Bool? {
      let (left, right) = (key(one), key(other))
      return left == right ? nil : (left < right) == isAscending
    }
    let newest: (InspectionTask) -> DeviceTime = { $0.created }
    let keys: [Bool?]
    switch column {
    case .review:
      keys = [
        by({ $0.state == .dataProvided ? 0 : 1 }, isAscending: up), by(newest, isAscending: !up),
      ]
    case .name: keys = [by({ $0.name.lowercased() }, isAscending: up)]
    case .inspector: keys = [by({ $0.inspector }, isAscending: up), by(newest, isAscending: !up)]
    case .due:
      // Tasks without a date are the last in both directions.
      keys = [
        by({ $0.due == nil ? 1 : 0 }, isAscending: true),
        by({ $0.due?.millisecondsSince1970 ?? 0 }, isAscending: up),
      ]
    case .created: keys = [by(newest, isAscending: up)]
    }
    return keys.compactMap(\.self).first ?? by({ $0.id }, isAscending: up) ?? false
  }
}
