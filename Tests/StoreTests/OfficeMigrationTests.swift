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
}
