import Evidence
import Inspection
import Office
import Positioning
import Store
import Sync
import Testing
import TimeAndText

@Suite("The contract of the log", .timeLimit(.minutes(2)))
struct LogContract {
  private struct Stopped: Error {}

  private func entry(
    _ action: String, in agency: String? = "north", by person: String = "otto",
    detail: String? = nil
  ) -> LogEntry {
    LogEntry(
      agency: agency, time: Samples.now, person: person, action: action, subject: "Task-\(action)",
      detail: detail)
  }

  private func add(_ entries: [LogEntry], _ database: any OfficeDatabase) async throws {
    for entry in entries {
      try await database.write(in: entry.agency ?? "") { try $0.log.add(entry) }
    }
  }

  @Test(
    "an agency's entries are told the newest first, whatever other agencies do in between",
    arguments: OfficeEngines.all)
  func newest(engine: OfficeEngine) async throws {
    let (north, south) = (
      (0..<5).map { entry("n\($0)", detail: $0 == 2 ? "two" : nil) },
      (0..<5).map { entry("s\($0)", in: "south") }
    )
    try await engine.withOffice { database in
      #expect(try await database.read(in: "north") { try $0.log.newest(limit: 9) }.isEmpty)
      for (one, other) in zip(north, south) { try await add([one, other], database) }
      try await database.writeRegistry { try $0.log(entry("office", in: nil)) }
      try await database.read(in: "north") { session throws -> Void in
        #expect(try session.log.newest(limit: 9) == Array(north.reversed()))
        #expect(try session.log.newest(limit: 2) == [north[4], north[3]])
      }
      let southern = try await database.read(in: "south") { try $0.log.newest(limit: 9) }
      #expect(southern == Array(south.reversed()))
    }
  }

  @Test(
    "pages before a number neither skip nor repeat an entry while others are added",
    arguments: OfficeEngines.all)
  func pages(engine: OfficeEngine) async throws {
    let entries = (0..<7).map { entry("a\($0)") }
    try await engine.withOffice { database in
      try await add(entries, database)
      var told: [LogEntry] = []
      var numbers: [Int64] = []
      var before: Int64?
      repeat {
        let number = before
        let page = try await database.read(in: "north") {
          try $0.log.page(before: number, containing: nil, limit: 3)
        }
        told += page.map(\.entry)
        numbers += page.map(\.number)
        before = page.last?.number
        try await add([entry("later"), entry("foreign", in: "south")], database)
      } while before != nil && told.count < 99
      #expect(told == Array(entries.reversed()))
      #expect(numbers == numbers.sorted(by: >) && Set(numbers).count == 7)
    }
  }

  @Test(
    "words are found in person, action, subject and detail, in capitals or not",
    arguments: OfficeEngines.all)
  func words(engine: OfficeEngine) async throws {
    let entries = [
      entry("task-ordered", detail: "Ditch 100%"), entry("signed-in", by: "ines"),
      entry("task-decided", detail: "a_b"), entry("photo-hidden"),
    ]
    let southern = entry("task-ordered", in: "south")
    try await engine.withOffice { database in
      try await add(entries + [southern], database)
      try await database.read(in: "north") { session in
        let searches: [(String, [Int])] = [
          ("TASK-", [3, 2, 1, 0]), ("task-ordered", [0]), ("ines", [1]), ("ditch 1", [0]),
          ("%", [0]), ("_", [2]), ("Task-photo", [3]), ("never", []),
        ]
        for (words, expected) in searches {
          let page = try session.log.page(before: nil, containing: words, limit: 9)
          #expect(page.map(\.entry) == expected.map { entries[$0] }, "\(words)")
        }
        let first = try session.log.page(before: nil, containing: "task-", limit: 2)
        let rest = try session.log.page(
          before: first.last?.number, containing: "task-", limit: 9)
        #expect(rest.map(\.entry) == [entries[1], entries[0]])
      }
    }
  }

  @Test(
    "the office's log holds every agency's entries in one unbroken order, without those undone",
    arguments: OfficeEngines.all)
  func whole(engine: OfficeEngine) async throws {
    let entries = [entry("a"), entry("b", in: "south"), entry("c", in: nil), entry("d")]
    try await engine.withOffice { database in
      #expect(try await database.readRegistry { try $0.brokenLogPlace() } == nil)
      for entry in entries {
        guard let agency = entry.agency else {
          try await database.writeRegistry { try $0.log(entry) }
          continue
        }
        await #expect(throws: Stopped.self) {
          try await database.write(in: agency) { session in
            try session.log.add(entry)
            throw Stopped()
          }
        }
        try await database.write(in: agency) { try $0.log.add(entry) }
      }
      try await withThrowingTaskGroup(of: Void.self) { group in
        for number in 0..<20 {
          group.addTask {
            try await database.write(in: "north") { try $0.log.add(entry("more \(number)")) }
          }
        }
        try await group.waitForAll()
      }
      let told = try await database.readRegistry { registry in
        var told: [LogEntry] = []
        try registry.forEachLogEntry { told.append($0) }
        #expect(try registry.brokenLogPlace() == nil)
        return told
      }
      #expect(Array(told.prefix(4)) == entries)
      #expect(Set(told.dropFirst(4).map(\.action)) == Set((0..<20).map { "more \($0)" }))
      #expect(told.count == 24)
    }
  }
}
