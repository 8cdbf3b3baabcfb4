import Evidence
import Foundation
import GRDB
import Inspection
import TestSupport
import Testing
import TimeAndText

@testable import Store

@Suite("Office databases of earlier versions")
struct OfficeMigrationTests {
  private static let task = "018f0000-0000-7000-8000-000000000001"

  /// Answers as an earlier version kept them, those of all types of tasks in one order.
  private static let answers = """
    INSERT INTO agency (agency, title, created) VALUES ('north', 'North', 1);
    INSERT INTO person (login, agency, role, password, created)
      VALUES ('ines', 'north', 'inspector', 'x', 1);
    INSERT INTO task (id, agency, inspector, name, state, revision, created, type)
      VALUES ('\(task)', 'north', 'ines', 'Beet', 'open', 1, 1, 'beet');
    INSERT INTO item_template (agency, type, version, items, item_count, made, person)
      VALUES ('north', 'beet', 1, '[]', 1, 1, 'otto');
    INSERT INTO item_value (agency, item, value, type, kind, inspector, week, task)
      VALUES ('north', 'crop', 'fallow', 'beet', 'value', 'ines', 2900, '\(task)'),
        ('north', 'crop', 'other', 'roof', 'value', 'ines', 2900, '\(task)');
    """

  @Test("answers that an earlier version kept are counted by their type, and found in the list")
  func answersOfATypeTogether() throws {
    try withTemporaryDirectory { folder in
      let path = folder.appendingPathComponent("office.sqlite").path
      let migrator = OfficeSchema.migrator
      let queue = try DatabaseQueue(path: path)
      try migrator.migrate(queue, upTo: "32 progress that devices tell")
      try queue.write { try $0.execute(sql: Self.answers) }
      try queue.close()
      let store = try OfficeStore(path: path)
      defer { try? store.close() }
      try store.read(in: "north") { session in
        let crop = try #require(ItemName("crop"))
        let counted = try session.standings.counts(ofType: "beet")
        #expect(counted.map(\.value) == ["fallow"])
        #expect(try session.standings.counts(ofType: "beet", item: crop, by: .inspector).count == 1)
        #expect(try session.standings.states(ofType: "beet") == [.open: 1])
        for (value, count) in [("fallow", 1), ("none", 0)] {
          var filter = TaskFilter()
          filter.answer = TaskFilter.Answer(item: crop, value: value)
          let now = DeviceTime(millisecondsSince1970: 1)
          #expect(try session.tasks.count(filter, at: now) == count)
          #expect(try session.tasks.page(filter, at: now, limit: 5).count == count)
        }
      }
    }
  }

  /// Inserts a photo as an earlier version kept it.
  private static func photo(
    _ id: Int, of inspector: String, _ columns: (task: String?, more: String)
  ) -> String {
    """
    INSERT INTO photo (id, agency, inspector, task, origin, gnss_time_of_day, device_time, latitude,
      longitude, method, camera, file_digest, bytes, width, height, simulated, revision)
    VALUES ('photo\(id)', 'north', '\(inspector)', \(columns.task.map { "'\($0)'" } ?? "NULL"), 'camera', 0, \(id), 49, 15, 'single', '{}', 'd\(id)', 1, 1, 1, 0, 1);
    \(columns.more.isEmpty ? "" : "UPDATE photo SET \(columns.more) WHERE id = 'photo\(id)';")
    """
  }

  @Test(
    "photos without a task that an earlier version kept are counted, and again with each change")
  func standalonePhotos() throws {
    try withTemporaryDirectory { folder in
      let path = folder.appendingPathComponent("office.sqlite").path
      let queue = try DatabaseQueue(path: path)
      try OfficeSchema.migrator.migrate(queue, upTo: "34 tasks by their identifiers")
      try queue.write { database in
        try database.execute(sql: Self.answers)
        for sql in [
          Self.photo(1, of: "ines", (nil, "")), Self.photo(2, of: "ines", (nil, "")),
          Self.photo(3, of: "karl", (nil, "")), Self.photo(4, of: "ines", (nil, "hidden = 5")),
          Self.photo(5, of: "ines", (nil, "deleted = 5, deleted_reason = 'blurred'")),
          Self.photo(6, of: "ines", (Self.task, "")),
        ] { try database.execute(sql: sql) }
      }
      try OfficeSchema.migrator.migrate(queue)
      func expect(_ seen: Int, hidden: Int, ofInes: Int, after change: String = "") throws {
        if !change.isEmpty { try queue.write { try $0.execute(sql: change) } }
        let counts = try queue.read { database in
          let rows = VisibleRows(database: database, agency: "north", inspector: nil)
          let photos = VisiblePhotos(rows: rows)
          return [
            try photos.standaloneCount(isHidden: false, inspector: nil),
            try photos.standaloneCount(isHidden: true, inspector: nil),
            try photos.standaloneCount(isHidden: false, inspector: "ines"),
          ]
        }
        #expect(counts == [seen, hidden, ofInes], "\(change)")
      }
      try expect(3, hidden: 1, ofInes: 2)
      try expect(2, hidden: 2, ofInes: 1, after: "UPDATE photo SET hidden = 6 WHERE id = 'photo1'")
      try expect(
        3, hidden: 1, ofInes: 2, after: "UPDATE photo SET hidden = NULL WHERE id = 'photo1'")
      let toTask = "UPDATE photo SET task = '\(Self.task)', assigned = 6 WHERE id = 'photo2'"
      try expect(2, hidden: 1, ofInes: 1, after: toTask)
      try expect(3, hidden: 1, ofInes: 2, after: "UPDATE photo SET task = NULL WHERE id = 'photo2'")
      let deletion = "UPDATE photo SET deleted = 7, deleted_reason = 'x' WHERE id = 'photo3'"
      try expect(2, hidden: 1, ofInes: 2, after: deletion)
      try expect(3, hidden: 1, ofInes: 3, after: Self.photo(7, of: "ines", (nil, "")))
      try expect(3, hidden: 1, ofInes: 3, after: "UPDATE photo SET verdict = 'valid'")
    }
  }
}
