import Foundation
import GRDB
import Store
import Sync

extension TileArchive {
  /// Returns the tiles in some areas, in the order of zooms, columns and rows. Tiles of more than
  /// `TileExtract.maximumTileBytes`, and empty ones, are left out.
  /// - Returns: nil if the tiles have more than `TileExtract.maximumBytes` together.
  /// - Throws: `StoreError.unavailable` if the file cannot be read.
  public func extract(_ areas: [TileExtract.Area]) throws -> TileExtract? {
    do {
      return try database.read { database in
        try time.within(patience.extractSeconds) { try extract(areas, of: database) }
      }
    } catch let error as DatabaseError {
      throw StoreError.unavailable(path: name + ".mbtiles", reason: ForeignFile.words(error))
    } catch {
      throw StoreError.unavailable(path: name + ".mbtiles", reason: "\(error)")
    }
  }

  private func extract(
    _ areas: [TileExtract.Area], of database: Database
  ) throws -> TileExtract? {
    var tiles: [TileExtract.Tile] = []
    var bytes = 0
    for area in areas where zooms.contains(area.zoom) {
      // MBTiles counts rows from the south.
      let last = (1 << area.zoom) - 1
      // One query for each area: an archive without an index is walked once for it, not once for each tile.
      let rows = try Row.fetchCursor(
        database.cachedStatement(
          sql: """
            SELECT tile_column, tile_row, \(Self.boundedData) FROM tiles
            WHERE zoom_level = :zoom AND tile_column BETWEEN :west AND :east
            AND tile_row BETWEEN :south AND :north
            """),
        arguments: [
          "most": TileExtract.maximumTileBytes, "zoom": area.zoom, "west": area.columns.lowerBound,
          "east": area.columns.upperBound,
          "south": last - area.rows.upperBound, "north": last - area.rows.lowerBound,
        ])
      var found: [TileExtract.Place: [UInt8]] = [:]
      while let row = try rows.next() {
        guard let x = Int.fromDatabaseValue(row[0]), let y = Int.fromDatabaseValue(row[1]),
          let data = Data.fromDatabaseValue(row[2]), !data.isEmpty,
          data.count <= TileExtract.maximumTileBytes
        else { continue }
        let place = TileExtract.Place(zoom: area.zoom, x: x, y: last - y)
        guard found[place] == nil else { continue }
        bytes += data.count
        guard bytes <= TileExtract.maximumBytes else { return nil }
        found[place] = Array(data)
      }
      tiles += found.sorted { $0.key < $1.key }.map { place, bytes in
        TileExtract.Tile(place: place, bytes: bytes)
      }
    }
    return TileExtract(tiles: tiles)
  }
}
