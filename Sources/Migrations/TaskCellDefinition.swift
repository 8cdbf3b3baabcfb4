/// The cells of the map by task, for views with a filter.
enum TaskCellDefinition {
  /// `task_cell` holds all years together, as most views read it; `task_year_cell` holds each year by
  /// itself. Both are counted behind this step.
  static let atOffice = """
    ALTER TABLE task_cell RENAME TO task_year_cell;
    DELETE FROM task_year_cell;
    DROP INDEX task_cell_by_place;
    CREATE INDEX task_year_cell_by_place
      ON task_year_cell (agency, x, y, task, year, photos, tasks, latitudes, longitudes);

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
    CREATE INDEX task_cell_by_place
      ON task_cell (agency, x, y, task, photos, tasks, latitudes, longitudes);
    """
}
