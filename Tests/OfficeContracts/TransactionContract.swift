import Evidence
import Inspection
import Office
import Positioning
import Store
import Sync
import Synchronization
import Testing
import TimeAndText

/// The steps of several tasks, in the order in which they were made.
private final class Steps: Sendable {
  private let list = Mutex<[String]>([])
  var all: [String] { list.withLock { $0 } }
  func add(_ step: String) { list.withLock { $0.append(step) } }
}

@Suite("The contract of the office's database: its transactions", .timeLimit(.minutes(2)))
struct TransactionContract {
  private struct Stopped: Error {}

  private func storedBytes(
    _ database: any OfficeDatabase, in agency: String = "north"
  ) async throws -> Int {
    try await database.read(in: agency) { try $0.deliveries.storage().storedBytes }
  }

  @Test(
    "a transaction is its agency's, and what is inserted belongs to that agency",
    arguments: OfficeEngines.all)
  func agency(engine: OfficeEngine) async throws {
    var samples = Samples()
    var task = samples.task()
    task.agency = "south"
    let inserted = task
    try await engine.withOffice { database in
      try await database.write(in: "north") { session in
        #expect(session.agency == "north")
        try session.tasks.insert(inserted)
      }
      #expect(
        try await database.read(in: "north") { try $0.tasks.task(inserted.id).agency } == "north")
      #expect(
        try await database.read(in: "south") { try $0.tasks.count(TaskFilter(), at: Samples.now) }
          == 0)
      let reader = try await database.read(in: "north", ofInspector: "ines") { $0.agency }
      #expect(reader == "north")
    }
  }

  @Test("an agency that is not there has no rows", arguments: OfficeEngines.all)
  func nowhere(engine: OfficeEngine) async throws {
    var samples = Samples()
    let task = samples.task()
    try await engine.withOffice { database in
      try await database.add(tasks: [task])
      #expect(try await storedBytes(database, in: "nowhere") == 0)
      let found = try await database.read(in: "nowhere") {
        try $0.tasks.identifiers(TaskFilter(), TaskSorting(), at: Samples.now)
      }
      #expect(found.isEmpty)
    }
  }

  @Test(
    "a write gives back what its body gives, and throws what its body throws",
    arguments: OfficeEngines.all)
  func results(engine: OfficeEngine) async throws {
    try await engine.withOffice { database in
      let total = try await database.write(in: "north") { session in
        try session.deliveries.addStored(bytes: 12)
        return try session.deliveries.storage().storedBytes
      }
      #expect(total == 12)
      await #expect(throws: Stopped.self) {
        try await database.write(in: "north") { _ in throw Stopped() }
      }
      await #expect(throws: Stopped.self) {
        try await database.read(in: "north") { _ in throw Stopped() }
      }
      await #expect(throws: Stopped.self) {
        try await database.readRegistry { _ in throw Stopped() }
      }
    }
  }

  @Test(
    "a body that throws leaves nothing behind, in no kind of record", arguments: OfficeEngines.all)
  func undone(engine: OfficeEngine) async throws {
    var samples = Samples()
    let task = samples.task(parcel: try Samples.parcel("P-1"))
    let photo = try samples.photo(task: task.id)
    let track = samples.track(task: task.id)
    try await engine.withOffice { database in
      await #expect(throws: Stopped.self) {
        try await database.write(in: "north") { session in
          try session.tasks.insert(task)
          try session.photos.insert(photo)
          try session.tracks.insert(track)
          try session.deliveries.addStored(bytes: 100)
          try session.log.add(
            LogEntry(agency: "north", time: Samples.now, person: "otto", action: "a", subject: "s"))
          throw Stopped()
        }
      }
      try await database.read(in: "north") { session throws -> Void in
        #expect(try session.tasks.count(TaskFilter(), at: Samples.now) == 0)
        #expect(try session.photos.list(.all).isEmpty)
        #expect(try session.tracks.identifiers(.all).isEmpty)
        #expect(try session.deliveries.storage().storedBytes == 0)
        #expect(try session.log.newest(limit: 9).isEmpty)
        #expect(try session.map.things(in: try Samples.world(), level: 5) == 0)
        #expect(try session.tasks.inspectorTallies(at: Samples.now).isEmpty)
      }
      // The same things can be added afterwards.
      try await database.add(tasks: [task], photos: [photo], tracks: [track])
      #expect(
        try await database.read(in: "north") { try $0.photos.list(.task(task.id)) } == [photo])
    }
  }

  @Test("a registry's body that throws leaves nothing behind", arguments: OfficeEngines.all)
  func undoneRegistry(engine: OfficeEngine) async throws {
    try await engine.withOffice { database in
      await #expect(throws: Stopped.self) {
        try await database.writeRegistry { registry in
          try registry.insert(Agency(name: "east", title: "East", created: Samples.now))
          try registry.setTitle("Other", ofAgency: "north")
          throw Stopped()
        }
      }
      let titles = try await database.readRegistry { try $0.agencies().map(\.title) }
      #expect(titles == ["north", "south"])
    }
  }

  @Test("what a write has done, every read after it sees", arguments: OfficeEngines.all)
  func readYourWrites(engine: OfficeEngine) async throws {
    try await engine.withOffice { database in
      for number in 1...20 {
        try await database.write(in: "north") { try $0.deliveries.addStored(bytes: 1) }
        #expect(try await storedBytes(database) == number)
      }
    }
  }

  @Test(
    "a read that began before a write sees none of it, and one that begins after it sees all",
    arguments: OfficeEngines.all)
  func unchangingRead(engine: OfficeEngine) async throws {
    var samples = Samples()
    let task = samples.task()
    try await engine.withOffice { database in
      try await whileHeld { hold in
        try await database.read(in: "north") { session in
          #expect(try session.deliveries.storage().storedBytes == 0)
          try hold()
          #expect(try session.deliveries.storage().storedBytes == 0)
          #expect(try session.tasks.count(TaskFilter(), at: Samples.now) == 0)
        }
      } body: {
        try await database.write(in: "north") { session in
          try session.deliveries.addStored(bytes: 5)
          try session.tasks.insert(task)
        }
        #expect(try await storedBytes(database) == 5)
      }
      #expect(
        try await database.read(in: "north") { try $0.tasks.count(TaskFilter(), at: Samples.now) }
          == 1)
    }
  }

  @Test(
    "a write that is not over holds up no reader, and no reader sees any of it",
    arguments: OfficeEngines.all)
  func readersBesideAWriter(engine: OfficeEngine) async throws {
    var samples = Samples()
    let (before, during) = (samples.task(), samples.task())
    try await engine.withOffice { database in
      try await database.add(tasks: [before])
      try await whileHeld { hold in
        try await database.write(in: "north") { session in
          try session.tasks.insert(during)
          try hold()
        }
      } body: {
        // These are more readers than an engine may have threads.
        try await withThrowingTaskGroup(of: [Identifier].self) { group in
          for number in 0..<24 {
            group.addTask {
              try await database.read(in: "north", ofInspector: number % 2 == 0 ? "ines" : nil) {
                try $0.tasks.identifiers(TaskFilter(), TaskSorting(), at: Samples.now)
              }
            }
          }
          for try await found in group { #expect(found == [before.id]) }
        }
        #expect(try await database.read(in: "north") { try $0.tasks.types() } == [])
        #expect(try await database.readRegistry { try $0.agencies().count } == 2)
      }
      let found = try await database.read(in: "north") {
        Set(try $0.tasks.identifiers(TaskFilter(), TaskSorting(), at: Samples.now))
      }
      #expect(found == [before.id, during.id])
    }
  }

  @Test("a write that was undone was never seen", arguments: OfficeEngines.all)
  func undoneBesideReaders(engine: OfficeEngine) async throws {
    try await engine.withOffice { database in
      let held = try await HeldTransaction { hold in
        try await database.write(in: "north") { session in
          try session.deliveries.addStored(bytes: 7)
          try hold()
          throw Stopped()
        }
      }
      let seen = try await storedBytes(database)
      let result = await held.end()
      #expect(throws: Stopped.self) { try result.get() }
      #expect(seen == 0)
      #expect(try await storedBytes(database) == 0)
    }
  }

  @Test("one write begins when the one before it is over", arguments: OfficeEngines.all)
  func oneAfterTheOther(engine: OfficeEngine) async throws {
    try await engine.withOffice { database in
      let steps = Steps()
      let held = try await HeldTransaction { hold in
        try await database.write(in: "north") { _ in
          steps.add("first begins")
          try hold()
          steps.add("first ends")
        }
      }
      try await withThrowingTaskGroup(of: Void.self) { group in
        for (number, agency) in ["north", "south"].enumerated() {
          group.addTask {
            try await database.write(in: agency) { _ in
              steps.add("later \(number)")
            }
          }
        }
        group.addTask {
          try await database.writeRegistry { _ in steps.add("later 2") }
        }
        // The writers that wait hold up no reader either.
        _ = try await storedBytes(database)
        try await held.end().get()
        try await group.waitForAll()
      }
      let order = steps.all
      #expect(order.prefix(2) == ["first begins", "first ends"])
      #expect(order.dropFirst(2).sorted() == ["later 0", "later 1", "later 2"])
    }
  }

  @Test(
    "of concurrent increments none is lost, in two agencies at once", arguments: OfficeEngines.all)
  func increments(engine: OfficeEngine) async throws {
    try await engine.withOffice { database in
      try await withThrowingTaskGroup(of: Void.self) { group in
        for number in 0..<60 {
          let agency = number % 3 == 0 ? "south" : "north"
          group.addTask {
            try await database.write(in: agency) { try $0.deliveries.addStored(bytes: 10) }
          }
        }
        try await group.waitForAll()
      }
      #expect(try await storedBytes(database) == 400)
      #expect(try await storedBytes(database, in: "south") == 200)
    }
  }

  @Test(
    "what a write reads cannot change before it writes: concurrent draws are all different",
    arguments: OfficeEngines.all)
  func draws(engine: OfficeEngine) async throws {
    try await engine.withOffice { database in
      let drawn = try await withThrowingTaskGroup(of: Int.self) { group in
        for _ in 0..<40 {
          group.addTask {
            try await database.write(in: "north") { session in
              let last = try session.deliveries.storage().quotaBytes ?? 0
              try session.deliveries.setQuota(bytes: last + 1)
              return last
            }
          }
        }
        return try await group.reduce(into: [Int]()) { $0.append($1) }
      }
      #expect(drawn.sorted() == Array(0..<40))
    }
  }
}
