extension OfficeMigrations {
  /// A record that comes after the office has decided on its task is kept with the task, but never
  /// becomes part of it: the decision is for what the officer saw. Photos and tracks name that task
  /// in `late_task`; a note is in a table of its own.
  ///
  /// The measures of a track (length, duration, area) are computed once, on arrival: its points
  /// never change.
  ///
  /// `chain_clock` says up to which link of a key the order of its times was checked. `raw_window`
  /// keeps the receiver's epochs on which each capture rests. New deliveries are compared with
  /// both.
  static let late = """
    ALTER TABLE photo ADD COLUMN late_task TEXT REFERENCES task (id);
    CREATE INDEX photo_late ON photo (agency, late_task) WHERE late_task IS NOT NULL;
    ALTER TABLE track ADD COLUMN late_task TEXT REFERENCES task (id);
    CREATE INDEX track_late ON track (agency, late_task) WHERE late_task IS NOT NULL;
    ALTER TABLE track ADD COLUMN points INTEGER CHECK (points >= 0);
    ALTER TABLE track ADD COLUMN length REAL CHECK (length >= 0);
    ALTER TABLE track ADD COLUMN duration REAL;
    ALTER TABLE track ADD COLUMN area REAL CHECK (area >= 0);
    ALTER TABLE track ADD COLUMN area_uncertainty REAL CHECK (area_uncertainty >= 0);
    CREATE TABLE late_note (
      id TEXT PRIMARY KEY,
      agency TEXT NOT NULL,
      inspector TEXT NOT NULL,
      task TEXT NOT NULL REFERENCES task (id),
      photo TEXT REFERENCES photo (id),
      text TEXT NOT NULL,
      received INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX late_note_by_task ON late_note (agency, task, received);
    CREATE TRIGGER late_note_is_never_changed BEFORE UPDATE ON late_note
      BEGIN SELECT RAISE(ABORT, 'a late note is never changed'); END;

    CREATE TABLE chain_clock (
      key TEXT PRIMARY KEY REFERENCES device (key),
      agency TEXT NOT NULL,
      sequence INTEGER NOT NULL CHECK (sequence >= 1),
      latest INTEGER
    ) STRICT;

    CREATE TABLE raw_window (
      photo TEXT PRIMARY KEY REFERENCES photo (id),
      agency TEXT NOT NULL,
      key TEXT NOT NULL,
      first INTEGER NOT NULL,
      last INTEGER NOT NULL,
      epochs BLOB NOT NULL CHECK (length(epochs) > 0 AND length(epochs) % 8 = 0)
    ) STRICT;
    CREATE INDEX raw_window_by_time ON raw_window (agency, last, first);
    """
}
