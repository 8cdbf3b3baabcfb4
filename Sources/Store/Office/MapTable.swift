import GRDB
import Geodesy
import Inspection
import Positioning
import Sync
import TimeAndText

// The problem: a map of a million photos, for any view, without a noticeable wait.
//
// The obvious idea: read the photos in the view and count them by cells. The widest view reads everything.
//
// The solution: `map_cell` has the counts of each cell of each level, and is changed in the
// transaction that changes the things counted. A view reads the cells of the level that fits it,
// some hundred rows. For a list's filter no count can be kept ready: instead the finest cells of
// each task, a row or two a task, are summed for the tasks that the filter lets through.
//
// Cost: some 18 rows written for a photo or a task, once; O(cells in the view) for each view.

/// A group of things that are near each other.
public struct MapCluster: Hashable, Sendable {
  /// A thing that is alone in its cluster.
  public enum Single: Hashable, Sendable {
    case photo(Identifier)
    case task(Identifier)
  }

  /// The mean of their places.
  public let place: Coordinate
  /// The number of photos.
  public let photos: Int
  /// The number of tasks, each at the middle of its parcel.
  public let tasks: Int
  /// The cell of the grid in which they are counted: all of them lie in it.
  public let box: CoordinateBox
  /// The only thing; nil if there are more, or if it was changed while it was looked up.
  public internal(set) var single: Single?
}

/// The number of things that a view touches.
public struct MapTally: Hashable, Sendable {
  /// The photos of each year that has some.
  public var photosByYear: [Int: Int] = [:]
  /// The tasks, each at the middle of its parcel.
  public var tasks = 0

  /// Returns the number of photos in a span of years; nil for all photos.
  public func photos(in years: YearSpan?) -> Int {
    photosByYear.reduce(0) { sum, one in
      years.map { ($0.first...$0.last).contains(one.key) } ?? true ? sum + one.value : sum
    }
  }
}

/// A photo on the map.
public struct PlacedPhoto: Hashable, Sendable {
  /// The photo's identifier.
  public let id: Identifier
  /// The task it belongs to; nil for a photo without a task.
  public let task: Identifier?
  /// The place where it was taken.
  public let place: Coordinate
  /// The uncertainty of the place, metres at 95 %; nil if unknown.
  public let uncertaintyMetres95: Double?
  /// The height above the ellipsoid, metres; nil if unknown.
  public let ellipsoidalHeightMetres: Double?
  /// The direction of the lens, degrees from true north; nil if unknown.
  public let azimuthDegreesTrue: Double?
  /// The horizontal field of view, degrees.
  public let viewDegrees: Double
  /// The device time when it was taken.
  public let time: DeviceTime
}

/// The places of an agency's photos and tasks, counted for maps.
public struct MapTable: AgencyTable {
  let database: Database
  let agency: String
  /// The photos and tasks of the agency from which on fine columns are looked up one by one.
  var thingsOfLongColumns = ColumnWalk.leastThings

  init(database: Database, agency: String) {
    (self.database, self.agency) = (database, agency)
  }
}

extension MapTable {
  /// The finest level that is counted: cells of some 150 m at the equator.
  static let finestLevel = 18

  /// Returns the things in a view, counted in cells of a level.
  /// - Parameters:
  ///   - level: 1 ... 18; the nearest of these for any other.
  ///   - filter: the tasks to count; nil for all things, photos without a task included.
  ///   - years: the years of the photos; tasks are not counted then. Nil for all photos and tasks.
  public func clusters(
    in box: CoordinateBox, level: Int, _ filter: TaskFilter? = nil, years: YearSpan? = nil,
    at now: DeviceTime
  ) throws -> [MapCluster] {
    let level = min(max(level, 1), Self.finestLevel)
    guard let filter else { return try allClusters(in: box, level: level, years) }
    let shift = Self.finestLevel - level
    // A number is compared sooner than an identifier, and only a task that is alone is named.
    let rows = try filtered(
      "\(Self.sums), min(task.rowid) AS task, cell.x AS x, cell.y AS y",
      groups: "GROUP BY cell.x >> :shift, cell.y >> :shift", with: ["shift": shift], in: box,
      level: level, filter, years.map(Cells.ofYears) ?? .ofAllYears, at: now)
    return try rows.compactMap { row in
      let cell = MapGrid.Cell(x: row["x"] >> shift, y: row["y"] >> shift)
      guard var cluster = Self.cluster(row, of: cell, level: level) else { return nil }
      if cluster.photos + cluster.tasks == 1, let task = try task(ofRow: row["task"]) {
        try name(&cluster, .only(task), years)
      }
      return cluster
    }
  }

