import Inspection
import Office
import Sync
import TestSupport
import Testing
import TimeAndText

@Suite(
  "The contract of the office's database: a session is known as it is now", .timeLimit(.minutes(2)))
struct SessionContract {
  private let otto = Samples.people[1]

  private func begin(_ digest: String, _ database: any OfficeDatabase) async throws {
    try await database.writeRegistry { registry in
      try registry.insertSession(
        digest: digest, account: otto, key: nil, at: Samples.now, expires: Samples.time(3600))
    }
  }

  @Test("a session is the same, however often it is asked for", arguments: OfficeEngines.all)
  func same(engine: OfficeEngine) async throws {
    try await engine.withOffice { database in
      try await begin("token", database)
      for _ in 0..<3 {
        let session = try #require(try await database.session(digest: "token"))
        #expect(session.account == otto && session.key == nil)
        #expect(session.expires == Samples.time(3600))
        #expect(try await database.session(digest: "another") == nil)
      }
    }
  }

  @Test(
    "a session that has begun is known at once, also after it was asked for in vain",
    arguments: OfficeEngines.all)
  func begun(engine: OfficeEngine) async throws {
    try await engine.withOfficeOpenTwice { database, other in
      #expect(try await database.session(digest: "here") == nil)
      try await begin("here", database)
      #expect(try await database.session(digest: "here") != nil)
      #expect(try await database.session(digest: "there") == nil)
      try await begin("there", other)
      #expect(try await database.session(digest: "there") != nil)
    }
  }

  @Test(
    "who is signed out, disabled or renamed is so with the next request, whichever program did it",
    arguments: OfficeEngines.all)
  func changed(engine: OfficeEngine) async throws {
    try await engine.withOfficeOpenTwice { database, other in
      for writer in [database, other] {
        let digests = ["out", "disabled", "extended", "password"]
        for digest in digests { try await begin(digest, database) }
        func all() async throws -> [KnownSession?] {
          var all: [KnownSession?] = []
          for digest in digests { all.append(try await database.session(digest: digest)) }
          return all
        }
        #expect(try await all().allSatisfy { $0?.account == otto })
        try await writer.writeRegistry { try $0.endSession(digest: "out") }
        #expect(try await all().map { $0 == nil } == [true, false, false, false])
        try await writer.refreshSession(
          digest: "extended", at: Samples.time(60), expires: Samples.time(7200))
        #expect(try await all()[2]?.expires == Samples.time(7200))
        try await writer.writeRegistry { registry in
          try registry.setDisabled(Samples.now, login: otto.login)
          try registry.insertSession(
            digest: "disabled", account: otto, key: nil, at: Samples.now,
            expires: Samples.time(3600))
        }
        #expect(try await database.session(digest: "disabled")?.account.disabled == Samples.now)
        #expect(try await database.session(digest: "password") == nil)
        try await writer.writeRegistry { try $0.setDisabled(nil, login: otto.login) }
        #expect(try await database.session(digest: "disabled") == nil)
      }
    }
  }

  @Test(
    "no commit between is missed, while sessions begin and end beside", arguments: OfficeEngines.all
  )
  func besideWriters(engine: OfficeEngine) async throws {
    try await engine.withOfficeOpenTwice { database, other in
      try await withThrowingTaskGroup { group in
        for (number, writer) in [database, other, database].enumerated() {
          group.addTask {
            for turn in 0..<40 {
              let digest = "\(number)-\(turn)"
              try await begin(digest, writer)
              #expect(try await database.session(digest: digest)?.account == otto)
              #expect(try await other.session(digest: digest)?.account == otto)
              try await writer.writeRegistry { try $0.endSession(digest: digest) }
              #expect(try await database.session(digest: digest) == nil)
              #expect(try await other.session(digest: digest) == nil)
            }
          }
        }
        try await group.waitForAll()
      }
    }
  }

  @Test("a session cannot be had from a database that is closed", arguments: OfficeEngines.all)
  func closed(engine: OfficeEngine) async throws {
    try await withTemporaryDirectory { folder in
      let database = try await engine.open(folder)
      try await database.addPeople()
      try await begin("token", database)
      #expect(try await database.session(digest: "token") != nil)
      try await engine.close(database)
      await #expect(throws: (any Error).self) { try await database.session(digest: "token") }
    }
  }
}
