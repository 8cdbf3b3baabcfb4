import Foundation
import Inspection
import Office
import Positioning
import Store
import Sync
import TestSupport
import Testing
import TimeAndText

@Suite("The contract of the office's database: what waits for no writer", .timeLimit(.minutes(2)))
struct ReadinessContract {
  private let first = Samples.time(3600)
  private let later = Samples.time(7200)

  private func beginSession(_ database: any OfficeDatabase) async throws {
    try await database.writeRegistry { registry in
      try registry.insertSession(
        digest: "token", account: Samples.people[0], key: nil, at: Samples.now, expires: first)
    }
  }

  private func expires(_ database: any OfficeDatabase) async throws -> DeviceTime? {
    try await database.session(digest: "token")?.expires
  }

  @Test("a session is extended at once where nobody writes", arguments: OfficeEngines.all)
  func refreshed(engine: OfficeEngine) async throws {
    try await engine.withOffice { database in
      try await beginSession(database)
      try await database.refreshSession(digest: "token", at: Samples.time(60), expires: later)
      let session = try await database.readRegistry {
        try $0.sessions(of: "ines", at: Samples.now).first
      }
      #expect(session?.used == Samples.time(60))
      #expect(session?.created == Samples.now)
      #expect(try await expires(database) == later)
      // Extending a session that does not exist makes none.
      try await database.refreshSession(digest: "other", at: Samples.now, expires: later)
      #expect(try await database.session(digest: "other") == nil)
    }
  }

  @Test(
    "extending a session does not wait for a writer, and is made at once or not at all",
    arguments: OfficeEngines.all)
  func refreshedBesideAWriter(engine: OfficeEngine) async throws {
    try await engine.withOffice { database in
      try await beginSession(database)
      try await whileHeld { hold in
        try await database.write(in: "south") { session in
          try session.deliveries.addStored(bytes: 1)
          try hold()
        }
      } body: {
        try await database.refreshSession(digest: "token", at: Samples.time(60), expires: later)
        let now = try await expires(database)
        #expect(now == first || now == later)
      }
      let after = try await expires(database)
      #expect(after == first || after == later, "the session is whole afterwards")
      try await database.refreshSession(digest: "token", at: Samples.time(90), expires: later)
      #expect(try await expires(database) == later)
    }
  }

  @Test(
    "a database that works is ready, beside a writer too, and asking changes nothing",
    arguments: OfficeEngines.all)
  func ready(engine: OfficeEngine) async throws {
    var samples = Samples()
    let task = samples.task()
    try await engine.withOffice { database in
      try await database.checkReadiness()
      try await whileHeld { hold in
        try await database.write(in: "north") { session in
          try session.tasks.insert(task)
          try hold()
        }
      } body: {
        try await database.checkReadiness()
        await database.warmUp()
      }
      #expect(try await database.read(in: "north") { try $0.tasks.task(task.id) } == task)
      #expect(try await database.readRegistry { try $0.agencies().count } == 2)
    }
  }

  @Test(
    "a database that cannot be used any more is not ready, and throws whatever it is asked",
    arguments: OfficeEngines.all)
  func closed(engine: OfficeEngine) async throws {
    try await withTemporaryDirectory { folder in
      let database = try await engine.open(folder)
      try await database.addPeople()
      try await engine.close(database)
      await #expect(throws: (any Error).self) { try await database.checkReadiness() }
      await #expect(throws: (any Error).self) {
        try await database.readRegistry { try $0.agencies() }
      }
    }
  }

  @Test("what was written is there when the database is opened again", arguments: OfficeEngines.all)
  func openedAgain(engine: OfficeEngine) async throws {
    var samples = Samples()
    let task = samples.task(parcel: try Samples.parcel("P-1"))
    let photo = try samples.photo(task: task.id)
    try await withTemporaryDirectory { folder in
      let first = try await engine.open(folder)
      try await first.addPeople()
      try await first.add(tasks: [task], photos: [photo])
      try await engine.close(first)
      let second = try await engine.open(folder)
      let photos = try await second.read(in: "north") { session in
        #expect(try session.tasks.task(task.id) == task)
        return try session.photos.list(.all)
      }
      try await engine.close(second)
      #expect(photos == [photo])
    }
  }
}
