import Foundation
import GRDB
import Inspection
import Positioning
import Sync
import TestSupport
import Testing
import TimeAndText

@testable import Store

@Suite("What an agency's deliveries take, and the copy of a database")
struct OfficeStorageTests {
  private let now = DeviceTime(millisecondsSince1970: 1_780_000_000_000)

  private func agency(_ name: String) -> Agency { Agency(name: name, title: name, created: now) }

  private func withStore(_ body: (OfficeStore, URL) throws -> Void) throws {
    try withTemporaryDirectory { folder in
      let store = try OfficeStore(path: folder.appendingPathComponent("office.sqlite").path)
      defer { try? store.close() }
      try store.write { registry in
        try registry.insert(agency("north"))
        try registry.insert(agency("south"))
      }
      try body(store, folder)
    }
  }

  @Test("each agency has a total and a quota of its own")
  func totals() throws {
    try withStore { store, _ in
      try store.write(in: "north") { session in
        try session.deliveries.addStored(bytes: 700)
        try session.deliveries.addStored(bytes: 44)
        try session.deliveries.addStored(bytes: -100)
        try session.deliveries.setQuota(bytes: 1000)
      }
      let north = try store.read(in: "north") { try $0.deliveries.storage() }
      #expect(north.storedBytes == 744 && north.quotaBytes == 1000)
      let south = try store.read(in: "south") { try $0.deliveries.storage() }
      #expect(south.storedBytes == 0 && south.quotaBytes == nil)
      try store.write(in: "north") { session in
        try session.deliveries.addStored(bytes: .max)
        try session.deliveries.addStored(bytes: .max)
        try session.deliveries.setQuota(bytes: nil)
      }
      let full = try store.read(in: "north") { try $0.deliveries.storage() }
      #expect(full.storedBytes == .max && full.quotaBytes == nil)
      #expect(try store.read(in: "nowhere") { try $0.deliveries.storage() }.storedBytes == 0)
    }
  }

  @Test("what was delivered before totals were kept is counted, whatever a record says of its size")
  func migration() throws {
    try withTemporaryDirectory { folder in
      let path = folder.appendingPathComponent("office.sqlite").path
      let migrator = OfficeSchema.migrator
      let queue = try DatabaseQueue(path: path)
      try migrator.migrate(queue, upTo: "6 orders of the list of tasks")
      func photo(_ number: Int, _ agency: String, _ bytes: Int, deleted: Bool = false) -> String {
        """
        INSERT INTO photo (id, agency, inspector, origin, gnss_time_of_day, device_time, latitude,
            longitude, method, camera, file_digest, bytes, width, height, simulated, deleted,
            deleted_reason)
          VALUES ('\(number)', '\(agency)', 'ines', 'camera', 1, 1, 49, 16, 'fix', '{}', 'd', \(bytes),
            4, 3, 0, \(deleted ? "5, 'blurred'" : "NULL, NULL"));
        """
      }
      try queue.write { database in
        try database.execute(
          sql: """
            INSERT INTO agency (agency, title, created) VALUES ('north', 'N', 1), ('south', 'S', 1),
              ('empty', 'E', 1);
            """ + photo(1, "north", 700) + photo(2, "north", 44)
              + photo(3, "north", 9000, deleted: true) + photo(4, "south", .max)
              + photo(5, "south", .max))
      }
      try queue.close()
      let store = try OfficeStore(path: path)
      defer { try? store.close() }
      for (agency, bytes) in [("north", 744), ("south", 2 * 67_108_864), ("empty", 0)] {
        #expect(
          try store.read(in: agency) { try $0.deliveries.storage() }.storedBytes == bytes,
          "\(agency)")
      }
    }
  }

  @Test(
    "a copy has every row with its number, while others write; it is its owner's and in one piece")
  func copy() throws {
    try withStore { store, folder in
      let path = folder.appendingPathComponent("copy.sqlite").path
      // Removed rows leave free numbers, which the copy must not give to others.
      for number in 0..<50 {
        try store.write { registry in
          try registry.insertSession(
            digest: "d\(number)",
            account: try person(registry), key: nil, at: now, expires: now)
        }
      }
      try store.write { registry in
        for number in 0..<25 { try registry.endSession(digest: "d\(number)") }
      }
      try store.copy(to: path)
      let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
      #expect(mode == 0o600)
      #expect(!FileManager.default.fileExists(atPath: path + "-wal"))
      let queue = try DatabaseQueue(path: path)
      defer { try? queue.close() }
      let rows = try queue.read {
        try String.fetchAll(
          $0, sql: "SELECT rowid || token_digest FROM session ORDER BY rowid")
      }
      #expect(rows == (25..<50).map { "\($0 + 1)d\($0)" })
      // A copy never writes over a file.
      #expect(throws: StoreError.self) { try store.copy(to: path) }
      #expect(FileManager.default.fileExists(atPath: path))
      #expect(try store.damages().isEmpty)
    }
  }

  private func person(_ registry: RegistrySession) throws -> Account {
    let account = Account(login: "otto", agency: "north", role: .officer)
    if try registry.account("otto") == nil {
      try registry.insert(account, password: "x", at: now)
    }
    return account
  }

  @Test("figures count tasks by state, photos without a verdict, and sessions that hold")
  func figures() throws {
    try withStore { store, _ in
      try store.write { registry in
        let account = try person(registry)
        for (digest, key, seconds) in [
          ("a", nil, 60.0), ("b", nil, -60), ("c", "key", 60), ("d", "key", 0),
        ] as [(String, String?, Double)] {
          try registry.insertSession(
            digest: digest, account: account, key: key, at: now,
            expires: now.advanced(bySeconds: seconds))
        }
      }
      let figures = try store.read { (registry: RegistrySession) in try registry.figures(at: now) }
      #expect(figures.browserSessions == 1 && figures.deviceSessions == 2)
      #expect(figures.tasks.isEmpty && figures.uncheckedPhotos == 0)
    }
  }
}
