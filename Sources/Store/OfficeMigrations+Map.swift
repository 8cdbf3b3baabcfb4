import GRDB
import Geodesy

extension OfficeMigrations {
  /// What a map shows is counted where it changes, not where it is looked at: each level of the grid has
  /// the number of things in each of its cells and the sum of their coordinates, so that a million photos
  /// are a few dozen rows of any view. The finest level stands once more by task, for lists that are
  /// filtered. Single photos are found by their place.
  ///
  /// An officer may give a photo that came without a task to one, or hide it; both are the office's own
  /// remarks beside what was sealed.
  static let map = """
    CREATE VIRTUAL TABLE photo_place USING rtree (number, west, east, south, north, +agency TEXT, +photo TEXT);

    CREATE TABLE map_cell (
      agency TEXT NOT NULL,
      level INTEGER NOT NULL,
      x INTEGER NOT NULL,
      y INTEGER NOT NULL,
      photos INTEGER NOT NULL CHECK (photos >= 0),
      tasks INTEGER NOT NULL CHECK (tasks >= 0),
      latitudes REAL NOT NULL,
      longitudes REAL NOT NULL,
      PRIMARY KEY (agency, level, x, y)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE task_cell (
      agency TEXT NOT NULL,
      task TEXT NOT NULL REFERENCES task (id),
      x INTEGER NOT NULL,
      y INTEGER NOT NULL,
      photos INTEGER NOT NULL CHECK (photos >= 0),
      tasks INTEGER NOT NULL CHECK (tasks >= 0),
      latitudes REAL NOT NULL,
      longitudes REAL NOT NULL,
      PRIMARY KEY (agency, task, x, y)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX task_cell_by_place ON task_cell (agency, x, y, task, photos, tasks, latitudes, longitudes);

    ALTER TABLE photo ADD COLUMN assigned INTEGER;
    ALTER TABLE photo ADD COLUMN hidden INTEGER;
    ALTER TABLE track ADD COLUMN hidden INTEGER;
    CREATE INDEX photo_alone ON photo (agency, hidden, device_time DESC, id DESC, inspector, deleted)
      WHERE task IS NULL;
    """

  /// Counts what an earlier version has kept.
  static func fillMap(_ database: Database) throws {
    let agencies = try String.fetchAll(database, sql: "SELECT agency FROM agency")
    for agency in agencies {
      let session = AgencySession(database: database, agency: agency)
      try session.countEverything()
    }
  }
}
