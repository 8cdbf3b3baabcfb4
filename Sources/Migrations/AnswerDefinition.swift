/// The tables of the answers to items of orders. `answer` holds the member of this name of the sealed
/// record.
enum AnswerDefinition {
  /// The office keeps each word on an item; the last one that was not late counts.
  static let atOffice = """
    CREATE TABLE item_answer (
      id TEXT PRIMARY KEY,
      agency TEXT NOT NULL,
      inspector TEXT NOT NULL,
      task TEXT NOT NULL REFERENCES task (id),
      revision INTEGER,
      item TEXT NOT NULL,
      answered INTEGER NOT NULL,
      received INTEGER NOT NULL,
      late INTEGER NOT NULL CHECK (late IN (0, 1)),
      answer TEXT NOT NULL CHECK (json_valid(answer))
    ) STRICT;
    CREATE INDEX item_answer_by_task ON item_answer (agency, task, late, item, answered);
    CREATE TRIGGER item_answer_is_never_changed BEFORE UPDATE ON item_answer
      BEGIN SELECT RAISE(ABORT, 'an answer is never changed'); END;
    """

  /// A device keeps the last word on each item. The kinds of records are checked by their table, and
  /// SQLite changes no check: the table is made again.
  static let onDevice = """
    CREATE TABLE link_9 (
      key TEXT NOT NULL,
      sequence INTEGER NOT NULL CHECK (sequence >= 1),
      agency TEXT NOT NULL,
      inspector TEXT NOT NULL,
      id TEXT NOT NULL UNIQUE,
      kind TEXT NOT NULL CHECK (kind IN
        ('capture', 'track', 'note', 'transition', 'deletion', 'around', 'turn', 'answer')),
      record TEXT NOT NULL CHECK (json_valid(record)),
      record_digest TEXT NOT NULL,
      jws TEXT NOT NULL,
      jws_digest TEXT NOT NULL,
      file_digest TEXT,
      raw_digest TEXT,
      PRIMARY KEY (key, sequence)
    ) STRICT;
    INSERT INTO link_9 SELECT key, sequence, agency, inspector, id, kind, record, record_digest, jws,
      jws_digest, file_digest, raw_digest FROM link;
    DROP TABLE link;
    ALTER TABLE link_9 RENAME TO link;
    CREATE TRIGGER link_is_never_changed BEFORE UPDATE ON link
      BEGIN SELECT RAISE(ABORT, 'a link is never changed'); END;
    CREATE TRIGGER link_is_never_deleted BEFORE DELETE ON link
      BEGIN SELECT RAISE(ABORT, 'a link is never deleted'); END;
    CREATE INDEX link_by_task ON link (json_extract(record, '$.task.id'));
    CREATE INDEX link_by_noted_photo ON link (json_extract(record, '$.note.photo'));
    CREATE INDEX link_by_deleted ON link (json_extract(record, '$.deletion.id'));

    CREATE TABLE item_answer (
      task TEXT NOT NULL REFERENCES task (id),
      item TEXT NOT NULL,
      agency TEXT NOT NULL,
      inspector TEXT NOT NULL,
      record TEXT NOT NULL REFERENCES link (id),
      answered INTEGER NOT NULL,
      answer TEXT NOT NULL CHECK (json_valid(answer)),
      PRIMARY KEY (task, item)
    ) STRICT, WITHOUT ROWID;
    """
}