  /// Returns the number of a filter's things that a view touches, year by year.
  /// - Parameter level: the level of the cells, 1 ... 18; the nearest of these for any other.
  public func tally(
    in box: CoordinateBox, level: Int, _ filter: TaskFilter?, at now: DeviceTime
  ) throws -> MapTally {
    let level = min(max(level, 1), Self.finestLevel)
    let columns = "cell.year AS year, sum(cell.photos) AS photos, sum(cell.tasks) AS tasks"
    let rows =
      if let filter {
        try filtered(
          columns, groups: "GROUP BY cell.year", in: box, level: level, filter, .eachYear, at: now)
      } else { try cells(columns, groups: "GROUP BY year", in: box, level: level) }
    return rows.reduce(into: MapTally()) { tally, row in
      tally.tasks += row["tasks"] as Int
      let photos: Int = row["photos"]
      if photos > 0 { tally.photosByYear[row["year"], default: 0] += photos }
    }
  }

  /// Returns the first and the last year of which the agency has a photo; nil without photos.
  public func years() throws -> YearSpan? {
    let row = try Row.fetchOne(
      database.cachedStatement(
        sql: """
          SELECT min(year) AS first, max(year) AS last FROM map_cell
          WHERE agency = :agency AND level = 1 AND photos > 0
          """), arguments: arguments())
    guard let row, let first = row["first"] as Int?, let last = row["last"] as Int? else {
      return nil
    }
    // A device whose clock was set to a year without four digits hides no other year.
    return YearSpan(first: max(first, 1000), last: min(last, 9999))
  }

  private static let sums = """
    sum(cell.photos) AS photos, sum(cell.tasks) AS tasks, sum(cell.latitudes) AS latitudes,
    sum(cell.longitudes) AS longitudes
    """

  /// The cells of tasks that a view reads. A task whose photos are of several years has more rows when
  /// it is counted year by year, and few views ask for that (decision 36).
  private enum Cells {
    case ofAllYears
    case eachYear
    case ofYears(YearSpan)

    var table: String { if case .ofAllYears = self { "task_cell" } else { "task_year_cell" } }
  }

  /// Reads the cells of a filter's tasks in a view.
  private func filtered(
    _ columns: String, groups: String, with extras: [String: Int] = [:], in box: CoordinateBox,
    level: Int, _ filter: TaskFilter, _ cells: Cells, at now: DeviceTime
  ) throws -> [Row] {
    let (ranges, rows) = MapGrid(level: level).cells(of: box)
    let shift = Self.finestLevel - level
    let isFew = try things(in: box, level: level) < 20_000
    let condition: String
    var values: [String: (any DatabaseValueConvertible)?]
    (condition, values) = filter.condition(at: now)
    for (name, value) in extras { values[name] = value }
    let source = try isFew ? "task" : source(of: filter)
    var isInRows = "cell.agency = :agency AND cell.y BETWEEN :top AND :bottom"
    if case .ofYears(let years) = cells {
      (values["first"], values["last"]) = (years.first, years.last)
      isInRows += " AND cell.year BETWEEN :first AND :last"
    }
    let isLong = try hasLongColumns()
    return try ranges.flatMap { range in
      let (left, right) = (range.lowerBound << shift, (range.upperBound + 1) << shift - 1)
      values["left"] = left
      values["right"] = right
      values["top"] = rows.lowerBound << shift
      values["bottom"] = (rows.upperBound + 1) << shift - 1
      let walk = ColumnWalk(of: left...right, isLong: isLong)
      // A view with few things is read first, and the filter applied to them; otherwise the filter
      // comes first.
      let sql =
        isFew
        ? """
        \(walk.with) SELECT \(columns) FROM \(walk.source) \(cells.table) AS cell
        INDEXED BY \(cells.table)_by_place CROSS JOIN task ON task.id = cell.task
        WHERE \(walk.condition) AND \(isInRows) AND task.agency = :agency AND \(condition) \(groups)
        """
        : """
        SELECT \(columns) FROM \(source) CROSS JOIN \(cells.table) AS cell ON cell.task = task.id
        WHERE task.agency = :agency AND \(condition) AND \(ColumnWalk.range) AND \(isInRows)
        \(groups)
        """
      return try Row.fetchAll(database.cachedStatement(sql: sql), arguments: arguments(values))
    }
  }

  /// The condition that a cell's photos are of some years; tasks have the year 0.
  private static let isInYears = "(:first IS NULL OR cell.year BETWEEN :first AND :last)"

  /// Returns the table of tasks for a statement, with the way it is read for a filter.
  func source(of filter: TaskFilter) throws -> String {
    let rows = VisibleRows(database: database, agency: agency, inspector: nil)
    return try rows.readsWholeTable(filter) ? "task NOT INDEXED" : "task"
  }

