import GRDB
import Geodesy
import Inspection
import TimeAndText

// The extent of an agency's things: the view with which a map opens.
extension MapTable {
  /// Returns the part of the world that holds the agency's things, to a cell of the finest level;
  /// nil if none of them has a place.
  /// - Parameter filter: the tasks to consider; nil for all things, photos without a task included.
  public func extent(_ filter: TaskFilter? = nil, at now: DeviceTime) throws -> CoordinateBox? {
    let grid = MapGrid(level: Self.finestLevel)
    guard let filter else { return grid.smallestBox(around: try edges()) }
    let (condition, values) = filter.condition(at: now, areFew: try areFew(filter))
    let sql = try extentSQL(filter, condition)
    let rows = try Row.fetchAll(database, sql: sql, arguments: arguments(values))
    return grid.smallestBox(around: rows.map(Self.area))
  }

  // Without the agency in the join, SQLite would scan all cells for each task.
  private func extentSQL(_ filter: TaskFilter, _ condition: String) throws -> String {
    let source =
      try areFew(filter)
      ? "task INDEXED BY \(VisibleRows.taskByIdentifier)" : source(of: filter)
    return """
      SELECT \(Self.areaSQL) FROM \(source)
      CROSS JOIN task_cell AS cell ON cell.agency = :agency AND cell.task = task.id
      WHERE task.agency = :agency AND (\(condition)) AND cell.photos + cell.tasks > 0
      GROUP BY cell.x >> \(Self.coarseShift)
      """
  }

  /// Returns SQLite's plan for the extent of a filter's tasks, for tests.
  func plan(ofExtent filter: TaskFilter, at now: DeviceTime) throws -> String {
    let (condition, values) = filter.condition(at: now, areFew: try areFew(filter))
    let sql = "EXPLAIN QUERY PLAN " + (try extentSQL(filter, condition))
    let rows = try Row.fetchAll(database, sql: sql, arguments: arguments(values))
    return rows.map { $0["detail"] as String }.joined(separator: "; ")
  }

  private func areFew(_ filter: TaskFilter) throws -> Bool {
    try VisibleRows(database: database, agency: agency, inspector: nil).areFew(filter)
  }

  /// The level of cells of some 40 km: even a large country has few of them.
  private static let coarseLevel = 10

  private static let coarseShift = finestLevel - coarseLevel

  private static let areaSQL = """
    min(cell.x) AS "left", max(cell.x) AS "right", min(cell.y) AS "top", max(cell.y) AS "bottom"
    """

  private static func area(_ row: Row) -> MapGrid.Area {
    let (left, right): (Int, Int) = (row["left"], row["right"])
    let (top, bottom): (Int, Int) = (row["top"], row["bottom"])
    return MapGrid.Area(columns: left...max(left, right), rows: top...max(top, bottom))
  }

  /// Returns the areas that the agency's things reach, one for each run of coarse columns without a
  /// gap. Each side of a run is followed from level to level, so that few cells are read of a large
  /// country.
  private func edges() throws -> [MapGrid.Area] {
    let coarse = try Row.fetchAll(
      database,
      sql: """
        SELECT DISTINCT x, y FROM map_cell WHERE agency = :agency AND level = \(Self.coarseLevel)
        AND photos + tasks > 0
        """, arguments: arguments()
    ).map { MapGrid.Cell(x: $0["x"], y: $0["y"]) }
    guard let top = try edge(of: coarse, isTop: true),
      let bottom = try edge(of: coarse, isTop: false)
    else { return [] }
    let columns = Set(coarse.map(\.x))
    let lefts = columns.filter { !columns.contains($0 - 1) }.sorted()
    let rights = columns.filter { !columns.contains($0 + 1) }.sorted()
    return try zip(lefts, rights).map { left, right in
      let (left, right) = (try side(of: left, isLeft: true), try side(of: right, isLeft: false))
      return MapGrid.Area(columns: left...max(left, right), rows: top...max(top, bottom))
    }
  }

  /// Returns the first or the last column of the finest level that has something, within a coarse
  /// column that has something.
  private func side(of column: Int, isLeft: Bool) throws -> Int {
    var column = column
    for level in (Self.coarseLevel + 1)...Self.finestLevel {
      let (outer, inner) = isLeft ? (2 * column, 2 * column + 1) : (2 * column + 1, 2 * column)
      let isOuter = try Bool.fetchOne(
        database.cachedStatement(
          sql: """
            SELECT EXISTS (SELECT 1 FROM map_cell WHERE agency = :agency AND level = :level
              AND x = :x AND photos + tasks > 0)
            """), arguments: arguments(["level": level, "x": outer]))
      column = isOuter == true ? outer : inner
    }
    return column
  }

  /// Returns the first or the last row of the finest level that has something; nil without cells.
  private func edge(of cells: [MapGrid.Cell], isTop: Bool) throws -> Int? {
    func outermost(_ cells: [MapGrid.Cell]) -> [MapGrid.Cell] {
      let rows = cells.map(\.y)
      guard let row = isTop ? rows.min() : rows.max() else { return [] }
      return cells.filter { $0.y == row }
    }
    var cells = outermost(cells)
    for level in (Self.coarseLevel + 1)...Self.finestLevel {
      var within: [MapGrid.Cell] = []
      for cell in cells {
        for x in [2 * cell.x, 2 * cell.x + 1] {
          within += try Row.fetchAll(
            database.cachedStatement(
              sql: """
                SELECT DISTINCT x, y FROM map_cell WHERE agency = :agency AND level = :level AND x = :x
                AND y BETWEEN :top AND :top + 1 AND photos + tasks > 0
                """), arguments: arguments(["level": level, "x": x, "top": 2 * cell.y])
          ).map { MapGrid.Cell(x: $0["x"], y: $0["y"]) }
        }
      }
      cells = outermost(within)
    }
    return cells.first?.y
  }
}
