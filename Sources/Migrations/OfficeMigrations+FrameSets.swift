extension OfficeMigrations {
  /// Sets of frames; what is known of each frame is in the sealed list, a file.
  static let frameSets = """
    CREATE TABLE frame_set (
      id TEXT PRIMARY KEY,
      agency TEXT NOT NULL,
      inspector TEXT NOT NULL,
      task TEXT REFERENCES task (id),
      late_task TEXT REFERENCES task (id),
      kind TEXT NOT NULL CHECK (kind IN ('around', 'turn')),
      started INTEGER NOT NULL,
      ended INTEGER NOT NULL,
      latitude REAL NOT NULL CHECK (latitude BETWEEN -90 AND 90),
      longitude REAL NOT NULL CHECK (longitude BETWEEN -180 AND 180),
      sectors INTEGER NOT NULL CHECK (sectors > 0),
      filled INTEGER NOT NULL CHECK (filled BETWEEN 0 AND sectors),
      complete INTEGER NOT NULL CHECK (complete IN (0, 1)),
      simulated INTEGER NOT NULL CHECK (simulated IN (0, 1)),
      delivered INTEGER NOT NULL,
      deleted INTEGER,
      deleted_reason TEXT,
      hidden INTEGER,
      CHECK ((deleted IS NULL) = (deleted_reason IS NULL))
    ) STRICT;
    CREATE INDEX frame_set_by_task ON frame_set (agency, task);
    CREATE INDEX frame_set_late ON frame_set (agency, late_task) WHERE late_task IS NOT NULL;
    """
}
