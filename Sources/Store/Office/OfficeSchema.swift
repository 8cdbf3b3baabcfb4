import GRDB
import Geodesy
import Migrations

/// The history of the office's schema, with the steps that need more than SQL.
enum OfficeSchema {
  static var migrator: DatabaseMigrator {
    OfficeMigrations.migrator(dividingParcels: divideParcels, countingMap: countMap)
  }

  /// Counts the photos and tasks that an earlier version has kept.
  private static func countMap(_ database: Database) throws {
    for agency in try String.fetchAll(database, sql: "SELECT agency FROM agency") {
      try AgencySession(database: database, agency: agency).map.countEverything()
    }
  }

  /// Gives each parcel on both sides of the antimeridian one rectangle on each side, instead of one
  /// all round the Earth.
  private static func divideParcels(_ database: Database) throws {
    let rows = try Row.fetchAll(
      database,
      sql: """
        SELECT parcel.* FROM parcel_place AS place
        CROSS JOIN parcel ON parcel.number = place.number / 2
        WHERE place.west < -179 AND place.east > 179
        """)
    for row in rows {
      let number: Int64 = row["number"]
      let columns = ParcelColumns(try ParcelColumns.parcel(row).declared)
      // The rectangle all round the Earth has the first number, and is replaced.
      for (side, box) in columns.boxes.enumerated() {
        try database.execute(
          sql: """
            INSERT OR REPLACE INTO parcel_place (number, west, east, south, north, least_agency,
              most_agency, points)
            SELECT :place, :west, :east, :south, :north, number, number + 0.5, :points
            FROM map_agency WHERE agency = :agency
            """,
          arguments: [
            "place": 2 * number + Int64(side), "west": box.west, "east": box.east,
            "south": box.south, "north": box.north, "points": columns.points,
            "agency": row["agency"] as String,
          ])
      }
    }
  }
}
