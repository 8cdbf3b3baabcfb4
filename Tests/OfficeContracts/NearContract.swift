import Evidence
import Inspection
import Office
import TestSupport
import Testing
import TimeAndText

@Suite(
  "The contract of the office's database: a page's work near the data", .timeLimit(.minutes(2)))
struct NearContract {
  @Test(
    "fifty pages near the data read, write and read again, and each sees what it wrote",
    arguments: OfficeEngines.all)
  func writesBetween(engine: OfficeEngine) async throws {
    try await engine.withOffice { database in
      try await withThrowingTaskGroup(of: Void.self) { group in
        for number in 0..<50 {
          group.addTask {
            try await database.near {
              func entries() async throws -> Int {
                try await database.read(in: "north") { session in
                  try session.log.page(before: nil, containing: "page \(number),", limit: 10).count
                }
              }
              #expect(try await entries() == 0)
              try await database.write(in: "north") { session in
                try session.log.add(
                  LogEntry(
                    agency: "north", time: Samples.now, person: "otto", action: "looked",
                    subject: "page \(number),"))
              }
              #expect(try await entries() == 1)
            }
          }
        }
        try await group.waitForAll()
      }
    }
  }

  @Test("near the data a page's error arrives, and so does its value", arguments: OfficeEngines.all)
  func outcome(engine: OfficeEngine) async throws {
    struct Wrong: Error {}
    try await engine.withOffice { database in
      await #expect(throws: Wrong.self) {
        try await database.near {
          _ = try await database.session(digest: "none")
          throw Wrong()
        }
      }
      let session = try await database.near { try await database.session(digest: "none") }
      #expect(session == nil)
    }
  }
}