  private func allClusters(
    in box: CoordinateBox, level: Int, _ years: YearSpan?
  ) throws -> [MapCluster] {
    try cells(
      "x, y, \(Self.sums)", groups: "GROUP BY x, y", in: box, level: level, years
    ).compactMap { row in
      let cell = MapGrid.Cell(x: row["x"], y: row["y"])
      guard var cluster = Self.cluster(row, of: cell, level: level) else { return nil }
      try name(&cluster, .any, years)
      return cluster
    }
  }

  /// Returns the number of photos and tasks in the cells that a view touches.
  public func things(in box: CoordinateBox, level: Int) throws -> Int {
    try cells("coalesce(sum(photos + tasks), 0) AS things", in: box, level: level)
      .reduce(0) { $0 + ($1["things"] as Int) }
  }

  /// Returns true if the agency has so many photos and tasks that the columns of fine cells have many
  /// more rows than a view needs; a few rows are read for that.
  private func hasLongColumns() throws -> Bool {
    let things = try Int.fetchOne(
      database.cachedStatement(
        sql: """
          SELECT sum(photos + tasks) FROM map_cell WHERE agency = :agency AND level = 1
          """), arguments: arguments())
    return things ?? 0 >= thingsOfLongColumns
  }

  /// The cells of the finest level that are read without counting what is in them: 6 km in square.
  private static let cellsReadAtOnce = 4096

  /// Returns true if a view holds so many things that following a filter is quicker than looking
  /// all of them up. The things are counted in cells of an eighth of the view or less, which extend
  /// little beyond it.
  private func isCrowded(_ box: CoordinateBox) throws -> Bool {
    let finest = MapGrid(level: Self.finestLevel).cells(of: box)
    // So small a view is read sooner than counted.
    let cells = finest.columns.reduce(0) { $0 + $1.count } * finest.rows.count
    if cells <= Self.cellsReadAtOnce { return false }
    let level = (1...Self.finestLevel).first { level in
      let (columns, rows) = MapGrid(level: level).cells(of: box)
      return columns.reduce(0) { $0 + $1.count } >= 8 || rows.count >= 8
    }
    return try things(in: box, level: level ?? Self.finestLevel) > 20_000
  }

  private func cells(
    _ columns: String, groups: String = "", in box: CoordinateBox, level: Int,
    _ years: YearSpan? = nil
  ) throws -> [Row] {
    let level = min(max(level, 1), Self.finestLevel)
    let (ranges, rows) = MapGrid(level: level).cells(of: box)
    let isLong = try level >= ColumnWalk.leastLevel && hasLongColumns()
    return try ranges.flatMap { range in
      let walk = ColumnWalk(of: range, isLong: isLong)
      return try Row.fetchAll(
        database.cachedStatement(
          sql: """
            \(walk.with) SELECT \(columns) FROM \(walk.source) map_cell AS cell
            WHERE agency = :agency AND level = :level AND \(walk.condition)
            AND y BETWEEN :top AND :bottom AND photos + tasks > 0
            AND \(Self.isInYears) \(groups)
            """),
        arguments: arguments([
          "level": level, "left": range.lowerBound, "right": range.upperBound,
          "top": rows.lowerBound, "bottom": rows.upperBound, "first": years?.first,
          "last": years?.last,
        ]))
    }
  }

  private static func cluster(_ row: Row, of cell: MapGrid.Cell, level: Int) -> MapCluster? {
    let (photos, tasks): (Int, Int) = (row["photos"], row["tasks"])
    guard photos + tasks > 0, let box = MapGrid(level: level).box(of: cell) else { return nil }
    let count = Double(photos + tasks)
    let (latitude, longitude): (Double, Double) = (row["latitudes"], row["longitudes"])
    // Sums of many numbers have small errors: a mean is brought back onto the Earth.
    return Coordinate(
      latitudeDegrees: min(max(latitude / count, -90), 90),
      longitudeDegrees: min(max(longitude / count, -180), 180)
    ).map { MapCluster(place: $0, photos: photos, tasks: tasks, box: box) }
  }

