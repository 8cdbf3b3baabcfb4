import Evidence
import Foundation
import GRDB
import Geodesy
import Inspection
import Migrations
import Positioning
import Sync
import TestSupport
import Testing
import TimeAndText

@testable import Store

@Suite("Field databases of earlier versions")
struct FieldMigrationTests {
  private static let ines = Person(agency: "north", login: "ines", role: .inspector)

  /// The things that an inspector had sent and not delivered, as an earlier version kept them.
  private static let unsent = """
    INSERT INTO task (id, agency, inspector, name, state, revision, created)
      VALUES ('\(task)', 'north', 'ines', 'Beet', 'dataProvided', 1, 1);
    INSERT INTO link (key, sequence, agency, inspector, id, kind, record, record_digest, jws,
        jws_digest, file_digest)
      VALUES ('k', 1, 'north', 'ines', '\(photo)', 'capture', '{"task":{"id":"\(task)"}}', 'r1', 'j',
        'd1', 'file-of-photo'),
      ('k', 2, 'north', 'ines', '\(track)', 'track', '{"task":{"id":"\(task)"}}', 'r2', 'j', 'd2',
        'file-of-track'),
      ('k', 3, 'north', 'ines', '\(step)', 'transition', '{"task":{"id":"\(task)"}}', 'r3', 'j', 'd3',
        NULL),
      ('k', 4, 'north', 'ines', '\(alone)', 'capture', '{}', 'r4', 'j', 'd4', 'file-of-alone');
    INSERT INTO photo (id, agency, inspector, task, origin, gnss_time_of_day, device_time, latitude,
        longitude, method, camera, file_digest, bytes, width, height, simulated, sent)
      VALUES ('\(photo)', 'north', 'ines', '\(task)', 'camera', 1, 1, 49, 16, 'fix', '{}',
        'file-of-photo', 700, 4, 3, 0, 5),
      ('\(alone)', 'north', 'ines', NULL, 'camera', 1, 1, 49, 16, 'fix', '{}', 'file-of-alone', 800, 4,
        3, 0, 6);
    INSERT INTO track (id, agency, inspector, task, name, started, ended, simulated, bytes, sent)
      VALUES ('\(track)', 'north', 'ines', '\(task)', 'Round', 1, 2, 0, 90, 5);
    INSERT INTO outbox (id, agency, inspector, kind, task, bytes, queued, attempts, last_answer)
      VALUES ('\(task)', 'north', 'ines', 'task', '\(task)', 790, 5, 2, 'no network'),
      ('\(alone)', 'north', 'ines', 'photo', NULL, 800, 6, 0, NULL);
    """
  private static let task = "018f0000-0000-7000-8000-000000000001"
  private static let photo = "018f0000-0000-7000-8000-000000000002"
  private static let track = "018f0000-0000-7000-8000-000000000003"
  private static let step = "018f0000-0000-7000-8000-000000000004"
  private static let alone = "018f0000-0000-7000-8000-000000000005"
  private static let batch = "018f0000-0000-7000-8000-000000000006"

  private func migrated(
    from version: Int, _ sql: String, _ body: (FieldStore) throws -> Void
  ) throws {
    try withTemporaryDirectory { folder in
      let path = folder.appendingPathComponent("field.sqlite").path
      let migrator = FieldMigrations.migrator
      let queue = try DatabaseQueue(path: path)
      try migrator.migrate(queue, upTo: migrator.migrations[version - 1])
      try queue.write { try $0.execute(sql: sql) }
      try queue.close()
      let store = try FieldStore(path: path)
      defer { try? store.close() }
      try body(store)
    }
  }

  @Test(
    "what waited as a whole waits thing by thing, and nothing of it is lost", arguments: [1, 2])
  func unsentRows(version: Int) throws {
    try migrated(from: version, Self.unsent) { store in
      let entries = try store.read(as: Self.ines) { try $0.outbox.list() }
      #expect(
        entries.map { "\($0.kind) \($0.whole) \($0.digest ?? "-") \($0.bytes) \($0.attempts)" } == [
          "photo \(Self.task) file-of-photo 700 2", "track \(Self.task) file-of-track 90 2",
          "task \(Self.task) r3 0 2", "photo \(Self.alone) file-of-alone 800 0",
        ])
      #expect(entries.first?.lastAnswer == "no network")
      #expect(entries.allSatisfy { !$0.hasBegun })
      let wholes = try store.read(as: Self.ines) { try $0.outbox.waitingWholes() }
      #expect(wholes.map(\.isAlone) == [true, false])
    }
  }

  @Test("a batch that had begun stays one, with all that it holds")
  func begunBatch() throws {
    let sql =
      Self.unsent + """

        INSERT INTO batch (id, agency, inspector, key, head, made, message)
          VALUES ('\(Self.batch)', 'north', 'ines', 'k', 3, 7, x'7b7d');
        UPDATE outbox SET begun = 1, batch = '\(Self.batch)' WHERE kind = 'task';
        """
    try migrated(from: 2, sql) { store in
      let id = try #require(Identifier(Self.batch))
      let (begun, unfinished, wholes, waiting) = try store.read(as: Self.ines) { session in
        (
          try session.outbox.list().filter(\.hasBegun).map(\.kind),
          try session.batches.unfinished(),
          try session.batches.wholes(of: id),
          try session.outbox.waitingWholes().map(\.id.description)
        )
      }
      #expect(begun == [.photo, .track, .task])
      #expect(unfinished == [id])
      #expect(wholes.map(\.description) == [Self.task])
      #expect(waiting == [Self.alone])
      #expect(
        try store.read(as: Self.ines) { try $0.batches.batch(id).message } == Array("{}".utf8))
    }
  }

  @Test("points of before have no satellites, those that follow have what the receiver says")
  func points() throws {
    let sql = """
      INSERT INTO track (id, agency, inspector, name, started, simulated)
        VALUES ('\(Self.track)', 'north', 'ines', 'Round', 1, 0);
      INSERT INTO track_point (track, number, agency, inspector, kind, time_of_day, latitude, longitude)
        VALUES ('\(Self.track)', 1, 'north', 'ines', 'recorded', 1000, 49, 16);
      """
    try migrated(from: 3, sql) { store in
      let id = try #require(Identifier(Self.track))
      let time = try #require(GNSSTime(millisecondsSinceMidnight: 2000, date: nil))
      let place = try #require(Coordinate(latitudeDegrees: 49, longitudeDegrees: 16.1))
      let point = TrackPoint(
        kind: .recorded, time: time, coordinate: place, satellitesUsed: 11, horizontalDilution: 0.8)
      try store.write(as: Self.ines) { try $0.tracks.append(point, to: id) }
      var points: [TrackPoint] = []
      try store.read(as: Self.ines) { session in
        try session.tracks.forEachPoint(ofTrack: id) { points.append($0) }
        #expect(try session.tracks.track(id).points == points)
      }
      #expect(points.map(\.satellitesUsed) == [nil, 11])
      #expect(points.map(\.horizontalDilution) == [nil, 0.8])
    }
  }
}
