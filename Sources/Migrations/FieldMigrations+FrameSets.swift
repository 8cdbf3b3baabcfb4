extension FieldMigrations {
  /// Adds sets of frames. The kinds of records and of entries in the outbox are checked by their
  /// tables, and SQLite changes no check: both tables are made again.
  static let frameSets = """
    CREATE TABLE link_6 (
      key TEXT NOT NULL,
      sequence INTEGER NOT NULL CHECK (sequence >= 1),
      agency TEXT NOT NULL,
      inspector TEXT NOT NULL,
      id TEXT NOT NULL UNIQUE,
      kind TEXT NOT NULL CHECK (kind IN
        ('capture', 'track', 'note', 'transition', 'deletion', 'around', 'turn')),
      record TEXT NOT NULL CHECK (json_valid(record)),
      record_digest TEXT NOT NULL,
      jws TEXT NOT NULL,
      jws_digest TEXT NOT NULL,
      file_digest TEXT,
      raw_digest TEXT,
      PRIMARY KEY (key, sequence)
    ) STRICT;
    INSERT INTO link_6 SELECT key, sequence, agency, inspector, id, kind, record, record_digest, jws,
      jws_digest, file_digest, raw_digest FROM link;
    DROP TABLE link;
    ALTER TABLE link_6 RENAME TO link;
    CREATE TRIGGER link_is_never_changed BEFORE UPDATE ON link
      BEGIN SELECT RAISE(ABORT, 'a link is never changed'); END;
    CREATE TRIGGER link_is_never_deleted BEFORE DELETE ON link
      BEGIN SELECT RAISE(ABORT, 'a link is never deleted'); END;
    CREATE INDEX link_by_task ON link (json_extract(record, '$.task.id'));
    CREATE INDEX link_by_noted_photo ON link (json_extract(record, '$.note.photo'));
    CREATE INDEX link_by_deleted ON link (json_extract(record, '$.deletion.id'));

    CREATE TABLE outbox_6 (
      id TEXT PRIMARY KEY,
      agency TEXT NOT NULL,
      inspector TEXT NOT NULL,
      kind TEXT NOT NULL CHECK (kind IN ('task', 'photo', 'track', 'note', 'set')),
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
    INSERT INTO outbox_6 SELECT id, agency, inspector, kind, task, whole, digest, bytes, queued,
      attempts, begun, last_answer, next_attempt, batch, alone FROM outbox;
    DROP TABLE outbox;
    ALTER TABLE outbox_6 RENAME TO outbox;
    CREATE INDEX outbox_by_whole ON outbox (agency, inspector, whole);
    CREATE INDEX outbox_by_batch ON outbox (batch);

    CREATE TABLE frame_set (
      id TEXT PRIMARY KEY REFERENCES link (id),
      agency TEXT NOT NULL,
      inspector TEXT NOT NULL,
      task TEXT REFERENCES task (id),
      kind TEXT NOT NULL CHECK (kind IN ('around', 'turn')),
      started INTEGER NOT NULL,
      ended INTEGER NOT NULL,
      latitude REAL NOT NULL CHECK (latitude BETWEEN -90 AND 90),
      longitude REAL NOT NULL CHECK (longitude BETWEEN -180 AND 180),
      sectors INTEGER NOT NULL CHECK (sectors > 0),
      filled INTEGER NOT NULL CHECK (filled BETWEEN 1 AND sectors),
      complete INTEGER NOT NULL CHECK (complete IN (0, 1)),
      bytes INTEGER NOT NULL CHECK (bytes > 0),
      simulated INTEGER NOT NULL CHECK (simulated IN (0, 1)),
      sent INTEGER,
      delivered INTEGER,
      confirmed INTEGER,
      removed INTEGER,
      deleted INTEGER,
      deleted_reason TEXT,
      CHECK (delivered IS NULL OR sent IS NOT NULL),
      CHECK (deleted IS NULL OR sent IS NULL)
    ) STRICT;
    CREATE INDEX frame_set_by_person ON frame_set (agency, inspector, task);
    """
}
