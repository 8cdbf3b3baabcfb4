import GRDB
import Inspection
import Positioning

extension AgencySession {
  /// Takes all parcels that were staged, each under its identifier: as a new one, or in the place of the one
  /// before. It is the last step of an import, and the only one that others wait for.
  ///
  /// Within `OfficeStore.takeParcels` alone.
  /// - Returns: how many were new, known otherwise, and known as they are.
  public func keepStagedParcels(
    at time: DeviceTime
  ) throws -> (new: Int, changed: Int, unchanged: Int) {
    // New ones get numbers behind all that there are.
    let known = try Row.fetchOne(
      database,
      sql: "SELECT count(*) AS count, max(number) AS last FROM parcel WHERE agency = :agency",
      arguments: arguments())
    let staged =
      try Int.fetchOne(
        database, sql: "SELECT count(*) FROM staging.staged_parcel WHERE agency = :agency",
        arguments: arguments()) ?? 0
    try database.execute(
      sql: "INSERT OR IGNORE INTO map_agency (agency) VALUES (:agency)", arguments: arguments())
    // Before the outlines change: a new crop moves no parcel. One that was on both sides of the
    // antimeridian may have left one of them.
    try database.execute(
      sql: """
        DELETE FROM parcel_place WHERE number IN (
          SELECT 2 * parcel.number + 1 FROM staging.staged_parcel AS staged
          CROSS JOIN parcel ON parcel.agency = :agency AND parcel.identifier = staged.identifier
          WHERE staged.agency = :agency AND parcel.outline IS NOT staged.outline)
        AND least_agency = (SELECT number FROM map_agency WHERE agency = :agency)
        """, arguments: arguments())
    try placeStaged("parcel.outline IS NOT staged.outline", arguments())
    try database.execute(
      sql: """
        INSERT INTO parcel (agency, identifier, revision, imported, name, crop, type, area,
          determined, outline)
        SELECT :agency, identifier, 1, :imported, name, crop, type, area, determined, outline
        FROM staging.staged_parcel WHERE agency = :agency ORDER BY place
        ON CONFLICT (agency, identifier) DO UPDATE SET revision = parcel.revision + 1,
          imported = excluded.imported, name = excluded.name, crop = excluded.crop,
          type = excluded.type, area = excluded.area, determined = excluded.determined,
          outline = excluded.outline
        WHERE parcel.outline IS NOT excluded.outline OR parcel.name IS NOT excluded.name
          OR parcel.crop IS NOT excluded.crop OR parcel.type IS NOT excluded.type
          OR parcel.area IS NOT excluded.area OR parcel.determined IS NOT excluded.determined
        """, arguments: arguments(["imported": time.millisecondsSince1970]))
    let written = database.changesCount
    try placeStaged("parcel.number > :last", arguments(["last": (known?["last"] as Int64?) ?? 0]))
    let new = try parcelCount() - (known?["count"] ?? 0)
    return (new, written - new, staged - written)
  }

  /// Keeps where those of the staged parcels lie that fulfil a condition: the one place where an import
  /// writes the tree.
  private func placeStaged(_ condition: String, _ values: StatementArguments) throws {
    try database.execute(
      sql: """
        INSERT OR REPLACE INTO parcel_place (number, west, east, south, north, least_agency,
          most_agency, points)
        SELECT 2 * parcel.number + box.side, box.west, box.east, box.south, box.north,
          map_agency.number, map_agency.number + 0.5, box.points
        FROM staging.staged_parcel AS staged
        CROSS JOIN parcel ON parcel.agency = :agency AND parcel.identifier = staged.identifier
        CROSS JOIN staging.staged_box AS box ON box.place = staged.place
        CROSS JOIN map_agency ON map_agency.agency = :agency
        WHERE staged.agency = :agency AND \(condition)
        """, arguments: values)
  }
}
