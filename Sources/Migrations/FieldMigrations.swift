import GRDB

/// The history of the field database's schema. A released migration is never changed: it is the SQL
/// of its day, not derived from today's types. `schemas/field.sql` shows the schema after all of
/// them.
package enum FieldMigrations {
  /// The migrator.
  package static var migrator: DatabaseMigrator {
    var migrator = DatabaseMigrator()
    migrator.registerMigration("1 tasks, photos, tracks, chain, outbox") { database in
      try database.execute(sql: first)
    }
    migrator.registerMigration("2 sign-in, batches, receipts") { database in
      try database.execute(sql: second)
    }
    migrator.registerMigration("3 outbox of single things, what was confirmed and removed") {
      try $0.execute(sql: third)
    }
    migrator.registerMigration("4 satellites and dilution of a track's points") {
      try $0.execute(
        sql: """
          ALTER TABLE track_point ADD COLUMN satellites_used INTEGER;
          ALTER TABLE track_point ADD COLUMN horizontal_dilution REAL;
          """)
    }
    migrator.registerMigration("5 photo points and their repeats") {
      try $0.execute(sql: photoPoints)
    }
    migrator.registerMigration("6 sets of frames") { try $0.execute(sql: frameSets) }
    migrator.registerMigration("7 sets that an order asks for") {
      try $0.execute(sql: OrderedSetsDefinition.columns)
    }
    migrator.registerMigration("8 items that an order asks for") {
      try $0.execute(sql: OrderedItemsDefinition.onDevice)
    }
    migrator.registerMigration("9 answers") { try $0.execute(sql: AnswerDefinition.onDevice) }
    migrator.registerMigration("10 photos for items") {
      try $0.execute(sql: OrderedItemsDefinition.ofPhotos)
    }
    migrator.registerMigration("11 verdicts on items") {
      try $0.execute(sql: VerdictDefinition.onDevice)
    }
    migrator.registerMigration("12 sections and further parcels") {
      try $0.execute(sql: OrderedPlacesDefinition.columns)
    }
    migrator.registerMigration("13 attachments") {
      try $0.execute(sql: AttachmentDefinition.onDevice)
    }
    return migrator
  }

  private static let first = """
    CREATE TABLE identity (
      agency TEXT NOT NULL,
      inspector TEXT NOT NULL,
      device TEXT NOT NULL,
      key TEXT NOT NULL,
      created INTEGER NOT NULL,
      PRIMARY KEY (agency, inspector)
    ) STRICT;

    CREATE TABLE task (
      id TEXT PRIMARY KEY,
      agency TEXT NOT NULL,
      inspector TEXT NOT NULL,
      name TEXT NOT NULL CHECK (name <> ''),
      type TEXT,
      instructions TEXT,
      state TEXT NOT NULL CHECK (state IN
        ('new', 'open', 'returned', 'dataProvided', 'accepted', 'declined', 'withdrawn')),
      revision INTEGER NOT NULL CHECK (revision >= 1),
      created INTEGER NOT NULL,
      due INTEGER,
      note TEXT,
      parcel_identifier TEXT,
      parcel_rings TEXT CHECK (parcel_rings IS NULL OR json_valid(parcel_rings)),
      CHECK ((parcel_identifier IS NULL) = (parcel_rings IS NULL))
    ) STRICT;
    CREATE INDEX task_by_person ON task (agency, inspector, state);

    CREATE TABLE task_transition (
      id TEXT PRIMARY KEY,
      agency TEXT NOT NULL,
      inspector TEXT NOT NULL,
      task TEXT NOT NULL REFERENCES task (id),
      number INTEGER NOT NULL CHECK (number >= 1),
      action TEXT NOT NULL,
      from_state TEXT NOT NULL,
      to_state TEXT NOT NULL,
      person TEXT NOT NULL,
      role TEXT NOT NULL,
      time INTEGER NOT NULL,
      reason TEXT,
      UNIQUE (task, number)
    ) STRICT;
    CREATE TRIGGER task_transition_is_never_changed BEFORE UPDATE ON task_transition
      BEGIN SELECT RAISE(ABORT, 'a transition is never changed'); END;
    CREATE TRIGGER task_transition_is_never_deleted BEFORE DELETE ON task_transition
      BEGIN SELECT RAISE(ABORT, 'a transition is never deleted'); END;

    CREATE TABLE link (
      key TEXT NOT NULL,
      sequence INTEGER NOT NULL CHECK (sequence >= 1),
      agency TEXT NOT NULL,
      inspector TEXT NOT NULL,
      id TEXT NOT NULL UNIQUE,
      kind TEXT NOT NULL CHECK (kind IN ('capture', 'track', 'note', 'transition', 'deletion')),
      record TEXT NOT NULL CHECK (json_valid(record)),
      record_digest TEXT NOT NULL,
      jws TEXT NOT NULL,
      jws_digest TEXT NOT NULL,
      file_digest TEXT,
      raw_digest TEXT,
      PRIMARY KEY (key, sequence)
    ) STRICT;
    CREATE TRIGGER link_is_never_changed BEFORE UPDATE ON link
      BEGIN SELECT RAISE(ABORT, 'a link is never changed'); END;
    CREATE TRIGGER link_is_never_deleted BEFORE DELETE ON link
      BEGIN SELECT RAISE(ABORT, 'a link is never deleted'); END;

    CREATE TABLE photo (
      id TEXT PRIMARY KEY REFERENCES link (id),
      agency TEXT NOT NULL,
      inspector TEXT NOT NULL,
      task TEXT REFERENCES task (id),
      origin TEXT NOT NULL CHECK (origin IN ('camera', 'imported')),
      gnss_time_of_day INTEGER NOT NULL CHECK (gnss_time_of_day BETWEEN 0 AND 86400999),
      gnss_day INTEGER,
      device_time INTEGER NOT NULL,
      latitude REAL NOT NULL CHECK (latitude BETWEEN -90 AND 90),
      longitude REAL NOT NULL CHECK (longitude BETWEEN -180 AND 180),
      ellipsoidal_height REAL,
      mean_sea_level_height REAL,
      uncertainty_95 REAL CHECK (uncertainty_95 > 0),
      method TEXT NOT NULL,
      standpoint TEXT CHECK (standpoint IS NULL OR json_valid(standpoint)),
      orientation TEXT CHECK (orientation IS NULL OR json_valid(orientation)),
      camera TEXT NOT NULL CHECK (json_valid(camera)),
      file_digest TEXT NOT NULL,
      bytes INTEGER NOT NULL CHECK (bytes > 0),
      width INTEGER NOT NULL CHECK (width > 0),
      height INTEGER NOT NULL CHECK (height > 0),
      note TEXT,
      simulated INTEGER NOT NULL CHECK (simulated IN (0, 1)),
      sent INTEGER,
      delivered INTEGER,
      deleted INTEGER,
      deleted_reason TEXT,
      CHECK (delivered IS NULL OR sent IS NOT NULL),
      CHECK (deleted IS NULL OR sent IS NULL)
    ) STRICT;
    CREATE INDEX photo_by_person ON photo (agency, inspector, task);

    CREATE TABLE track (
      id TEXT PRIMARY KEY,
      agency TEXT NOT NULL,
      inspector TEXT NOT NULL,
      task TEXT REFERENCES task (id),
      name TEXT NOT NULL CHECK (name <> ''),
      started INTEGER NOT NULL,
      ended INTEGER,
      simulated INTEGER NOT NULL CHECK (simulated IN (0, 1)),
      bytes INTEGER CHECK (bytes > 0),
      sent INTEGER,
      deleted INTEGER,
      deleted_reason TEXT,
      CHECK (sent IS NULL OR ended IS NOT NULL),
      CHECK (deleted IS NULL OR sent IS NULL)
    ) STRICT;
    CREATE INDEX track_by_person ON track (agency, inspector, task);

    CREATE TABLE track_point (
      track TEXT NOT NULL REFERENCES track (id) ON DELETE CASCADE,
      number INTEGER NOT NULL CHECK (number >= 1),
      agency TEXT NOT NULL,
      inspector TEXT NOT NULL,
      kind TEXT NOT NULL CHECK (kind IN ('recorded', 'vertex', 'centroid-vertex')),
      time_of_day INTEGER NOT NULL CHECK (time_of_day BETWEEN 0 AND 86400999),
      day INTEGER,
      latitude REAL NOT NULL CHECK (latitude BETWEEN -90 AND 90),
      longitude REAL NOT NULL CHECK (longitude BETWEEN -180 AND 180),
      ellipsoidal_height REAL,
      mean_sea_level_height REAL,
      uncertainty_95 REAL CHECK (uncertainty_95 > 0),
      gap_before TEXT,
      PRIMARY KEY (track, number)
    ) STRICT;

    CREATE TABLE outbox (
      id TEXT PRIMARY KEY,
      agency TEXT NOT NULL,
      inspector TEXT NOT NULL,
      kind TEXT NOT NULL CHECK (kind IN ('task', 'photo', 'track')),
      task TEXT REFERENCES task (id),
      bytes INTEGER NOT NULL CHECK (bytes >= 0),
      queued INTEGER NOT NULL,
      attempts INTEGER NOT NULL DEFAULT 0,
      begun INTEGER NOT NULL DEFAULT 0 CHECK (begun IN (0, 1)),
      last_answer TEXT,
      next_attempt INTEGER
    ) STRICT;

    CREATE TABLE setting (
      agency TEXT NOT NULL,
      inspector TEXT NOT NULL,
      name TEXT NOT NULL,
      value TEXT NOT NULL,
      PRIMARY KEY (agency, inspector, name)
    ) STRICT;
    """

  private static let second = """
    CREATE TABLE sign_in (
      agency TEXT NOT NULL,
      inspector TEXT NOT NULL,
      name TEXT,
      office TEXT NOT NULL,
      authority TEXT NOT NULL,
      token TEXT,
      time INTEGER NOT NULL,
      active INTEGER CHECK (active = 1),
      PRIMARY KEY (agency, inspector),
      CHECK (active IS NULL OR token IS NOT NULL)
    ) STRICT;
    CREATE UNIQUE INDEX sign_in_one_at_a_time ON sign_in (active);

    CREATE TABLE batch (
      id TEXT PRIMARY KEY,
      agency TEXT NOT NULL,
      inspector TEXT NOT NULL,
      key TEXT NOT NULL,
      head INTEGER NOT NULL,
      made INTEGER NOT NULL,
      message BLOB NOT NULL,
      delivered INTEGER,
      receipt TEXT,
      CHECK ((delivered IS NULL) = (receipt IS NULL))
    ) STRICT;
    CREATE TRIGGER batch_message_is_never_changed BEFORE UPDATE OF message ON batch
      BEGIN SELECT RAISE(ABORT, 'a batch is never changed'); END;

    CREATE TABLE delivered_record (
      id TEXT PRIMARY KEY REFERENCES link (id),
      agency TEXT NOT NULL,
      inspector TEXT NOT NULL,
      batch TEXT NOT NULL REFERENCES batch (id)
    ) STRICT;

    CREATE TABLE task_order (
      task TEXT NOT NULL REFERENCES task (id),
      revision INTEGER NOT NULL,
      agency TEXT NOT NULL,
      inspector TEXT NOT NULL,
      name TEXT NOT NULL,
      type TEXT,
      instructions TEXT,
      due INTEGER,
      parcel_identifier TEXT,
      parcel_rings TEXT,
      replaced INTEGER NOT NULL,
      PRIMARY KEY (task, revision)
    ) STRICT;

    ALTER TABLE outbox ADD COLUMN batch TEXT REFERENCES batch (id);
    ALTER TABLE track ADD COLUMN delivered INTEGER;
    """

  /// Lists each photo and track of a waiting whole by itself in the outbox; a begun batch keeps its
  /// contents.
  private static let third = """
    CREATE TABLE outbox_3 (
      id TEXT PRIMARY KEY,
      agency TEXT NOT NULL,
      inspector TEXT NOT NULL,
      kind TEXT NOT NULL CHECK (kind IN ('task', 'photo', 'track', 'note')),
      task TEXT REFERENCES task (id),
      whole TEXT NOT NULL,
      digest TEXT,
      bytes INTEGER NOT NULL CHECK (bytes >= 0),
      queued INTEGER NOT NULL,
      attempts INTEGER NOT NULL DEFAULT 0,
      begun INTEGER NOT NULL DEFAULT 0 CHECK (begun IN (0, 1)),
      last_answer TEXT,
      next_attempt INTEGER,
      batch TEXT REFERENCES batch (id),
      alone INTEGER NOT NULL DEFAULT 0 CHECK (alone IN (0, 1))
    ) STRICT;
    INSERT INTO outbox_3 (id, agency, inspector, kind, task, whole, digest, bytes, queued, attempts,
        begun, last_answer, next_attempt, batch)
      SELECT outbox.id, agency, inspector, kind, task, coalesce(task, outbox.id),
        CASE kind
          WHEN 'task' THEN (SELECT record_digest FROM link WHERE link.kind = 'transition'
            AND json_extract(record, '$.task.id') = outbox.id ORDER BY sequence DESC LIMIT 1)
          WHEN 'photo' THEN (SELECT file_digest FROM photo WHERE photo.id = outbox.id)
          ELSE (SELECT file_digest FROM link WHERE link.id = outbox.id) END,
        CASE kind WHEN 'task' THEN 0 ELSE bytes END, queued, attempts, begun, last_answer,
        next_attempt, batch
      FROM outbox;
    INSERT OR IGNORE INTO outbox_3 (id, agency, inspector, kind, task, whole, digest, bytes, queued,
        attempts, begun, last_answer, next_attempt, batch)
      SELECT photo.id, photo.agency, photo.inspector, 'photo', photo.task, photo.task,
        photo.file_digest, photo.bytes, outbox.queued, outbox.attempts, outbox.begun,
        outbox.last_answer, outbox.next_attempt, outbox.batch
      FROM photo JOIN outbox ON outbox.id = photo.task
      WHERE photo.sent IS NOT NULL AND photo.delivered IS NULL AND photo.deleted IS NULL;
    INSERT OR IGNORE INTO outbox_3 (id, agency, inspector, kind, task, whole, digest, bytes, queued,
        attempts, begun, last_answer, next_attempt, batch)
      SELECT track.id, track.agency, track.inspector, 'track', track.task, track.task,
        (SELECT file_digest FROM link WHERE link.id = track.id), coalesce(track.bytes, 0),
        outbox.queued, outbox.attempts, outbox.begun, outbox.last_answer, outbox.next_attempt,
        outbox.batch
      FROM track JOIN outbox ON outbox.id = track.task
      WHERE track.sent IS NOT NULL AND track.delivered IS NULL AND track.deleted IS NULL;
    DROP TABLE outbox;
    ALTER TABLE outbox_3 RENAME TO outbox;
    CREATE INDEX outbox_by_whole ON outbox (agency, inspector, whole);
    CREATE INDEX outbox_by_batch ON outbox (batch);

    ALTER TABLE photo ADD COLUMN confirmed INTEGER;
    ALTER TABLE photo ADD COLUMN removed INTEGER;
    ALTER TABLE track ADD COLUMN confirmed INTEGER;
    ALTER TABLE batch ADD COLUMN forgotten INTEGER;
    ALTER TABLE batch ADD COLUMN office TEXT;
    ALTER TABLE batch ADD COLUMN tried INTEGER NOT NULL DEFAULT 0 CHECK (tried IN (0, 1));
    ALTER TABLE sign_in ADD COLUMN tls_certificate TEXT;

    CREATE TABLE transition_elsewhere (
      id TEXT PRIMARY KEY,
      agency TEXT NOT NULL,
      inspector TEXT NOT NULL,
      task TEXT NOT NULL REFERENCES task (id),
      action TEXT NOT NULL,
      from_state TEXT NOT NULL,
      to_state TEXT NOT NULL,
      person TEXT NOT NULL,
      role TEXT NOT NULL,
      time INTEGER NOT NULL,
      reason TEXT
    ) STRICT;
    CREATE INDEX transition_elsewhere_by_task ON transition_elsewhere (task);
    CREATE INDEX delivered_record_by_batch ON delivered_record (batch);
    CREATE INDEX link_by_task ON link (json_extract(record, '$.task.id'));
    CREATE INDEX link_by_noted_photo ON link (json_extract(record, '$.note.photo'));
    CREATE INDEX link_by_deleted ON link (json_extract(record, '$.deletion.id'));
    """
}
