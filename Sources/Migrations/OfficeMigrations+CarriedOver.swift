extension OfficeMigrations {
  /// The things that came from older offices' databases: their numbers there, and the facts there
  /// that have no place of their own here. A phone may send a photo again that was carried over, so
  /// that photos are also looked up by the app's digest.
  static let carriedOver = """
    CREATE TABLE carried_over (
      agency TEXT NOT NULL REFERENCES agency (agency),
      source TEXT NOT NULL CHECK (source <> ''),
      kind TEXT NOT NULL CHECK (kind IN ('agency', 'user', 'task', 'photo', 'track')),
      number INTEGER NOT NULL,
      inspector TEXT,
      subject TEXT NOT NULL,
      marks TEXT NOT NULL CHECK (json_valid(marks)),
      facts TEXT NOT NULL CHECK (json_valid(facts)),
      time INTEGER NOT NULL,
      PRIMARY KEY (agency, source, kind, number)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX carried_over_by_subject ON carried_over (agency, kind, subject);
    CREATE TRIGGER carried_over_is_never_changed BEFORE UPDATE ON carried_over
      BEGIN SELECT RAISE(ABORT, 'what was carried over is never changed'); END;
    CREATE INDEX phone_photo_by_digest ON phone_photo (agency, inspector, digest)
      WHERE digest IS NOT NULL;
    """
}
