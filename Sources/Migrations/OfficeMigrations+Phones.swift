extension OfficeMigrations {
  /// Phones with the EGNSS4CAP and EGNSS4ALL apps, in addition to the existing tasks, photos and tracks.
  ///
  /// From this migration on a photo's origin may be a phone. The table's check is widened in the
  /// schema's own text, as SQLite's manual describes for changes that touch no row: copying a
  /// million rows for one word would keep an office shut for minutes.
  ///
  /// The apps know users, tasks, photos and paths by whole numbers, and send no token. So numbers
  /// are drawn at random below 2^53, which every app and every JSON reader holds exactly: counting
  /// leads to none of them.
  static let phones = """
    PRAGMA writable_schema = ON;
    UPDATE sqlite_schema SET sql = replace(sql, 'origin IN (''camera'', ''imported'')',
      'origin IN (''camera'', ''imported'', ''egnss4cap'')')
      WHERE type = 'table' AND name = 'photo';
    PRAGMA writable_schema = RESET;

    CREATE TABLE phone_service (
      agency TEXT PRIMARY KEY REFERENCES agency (agency),
      prefix_digest TEXT UNIQUE,
      basic_login TEXT UNIQUE,
      basic_password TEXT,
      networks TEXT NOT NULL CHECK (json_valid(networks)),
      requests_per_second REAL NOT NULL CHECK (requests_per_second > 0),
      request_burst REAL NOT NULL CHECK (request_burst >= 1),
      logins_per_second REAL NOT NULL CHECK (logins_per_second > 0),
      login_burst REAL NOT NULL CHECK (login_burst >= 1),
      login_seconds REAL NOT NULL CHECK (login_seconds > 0),
      network_bits_4 INTEGER NOT NULL CHECK (network_bits_4 BETWEEN 0 AND 32),
      network_bits_6 INTEGER NOT NULL CHECK (network_bits_6 BETWEEN 0 AND 128),
      zone TEXT NOT NULL,
      changed INTEGER NOT NULL,
      CHECK ((basic_login IS NULL) = (basic_password IS NULL))
    ) STRICT;

    CREATE TABLE phone_number (
      number INTEGER PRIMARY KEY CHECK (number BETWEEN 1 AND 9007199254740991),
      agency TEXT NOT NULL REFERENCES agency (agency),
      kind TEXT NOT NULL CHECK (kind IN ('user', 'task', 'photo', 'track')),
      subject TEXT NOT NULL,
      UNIQUE (agency, kind, subject)
    ) STRICT;

    CREATE TABLE phone_login (
      agency TEXT NOT NULL,
      login TEXT NOT NULL REFERENCES person (login),
      network TEXT NOT NULL,
      began INTEGER NOT NULL,
      PRIMARY KEY (agency, login, network)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE phone_photo (
      photo TEXT PRIMARY KEY REFERENCES photo (id),
      agency TEXT NOT NULL,
      inspector TEXT NOT NULL,
      file_digest TEXT NOT NULL,
      user_number TEXT NOT NULL,
      created TEXT,
      digest TEXT,
      digest_holds INTEGER CHECK (digest_holds IN (0, 1)),
      fields TEXT NOT NULL CHECK (json_valid(fields)),
      received INTEGER NOT NULL
    ) STRICT;
    CREATE UNIQUE INDEX phone_photo_once
      ON phone_photo (agency, inspector, file_digest, coalesce(created, ''));
    CREATE TRIGGER phone_photo_is_never_changed BEFORE UPDATE ON phone_photo
      BEGIN SELECT RAISE(ABORT, 'what a phone sent is never changed'); END;

    CREATE TABLE phone_track (
      track TEXT PRIMARY KEY REFERENCES track (id),
      agency TEXT NOT NULL,
      inspector TEXT NOT NULL,
      content_digest TEXT NOT NULL,
      fields TEXT NOT NULL CHECK (json_valid(fields)),
      points TEXT NOT NULL CHECK (json_valid(points)),
      received INTEGER NOT NULL,
      UNIQUE (agency, inspector, content_digest)
    ) STRICT;
    CREATE TRIGGER phone_track_is_never_changed BEFORE UPDATE ON phone_track
      BEGIN SELECT RAISE(ABORT, 'what a phone sent is never changed'); END;
    """
}
