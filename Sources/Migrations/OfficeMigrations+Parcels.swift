extension OfficeMigrations {
  /// The agencies' registers of parcels, and the names by which the agencies' own systems know tasks.
  ///
  /// `parcel_place` has the rectangle round each parcel under the parcel's number. It is written
  /// together with the parcel, in the same transaction. An R*Tree keeps 32-bit numbers, rounded so
  /// that a rectangle only grows: a search finds candidates. A parcel on both sides of the
  /// antimeridian has a rectangle all round the Earth.
  static let parcels = """
    CREATE TABLE parcel (
      number INTEGER PRIMARY KEY,
      agency TEXT NOT NULL REFERENCES agency (agency),
      identifier TEXT NOT NULL CHECK (identifier <> ''),
      revision INTEGER NOT NULL CHECK (revision >= 1),
      imported INTEGER NOT NULL,
      name TEXT,
      crop TEXT,
      type TEXT,
      area REAL CHECK (area > 0),
      determined INTEGER,
      outline TEXT NOT NULL CHECK (json_valid(outline)),
      UNIQUE (agency, identifier)
    ) STRICT;
    CREATE VIRTUAL TABLE parcel_place USING rtree (
      number, min_lon, max_lon, min_lat, max_lat, +agency TEXT
    );

    CREATE TABLE task_reference (
      agency TEXT NOT NULL,
      reference TEXT NOT NULL CHECK (reference <> ''),
      task TEXT NOT NULL REFERENCES task (id),
      PRIMARY KEY (agency, reference)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX task_reference_by_task ON task_reference (task);
    """
}
