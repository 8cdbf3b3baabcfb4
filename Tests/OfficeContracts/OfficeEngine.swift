import Foundation
import Inspection
import Office
import Positioning
import Store
import Sync
import TestSupport
import Testing
import TimeAndText

/// An engine that the contract suites run on: where an office keeps everything that is not a file.
struct OfficeEngine: Sendable, CustomTestStringConvertible {
  /// The engine's name in the report of a test.
  let name: String
  /// True if the engine also keeps the predecessor's phones.
  let keepsPhones: Bool
  /// Opens the database, with its files if it has any, in a folder: an empty one the first time,
  /// and then the same one again, as another program does.
  let open: @Sendable (_ folder: URL) async throws -> any OfficeDatabase
  /// Closes a database that `open` has opened; later use of it fails.
  let close: @Sendable (_ database: any OfficeDatabase) async throws -> Void

  var testDescription: String { name }
}

/// The engines that are held to the contract: a further engine is one more element of `all`.
enum OfficeEngines {
  static let all = [sqlite]
  static let withPhones = all.filter { $0.keepsPhones }

  private static let sqlite = OfficeEngine(
    name: "SQLite", keepsPhones: true,
    open: { folder in
      SQLiteOfficeDatabase(
        try OfficeStore(path: folder.appendingPathComponent("office.sqlite").path),
        beforeCommit: ItemJudging.judge)
    },
    close: { database in
      guard let database = database as? SQLiteOfficeDatabase else { return }
      try database.store.close()
    })
}

extension OfficeEngine {
  /// Runs `body` on a new database with two agencies and their people.
  func withOffice(_ body: (any OfficeDatabase) async throws -> Void) async throws {
    try await withOpened { database, _ in try await body(database) }
  }

  /// Runs `body` on such a database, opened once more as another program has it.
  func withOfficeOpenTwice(
    _ body: (_ database: any OfficeDatabase, _ other: any OfficeDatabase) async throws -> Void
  ) async throws {
    try await withOpened { database, folder in
      let other = try await open(folder)
      do {
        try await body(database, other)
      } catch {
        try? await close(other)
        throw error
      }
      try await close(other)
    }
  }

  private func withOpened(
    _ body: (any OfficeDatabase, URL) async throws -> Void
  ) async throws {
    try await withTemporaryDirectory { folder in
      let database = try await open(folder)
      do {
        try await database.addPeople()
        try await body(database, folder)
      } catch {
        try? await close(database)
        throw error
      }
      try await close(database)
    }
  }
}

extension OfficeDatabase {
  /// Adds the agencies north and south with their people.
  func addPeople() async throws {
    try await writeRegistry { registry in
      for agency in ["north", "south"] {
        try registry.insert(Agency(name: agency, title: agency, created: Samples.now))
      }
      for account in Samples.people {
        try registry.insert(account, password: "stored", at: Samples.now)
      }
    }
  }

  /// Adds tasks, photos and tracks in one transaction, in their order.
  func add(
    tasks: [InspectionTask] = [], photos: [ReceivedPhoto] = [], tracks: [ReceivedTrack] = [],
    in agency: String = "north"
  ) async throws {
    try await write(in: agency) { session in
      for task in tasks { try session.tasks.insert(task) }
      for photo in photos { try session.photos.insert(photo) }
      for track in tracks { try session.tracks.insert(track) }
    }
  }
}
