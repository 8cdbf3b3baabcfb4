extension OfficeMigrations {
  /// The registers' parcels on the map, found by a rectangle and an agency; and tasks by their parcel.
  ///
  /// `parcel_place` has a parcel's rectangles: the first under twice the parcel's number, and for a
  /// parcel on both sides of the antimeridian a second one under the next number. They are written
  /// together with the parcel, in the same transaction. An R*Tree keeps 32-bit numbers, rounded so
  /// that a rectangle only grows: a search finds candidates. Each rectangle has the number of the
  /// outline's points, so that a view with too many is refused before any outline is read.
  ///
  /// The agency's number is a dimension of its own in the tree, and everything of an agency extends
  /// half a unit along it. If nothing had an extent, every volume would be 0: the tree would choose
  /// the first branch for each entry, and a search would read nearly everything. The photos' tree
  /// was built that way, and is built again here.
  static let parcelMap = """
    INSERT OR IGNORE INTO map_agency (agency) SELECT agency FROM agency
      WHERE EXISTS (SELECT 1 FROM parcel WHERE parcel.agency = agency.agency);
    CREATE VIRTUAL TABLE parcel_tree USING rtree (
      number, west, east, south, north, least_agency, most_agency, +points INTEGER);
    INSERT INTO parcel_tree (number, west, east, south, north, least_agency, most_agency, points)
      SELECT 2 * parcel.number, place.min_lon, place.max_lon, place.min_lat, place.max_lat,
        map_agency.number, map_agency.number + 0.5,
        length(parcel.outline) - length(replace(parcel.outline, '[', ''))
      FROM parcel_place AS place CROSS JOIN parcel ON parcel.number = place.number
      CROSS JOIN map_agency ON map_agency.agency = parcel.agency;
    DROP TABLE parcel_place;
    ALTER TABLE parcel_tree RENAME TO parcel_place;

    CREATE VIRTUAL TABLE photo_tree USING rtree (
      number, west, east, south, north, least_agency, most_agency, +photo TEXT);
    INSERT INTO photo_tree (number, west, east, south, north, least_agency, most_agency, photo)
      SELECT number, west, east, south, north, least_agency, least_agency + 0.5, photo
      FROM photo_place;
    DROP TABLE photo_place;
    ALTER TABLE photo_tree RENAME TO photo_place;

    CREATE INDEX task_by_parcel ON task (agency, parcel_identifier)
      WHERE parcel_identifier IS NOT NULL;
    """
}
