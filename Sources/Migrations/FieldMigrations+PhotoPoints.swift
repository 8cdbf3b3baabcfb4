extension FieldMigrations {
  /// Photo points and their repeats.
  static let photoPoints = """
    CREATE TABLE photo_point (
      number INTEGER PRIMARY KEY,
      inspector TEXT NOT NULL,
      \(PhotoPointDefinition.columns)
      waiting INTEGER NOT NULL CHECK (waiting IN (0, 1)),
      used INTEGER,
      UNIQUE (agency, inspector, id)
    ) STRICT;
    CREATE INDEX photo_point_by_code ON photo_point (agency, inspector, code);
    CREATE INDEX photo_point_by_photo ON photo_point (agency, inspector, photo);
    CREATE VIRTUAL TABLE photo_point_place USING rtree (number, west, east, south, north);

    CREATE TABLE photo_repeat (
      photo TEXT PRIMARY KEY REFERENCES photo (id),
      agency TEXT NOT NULL,
      inspector TEXT NOT NULL,
      point TEXT NOT NULL,
      digest TEXT NOT NULL,
      claims TEXT NOT NULL CHECK (json_valid(claims))
    ) STRICT;

    ALTER TABLE task ADD COLUMN repeats TEXT CHECK (repeats IS NULL OR json_valid(repeats));
    ALTER TABLE task_order ADD COLUMN repeats TEXT CHECK (repeats IS NULL OR json_valid(repeats));
    CREATE TABLE photo_point_reason (
      task TEXT NOT NULL REFERENCES task (id),
      point TEXT NOT NULL,
      agency TEXT NOT NULL,
      inspector TEXT NOT NULL,
      text TEXT NOT NULL,
      PRIMARY KEY (task, point)
    ) STRICT;

    -- An earlier program has dropped the photo points of orders: they are fetched once more.
    DELETE FROM setting WHERE name LIKE 'task-cursor%';
    """
}
