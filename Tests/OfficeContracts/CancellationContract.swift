import Inspection
import Office
import Positioning
import Store
import Sync
import Testing
import TimeAndText

@Suite("The contract of the office's database: tasks that are cancelled", .timeLimit(.minutes(2)))
struct CancellationContract {
  /// Runs work in a task that is cancelled before the work begins.
  private func cancelled<Value: Sendable>(
    _ work: @escaping @Sendable () async throws -> Value
  ) async -> Result<Value, any Error> {
    let (steps, step) = AsyncStream<Bool>.makeStream()
    let task = Task.detached {
      // The loop ends as soon as the task is cancelled.
      for await _ in steps {}
      return try await work()
    }
    task.cancel()
    let result = await task.result
    step.finish()
    return result
  }

  /// Checks that a write of two steps was made wholly or not at all, as its result says.
  private func expectWhole(
    _ result: Result<Void, any Error>, bytes: Int, _ database: any OfficeDatabase
  ) async throws {
    let stored = try await database.read(in: "north") { try $0.deliveries.storage().storedBytes }
    switch result {
    case .success: #expect(stored == bytes)
    case .failure(let error):
      #expect(error is CancellationError)
      #expect(stored == 0)
    }
    // A later write works: the cancelled one blocks nothing.
    try await database.write(in: "north") { try $0.deliveries.addStored(bytes: 1000) }
    let later = try await database.read(in: "north") { try $0.deliveries.storage().storedBytes }
    #expect(later == stored + 1000)
  }

  @Test(
    "a write that is cancelled in its middle is made wholly or not at all",
    arguments: OfficeEngines.all)
  func write(engine: OfficeEngine) async throws {
    try await engine.withOffice { database in
      let held = try await HeldTransaction { hold in
        try await database.write(in: "north") { session in
          try session.deliveries.addStored(bytes: 1)
          try hold()
          try session.deliveries.addStored(bytes: 2)
        }
      }
      held.cancel()
      try await expectWhole(await held.end(), bytes: 3, database)
    }
  }

  @Test(
    "a registry's write that is cancelled in its middle is made wholly or not at all",
    arguments: OfficeEngines.all)
  func registry(engine: OfficeEngine) async throws {
    try await engine.withOffice { database in
      let held = try await HeldTransaction { hold in
        try await database.writeRegistry { registry in
          try registry.insert(Agency(name: "east", title: "east", created: Samples.now))
          try hold()
          try registry.insert(Agency(name: "west", title: "west", created: Samples.now))
        }
      }
      held.cancel()
      let result = await held.end()
      let names = try await database.readRegistry { try $0.agencies().map(\.name) }
      switch result {
      case .success: #expect(names == ["east", "north", "south", "west"])
      case .failure(let error):
        #expect(error is CancellationError)
        #expect(names == ["north", "south"])
      }
    }
  }

  @Test(
    "a write that is cancelled while it waits for another is made wholly or not at all",
    arguments: OfficeEngines.all)
  func waitingWrite(engine: OfficeEngine) async throws {
    try await engine.withOffice { database in
      let held = try await HeldTransaction { hold in
        try await database.write(in: "south") { _ in try hold() }
      }
      let waiting = Task.detached {
        try await database.write(in: "north") { session in
          try session.deliveries.addStored(bytes: 1)
          try session.deliveries.addStored(bytes: 2)
        }
      }
      waiting.cancel()
      try await held.end().get()
      try await expectWhole(await waiting.result, bytes: 3, database)
    }
  }

  @Test(
    "a read that is cancelled in its middle throws, or says what it found",
    arguments: OfficeEngines.all)
  func read(engine: OfficeEngine) async throws {
    var samples = Samples()
    let tasks = [samples.task(), samples.task()]
    try await engine.withOffice { database in
      try await database.add(tasks: tasks)
      let held = try await HeldTransaction { hold in
        let counts = try await database.read(in: "north") { session in
          let first = try session.tasks.count(TaskFilter(), at: Samples.now)
          try hold()
          return [first, try session.tasks.count(TaskFilter(), at: Samples.now)]
        }
        #expect(counts == [2, 2])
      }
      held.cancel()
      if case .failure(let error) = await held.end() { #expect(error is CancellationError) }
      let count = try await database.read(in: "north") {
        try $0.tasks.count(TaskFilter(), at: Samples.now)
      }
      #expect(count == 2)
    }
  }

  @Test(
    "tasks that were cancelled before they ask leave the database as it was, or their work whole",
    arguments: OfficeEngines.all)
  func before(engine: OfficeEngine) async throws {
    try await engine.withOffice { database in
      for _ in 0..<10 {
        let written = await cancelled {
          try await database.write(in: "north") { session in
            try session.deliveries.addStored(bytes: 1)
            try session.deliveries.setQuota(bytes: try session.deliveries.storage().storedBytes)
          }
        }
        if case .failure(let error) = written { #expect(error is CancellationError) }
        let storage = try await database.read(in: "north") { try $0.deliveries.storage() }
        #expect(storage.quotaBytes ?? 0 == storage.storedBytes)
        let read = await cancelled { try await database.readRegistry { try $0.agencies().count } }
        switch read {
        case .success(let count): #expect(count == 2)
        case .failure(let error): #expect(error is CancellationError)
        }
      }
      #expect(try await database.readRegistry { try $0.agencies().count } == 2)
    }
  }
}