  /// Returns the photos in a view, at most `limit`.
  /// - Parameter filter: the tasks whose photos are wanted; nil for all photos, those without a
  ///   task included.
  /// - Parameter years: the years of the photos; nil for all.
  public func placedPhotos(
    in box: CoordinateBox, _ filter: TaskFilter? = nil, years: YearSpan? = nil,
    at now: DeviceTime, limit: Int
  ) throws -> [PlacedPhoto] {
    let condition: String
    var values: [String: (any DatabaseValueConvertible)?]
    (condition, values) = filter?.condition(at: now) ?? ("TRUE", [:])
    // With many things in the view and few of them wanted, the search starts with the filter's tasks.
    let byTask = try filter != nil && isCrowded(box)
    let columns = """
      SELECT photo.id, photo.task, photo.latitude, photo.longitude, photo.uncertainty_95,
        photo.ellipsoidal_height,
        photo.orientation, photo.camera, photo.device_time
      """
    let sql: String
    // The tree keeps places with fewer digits, rounded outwards: the photo's own row decides.
    if filter == nil {
      sql = """
        \(columns) FROM photo_place CROSS JOIN photo ON photo.id = photo_place.photo
        WHERE \(Self.isInTree) AND photo.agency = :agency AND \(Self.isSeen) LIMIT :limit
        """
    } else {
      // Otherwise only tasks with something near the view are searched, so that only wanted photos
      // are read.
      let near = """
        task.id IN (SELECT task FROM task_cell INDEXED BY task_cell_by_place
          WHERE task_cell.agency = :agency AND x BETWEEN :left AND :right AND y BETWEEN :top AND :bottom)
        """
      sql = """
        \(columns) FROM task CROSS JOIN photo ON photo.agency = :agency AND photo.task = task.id
        WHERE task.agency = :agency AND \(byTask ? "TRUE" : near) AND \(condition) AND \(Self.isSeen)
        LIMIT :limit
        """
    }
    var photos: [PlacedPhoto] = []
    for part in box.parts {
      values.merge(self.values(part, years)) { $1 }
      values["limit"] = limit - photos.count
      if filter != nil, !byTask {
        let (columns, rows) = MapGrid(level: Self.finestLevel).cells(of: part)
        values["left"] = columns.first?.lowerBound
        values["right"] = columns.first?.upperBound
        values["top"] = rows.lowerBound
        values["bottom"] = rows.upperBound
      }
      photos += try Row.fetchAll(database, sql: sql, arguments: arguments(values)).map(placed)
    }
    return photos
  }

  /// Returns the first millisecond of a year, counted from 1970; nil for a year without a date.
  static func beginning(ofYear year: Int) -> Int64? {
    CivilDate(year: year, month: 1, day: 1).map { Int64($0.daysSince1970) * 86_400_000 }
  }

  private func placed(_ row: Row) throws -> PlacedPhoto {
    guard let id = Identifier(row["id"]),
      let place = Coordinate(
        latitudeDegrees: row["latitude"], longitudeDegrees: row["longitude"])
    else { throw StoreError.damagedRow("a photo on the map") }
    let orientation = try (row["orientation"] as String?).map {
      try RowJSON.value(OrientationRow.self, $0).orientation()
    }
    let camera = try RowJSON.value(CameraRow.self, row["camera"]).camera()
    return PlacedPhoto(
      id: id, task: (row["task"] as String?).flatMap(Identifier.init(_:)), place: place,
      uncertaintyMetres95: row["uncertainty_95"],
      ellipsoidalHeightMetres: row["ellipsoidal_height"],
      azimuthDegreesTrue: orientation?.azimuthDegreesTrue,
      viewDegrees: camera.horizontalDegrees,
      time: DeviceTime(millisecondsSince1970: row["device_time"]))
  }

  /// Returns the tasks whose parcels have their middle in a view, at most `limit`.
  public func placedTasks(
    in box: CoordinateBox, _ filter: TaskFilter? = nil, at now: DeviceTime, limit: Int
  ) throws -> [InspectionTask] {
    var (condition, values) = (filter ?? TaskFilter()).condition(at: now)
    let byTask = try filter != nil && isCrowded(box)
    let (columns, rows) = MapGrid(level: Self.finestLevel).cells(of: box)
    let isInRows = "cell.agency = :agency AND cell.y BETWEEN :top AND :bottom AND cell.tasks > 0"
    var tasks: [InspectionTask] = []
    let isLong = try hasLongColumns()
    for range in columns {
      let walk = ColumnWalk(of: range, isLong: isLong)
      let sql =
        byTask
        ? """
        SELECT task.* FROM task CROSS JOIN task_cell AS cell ON cell.task = task.id
        WHERE task.agency = :agency AND (\(condition)) AND \(ColumnWalk.range) AND \(isInRows)
        LIMIT :limit
        """
        : """
        \(walk.with) SELECT task.* FROM \(walk.source) task_cell AS cell INDEXED BY task_cell_by_place
        CROSS JOIN task ON task.id = cell.task
        WHERE \(walk.condition) AND \(isInRows) AND task.agency = :agency AND (\(condition))
        LIMIT :limit
        """
      values["left"] = range.lowerBound
      values["right"] = range.upperBound
      values["top"] = rows.lowerBound
      values["bottom"] = rows.upperBound
      values["limit"] = limit - tasks.count
      tasks += try Row.fetchAll(
        database.cachedStatement(sql: sql), arguments: arguments(values)
      ).map(TaskColumns.task)
    }
    return tasks
  }
}
