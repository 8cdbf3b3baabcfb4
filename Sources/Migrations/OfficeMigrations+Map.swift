extension OfficeMigrations {
  /// The map's numbers are counted when data change, not when the map is read: each level of the
  /// grid has the number of things in each of its cells and the sum of their coordinates, so that
  /// any view of a million photos is a few dozen rows. The finest level is kept a second time by
  /// task, for filtered lists. Single photos are found by their place.
  ///
  /// An officer may assign a photo that came without a task to a task, or hide it. Both are the
  /// office's own remarks, apart from the sealed record.
  static let map = """
    CREATE TABLE map_agency (
      number INTEGER PRIMARY KEY,
      agency TEXT NOT NULL UNIQUE
    ) STRICT;
    -- The agency's number is a direction of its own: nobody's view reads what is another's.
    CREATE VIRTUAL TABLE photo_place USING rtree (
      number, west, east, south, north, least_agency, most_agency, +photo TEXT);

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

    ALTER TABLE photo ADD COLUMN contradicted INTEGER NOT NULL DEFAULT 0 CHECK (contradicted IN (0, 1));
    CREATE TABLE task_tally (
      agency TEXT NOT NULL,
      task TEXT NOT NULL REFERENCES task (id),
      photos INTEGER NOT NULL,
      unchecked INTEGER NOT NULL,
      contradicted INTEGER NOT NULL,
      PRIMARY KEY (agency, task)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX task_contradicted ON task_tally (agency, task) WHERE contradicted > 0;
    CREATE INDEX task_unchecked ON task_tally (agency, task) WHERE unchecked > 0;

    ALTER TABLE photo ADD COLUMN assigned INTEGER;
    ALTER TABLE photo ADD COLUMN hidden INTEGER;
    ALTER TABLE track ADD COLUMN hidden INTEGER;
    CREATE INDEX photo_alone ON photo (agency, hidden, device_time DESC, id DESC, inspector, deleted)
      WHERE task IS NULL;
    """

  /// Makes the indexes of the list's orders again, each with the columns that most filters use: a
  /// task that a filter leaves out is passed over in the index, without reading its row.
  static let filteredOrders = """
    DROP INDEX task_by_review;
    CREATE INDEX task_by_review ON task (agency, (state <> 'dataProvided'), created DESC, id,
      state, inspector, type);
    DROP INDEX task_by_name;
    CREATE INDEX task_by_name ON task (agency, name COLLATE NOCASE, id,
      state, inspector, type);
    DROP INDEX task_by_inspector;
    CREATE INDEX task_by_inspector ON task (agency, inspector, created DESC, id,
      state, type);
    DROP INDEX task_by_due;
    CREATE INDEX task_by_due ON task (agency, (due IS NULL), coalesce(due, 0), id,
      state, inspector, type);
    DROP INDEX task_by_due_late;
    CREATE INDEX task_by_due_late ON task (agency, (due IS NULL), coalesce(due, 0) DESC, id DESC,
      state, inspector, type);
    DROP INDEX task_by_created;
    CREATE INDEX task_by_created ON task (agency, created, id,
      state, inspector, type);
    """

  /// The list's numbers of a task's photos are counted when a photo changes, too: these triggers
  /// see every change of a photo.
  static let tallies = """
    CREATE TRIGGER photo_is_counted AFTER INSERT ON photo
      WHEN NEW.task IS NOT NULL AND NEW.deleted IS NULL
      BEGIN INSERT INTO task_tally (agency, task, photos, unchecked, contradicted)
        VALUES (NEW.agency, NEW.task, 1, NEW.verdict IS NULL, NEW.contradicted)
        ON CONFLICT DO UPDATE SET photos = photos + 1, unchecked = unchecked + (NEW.verdict IS NULL),
          contradicted = contradicted + NEW.contradicted; END;
    CREATE TRIGGER photo_is_counted_anew AFTER UPDATE OF task, deleted, verdict, contradicted ON photo
      BEGIN
        UPDATE task_tally SET photos = photos - 1, unchecked = unchecked - (OLD.verdict IS NULL),
          contradicted = contradicted - OLD.contradicted
          WHERE OLD.deleted IS NULL AND agency = OLD.agency AND task = OLD.task;
        INSERT INTO task_tally (agency, task, photos, unchecked, contradicted)
          SELECT NEW.agency, NEW.task, 1, NEW.verdict IS NULL, NEW.contradicted
          WHERE NEW.task IS NOT NULL AND NEW.deleted IS NULL
          ON CONFLICT DO UPDATE SET photos = photos + 1, unchecked = unchecked + (NEW.verdict IS NULL),
            contradicted = contradicted + NEW.contradicted;
      END;
    UPDATE photo SET contradicted = 1 WHERE verdict IS NOT NULL AND (verdict <> 'intact' OR EXISTS (
      SELECT 1 FROM photo_check WHERE photo_check.photo = photo.id AND photo_check.outcome = 'contradicts'));
    DELETE FROM task_tally;
    INSERT INTO task_tally (agency, task, photos, unchecked, contradicted)
      SELECT agency, task, count(*), sum(verdict IS NULL), sum(contradicted) FROM photo
      WHERE task IS NOT NULL AND deleted IS NULL GROUP BY agency, task;
    """

  /// Keeps the places of the photos that an earlier version has kept. The last migration of the map
  /// counts them.
  static let photoPlaces = """
    INSERT OR IGNORE INTO map_agency (agency) SELECT DISTINCT agency FROM photo;
    INSERT INTO photo_place (west, east, south, north, least_agency, most_agency, photo)
      SELECT longitude, longitude, latitude, latitude, number, number, id
      FROM photo JOIN map_agency ON map_agency.agency = photo.agency
      WHERE deleted IS NULL AND hidden IS NULL;
    """

  /// A photo is counted in its year, a task in the year 0: a view of the map may be limited to a
  /// span of years.
  static let mapYears = """
    DROP TABLE map_cell;
    CREATE TABLE map_cell (
      agency TEXT NOT NULL,
      level INTEGER NOT NULL,
      x INTEGER NOT NULL,
      y INTEGER NOT NULL,
      year INTEGER NOT NULL,
      photos INTEGER NOT NULL CHECK (photos >= 0),
      tasks INTEGER NOT NULL CHECK (tasks >= 0),
      latitudes REAL NOT NULL,
      longitudes REAL NOT NULL,
      PRIMARY KEY (agency, level, x, y, year)
    ) STRICT, WITHOUT ROWID;

    DROP TABLE task_cell;
    CREATE TABLE task_cell (
      agency TEXT NOT NULL,
      task TEXT NOT NULL REFERENCES task (id),
      x INTEGER NOT NULL,
      y INTEGER NOT NULL,
      year INTEGER NOT NULL,
      photos INTEGER NOT NULL CHECK (photos >= 0),
      tasks INTEGER NOT NULL CHECK (tasks >= 0),
      latitudes REAL NOT NULL,
      longitudes REAL NOT NULL,
      PRIMARY KEY (agency, task, x, y, year)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX task_cell_by_place
      ON task_cell (agency, x, y, task, year, photos, tasks, latitudes, longitudes);

    -- The third direction is the agency's number times 256, and the years since 1900: a view of some
    -- years reads no photo of others.
    CREATE VIRTUAL TABLE photo_tree USING rtree (
      number, west, east, south, north, least_year, most_year, +photo TEXT);
    INSERT INTO photo_tree (number, west, east, south, north, least_year, most_year, photo)
      SELECT number, west, east, south, north, key, key + 0.5, photo FROM (
        SELECT photo_place.*, 256 * least_agency + min(max(coalesce(
          CAST(strftime('%Y', photo.device_time / 1000, 'unixepoch') AS INTEGER) - 1900, 0), 0), 255)
          AS key
        FROM photo_place LEFT JOIN photo ON photo.id = photo_place.photo);
    DROP TABLE photo_place;
    ALTER TABLE photo_tree RENAME TO photo_place;
    """
}
