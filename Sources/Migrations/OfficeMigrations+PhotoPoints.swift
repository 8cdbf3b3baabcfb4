extension OfficeMigrations {
  /// Photo points that were withdrawn. Few are, so that they have an index of their own.
  static let withdrawnPoints = """
    ALTER TABLE photo_point ADD COLUMN withdrawn INTEGER;
    CREATE INDEX photo_point_withdrawn ON photo_point (agency, made DESC, id DESC)
      WHERE withdrawn IS NOT NULL;
    """

  /// Photo points and their repeats. A point may come after a photo that repeats it, so that no row
  /// refers to it.
  static let photoPoints = """
    CREATE TABLE photo_point (
      number INTEGER PRIMARY KEY,
      \(PhotoPointDefinition.columns)
      UNIQUE (id),
      UNIQUE (agency, code)
    ) STRICT;
    CREATE INDEX photo_point_by_made ON photo_point (agency, made DESC, id DESC);
    CREATE INDEX photo_point_by_photo ON photo_point (agency, photo);
    CREATE VIRTUAL TABLE photo_point_place USING rtree (
      number, west, east, south, north, least_agency, most_agency);

    CREATE TABLE photo_repeat (
      photo TEXT PRIMARY KEY REFERENCES photo (id),
      agency TEXT NOT NULL,
      point TEXT NOT NULL,
      taken INTEGER NOT NULL,
      digest TEXT NOT NULL,
      claims TEXT NOT NULL CHECK (json_valid(claims)),
      state TEXT CHECK (state IN ('displaced', 'unlike', 'failed')),
      inliers INTEGER,
      displacement REAL CHECK (displacement >= 0),
      measured INTEGER
    ) STRICT;
    CREATE INDEX photo_repeat_by_point ON photo_repeat (agency, point, taken);
    CREATE INDEX photo_repeat_unmeasured ON photo_repeat (agency) WHERE state IS NULL;

    ALTER TABLE task ADD COLUMN repeats TEXT CHECK (repeats IS NULL OR json_valid(repeats));
    ALTER TABLE task_order ADD COLUMN repeats TEXT CHECK (repeats IS NULL OR json_valid(repeats));
    CREATE TABLE photo_point_reason (
      task TEXT NOT NULL REFERENCES task (id),
      point TEXT NOT NULL,
      agency TEXT NOT NULL,
      text TEXT NOT NULL,
      PRIMARY KEY (task, point)
    ) STRICT;
    """
}
