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
  /// The mean of their places.
  public let place: Coordinate
  /// The number of photos.
  public let photos: Int
  /// The number of tasks, each at the middle of its parcel.
  public let tasks: Int
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

  init(database: Database, agency: String) {
    (self.database, self.agency) = (database, agency)
  }
}

extension MapTable {
  /// The finest level that is counted: cells of some 150 m at the equator.
  static let finestLevel = 18

  /// A change of the sums at one place.
  fileprivate struct Change {
    var photos = 0
    var tasks = 0
    var latitudes = 0.0
    var longitudes = 0.0
  }

  /// Adds a photo to the counts, or takes it out of them.
  func countPhoto(at place: Coordinate, task: String?, isAdded: Bool) throws {
    let sign = isAdded ? 1 : -1
    try count(
      Change(
        photos: sign, latitudes: Double(sign) * place.latitudeDegrees,
        longitudes: Double(sign) * place.longitudeDegrees), at: place, task: task)
  }

  /// Adds a task to the counts at its parcel's middle, or takes it out; a task without a parcel has
  /// no place.
  func countTask(_ task: InspectionTask, isAdded: Bool) throws {
    guard let place = task.parcel?.middle else { return }
    let sign = isAdded ? 1 : -1
    try count(
      Change(
        tasks: sign, latitudes: Double(sign) * place.latitudeDegrees,
        longitudes: Double(sign) * place.longitudeDegrees), at: place, task: task.id.description)
  }

  private func count(_ change: Change, at place: Coordinate, task: String?) throws {
    let finest = MapGrid(level: Self.finestLevel).cell(of: place)
    for level in 1...Self.finestLevel {
      let shift = Self.finestLevel - level
      try change.add(
        to: MapGrid.Cell(x: finest.x >> shift, y: finest.y >> shift), level: level, self)
    }
    if let task { try change.add(to: finest, task: task, self) }
  }

  /// Counts everything of the agency again, from nothing.
  func countEverything() throws {
    for sql in [
      "DELETE FROM map_cell WHERE agency = :agency", "DELETE FROM task_cell WHERE agency = :agency",

      """
      DELETE FROM photo_place WHERE least_agency = (SELECT number FROM map_agency WHERE agency = :agency)
      """,
    ] { try database.execute(sql: sql, arguments: arguments()) }
    let tasks = try Row.fetchCursor(
      database, sql: "SELECT * FROM task WHERE agency = :agency AND parcel_rings IS NOT NULL",
      arguments: arguments())
    while let row = try tasks.next() { try countTask(TaskColumns.task(row), isAdded: true) }
    let photos = try Row.fetchCursor(
      database,
      sql: """
        SELECT id, task, latitude, longitude FROM photo
        WHERE agency = :agency AND deleted IS NULL AND hidden IS NULL
        """, arguments: arguments())
    while let row = try photos.next() {
      guard
        let place = Coordinate(
          latitudeDegrees: row["latitude"], longitudeDegrees: row["longitude"])
      else { continue }
      try keepPlace(of: row["id"], at: place)
      try countPhoto(at: place, task: row["task"], isAdded: true)
    }
  }

  /// Keeps the place of a photo, for views of the map. The entry stays, whatever becomes of the
  /// photo: a view looks the photo up. Along the dimension of agencies the entry extends half a
  /// unit, because an R*Tree of entries without a volume is of no use.
  func keepPlace(of photo: String, at place: Coordinate) throws {
    try database.cachedStatement(
      sql: "INSERT OR IGNORE INTO map_agency (agency) VALUES (:agency)"
    ).execute(arguments: arguments())
    let statement = try database.cachedStatement(
      sql: """
        INSERT INTO photo_place (west, east, south, north, least_agency, most_agency, photo)
        SELECT :longitude, :longitude, :latitude, :latitude, number, number + 0.5, :photo
        FROM map_agency WHERE agency = :agency
        """)
    try statement.execute(
      arguments: arguments([
        "longitude": place.longitudeDegrees, "latitude": place.latitudeDegrees, "photo": photo,
      ]))
  }

  /// Returns the things in a view, counted in cells of a level.
  /// - Parameters:
  ///   - level: 1 ... 18; the nearest of these for any other.
  ///   - filter: the tasks to count; nil for all things, photos without a task included.
  public func clusters(
    in box: CoordinateBox, level: Int, _ filter: TaskFilter? = nil, at now: DeviceTime
  ) throws -> [MapCluster] {
    let level = min(max(level, 1), Self.finestLevel)
    guard let filter else { return try allClusters(in: box, level: level) }
    let (columns, rows) = MapGrid(level: level).cells(of: box)
    let shift = Self.finestLevel - level
    let isFew = try things(in: box, level: level) < 20_000
    let condition: String
    var values: [String: (any DatabaseValueConvertible)?]
    (condition, values) = filter.condition(at: now)
    let source = try isFew ? "task" : source(of: filter)
    var clusters: [MapCluster] = []
    for range in columns {
      values["shift"] = shift
      values["left"] = range.lowerBound << shift
      values["right"] = (range.upperBound + 1) << shift
      values["top"] = rows.lowerBound << shift
      values["bottom"] = (rows.upperBound + 1) << shift
      // A view with few things is read first, and the filter applied to them; otherwise the filter
      // comes first.
      let sql = Self.filteredSQL(condition, placeFirst: isFew, from: source)
      clusters += try Row.fetchAll(
        database.cachedStatement(sql: sql), arguments: arguments(values)
      ).compactMap(Self.cluster)
    }
    return clusters
  }

  /// Returns the table of tasks for a statement, with the way it is read for a filter.
  func source(of filter: TaskFilter) throws -> String {
    let rows = VisibleRows(database: database, agency: agency, inspector: nil)
    return try rows.readsWholeTable(filter) ? "task NOT INDEXED" : "task"
  }

  private static func filteredSQL(
    _ condition: String, placeFirst: Bool, from source: String
  ) -> String {
    let sums = """
      SELECT sum(cell.photos) AS photos, sum(cell.tasks) AS tasks, sum(cell.latitudes) AS latitudes,
        sum(cell.longitudes) AS longitudes
      """
    let isInView = """
      cell.agency = :agency AND cell.x >= :left AND cell.x < :right AND cell.y >= :top AND cell.y < :bottom
      """
    let groups = "GROUP BY cell.x >> :shift, cell.y >> :shift"
    return placeFirst
      ? """
      \(sums) FROM task_cell AS cell INDEXED BY task_cell_by_place CROSS JOIN task ON task.id = cell.task
      WHERE \(isInView) AND task.agency = :agency AND \(condition) \(groups)
      """
      : """
      \(sums) FROM \(source) CROSS JOIN task_cell AS cell ON cell.task = task.id
      WHERE task.agency = :agency AND \(condition) AND \(isInView) \(groups)
      """
  }

  private func allClusters(in box: CoordinateBox, level: Int) throws -> [MapCluster] {
    try cells("photos, tasks, latitudes, longitudes", in: box, level: level).compactMap(
      Self.cluster)
  }

  /// Returns the number of photos and tasks in the cells that a view touches.
  public func things(in box: CoordinateBox, level: Int) throws -> Int {
    try cells("coalesce(sum(photos + tasks), 0) AS things", in: box, level: level)
      .reduce(0) { $0 + ($1["things"] as Int) }
  }

  /// Returns true if a view holds so many things that following a filter is quicker than looking
  /// all of them up. The things are counted in cells of an eighth of the view or less, which extend
  /// little beyond it.
  private func isCrowded(_ box: CoordinateBox) throws -> Bool {
    let level = (1...Self.finestLevel).first { level in
      let (columns, rows) = MapGrid(level: level).cells(of: box)
      return columns.reduce(0) { $0 + $1.count } >= 8 || rows.count >= 8
    }
    return try things(in: box, level: level ?? Self.finestLevel) > 20_000
  }

  private func cells(_ columns: String, in box: CoordinateBox, level: Int) throws -> [Row] {
    let level = min(max(level, 1), Self.finestLevel)
    let (ranges, rows) = MapGrid(level: level).cells(of: box)
    return try ranges.flatMap { range in
      try Row.fetchAll(
        database.cachedStatement(
          sql: """
            SELECT \(columns) FROM map_cell WHERE agency = :agency AND level = :level
            AND x BETWEEN :left AND :right AND y BETWEEN :top AND :bottom AND photos + tasks > 0
            """),
        arguments: arguments([
          "level": level, "left": range.lowerBound, "right": range.upperBound,
          "top": rows.lowerBound, "bottom": rows.upperBound,
        ]))
    }
  }

  private static func cluster(_ row: Row) -> MapCluster? {
    let (photos, tasks): (Int, Int) = (row["photos"], row["tasks"])
    guard photos + tasks > 0 else { return nil }
    let count = Double(photos + tasks)
    let (latitude, longitude): (Double, Double) = (row["latitudes"], row["longitudes"])
    // Sums of many numbers have small errors: a mean is brought back onto the Earth.
    return Coordinate(
      latitudeDegrees: min(max(latitude / count, -90), 90),
      longitudeDegrees: min(max(longitude / count, -180), 180)
    ).map { MapCluster(place: $0, photos: photos, tasks: tasks) }
  }

  /// Returns the photos in a view, at most `limit`.
  /// - Parameter filter: the tasks whose photos are wanted; nil for all photos, those without a
  ///   task included.
  public func placedPhotos(
    in box: CoordinateBox, _ filter: TaskFilter? = nil, at now: DeviceTime, limit: Int
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
    // The tree keeps places with fewer digits, rounded outwards: the photo's own row decides.
    let isInView = """
      photo.latitude BETWEEN :south AND :north AND photo.longitude BETWEEN :west AND :east
        AND photo.deleted IS NULL AND photo.hidden IS NULL
      """
    let sql: String
    if filter == nil {
      sql = """
        \(columns) FROM photo_place CROSS JOIN photo ON photo.id = photo_place.photo
        WHERE photo_place.west <= :east AND photo_place.east >= :west
          AND photo_place.south <= :north AND photo_place.north >= :south
          AND photo_place.least_agency = (SELECT number FROM map_agency WHERE agency = :agency)
          AND photo.agency = :agency AND \(isInView) LIMIT :limit
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
        WHERE task.agency = :agency AND \(byTask ? "TRUE" : near) AND \(condition) AND \(isInView)
        LIMIT :limit
        """
    }
    var photos: [PlacedPhoto] = []
    for part in box.parts {
      values["west"] = part.westDegrees
      values["east"] = part.eastDegrees
      values["south"] = part.southDegrees
      values["north"] = part.northDegrees
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
    let isInView = """
      cell.agency = :agency AND cell.x BETWEEN :left AND :right AND cell.y BETWEEN :top AND :bottom
        AND cell.tasks > 0
      """
    let sql =
      byTask
      ? """
      SELECT task.* FROM task CROSS JOIN task_cell AS cell ON cell.task = task.id
      WHERE task.agency = :agency AND (\(condition)) AND \(isInView) LIMIT :limit
      """
      : """
      SELECT task.* FROM task_cell AS cell INDEXED BY task_cell_by_place
      CROSS JOIN task ON task.id = cell.task
      WHERE \(isInView) AND task.agency = :agency AND (\(condition)) LIMIT :limit
      """
    var tasks: [InspectionTask] = []
    for range in columns {
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

extension MapTable.Change {
  private static let sums = """
    photos = photos + :photos, tasks = tasks + :tasks, latitudes = latitudes + :latitudes,
    longitudes = longitudes + :longitudes
    """

  /// Adds the change to a cell of a level of the whole map.
  fileprivate func add(to cell: MapGrid.Cell, level: Int, _ map: MapTable) throws {
    try add(to: "map_cell", "level", level, cell, map)
  }

  /// Adds the change to one of a task's finest cells.
  fileprivate func add(to cell: MapGrid.Cell, task: String, _ map: MapTable) throws {
    try add(to: "task_cell", "task", task, cell, map)
  }

  private func add(
    to table: String, _ column: String, _ key: any DatabaseValueConvertible, _ cell: MapGrid.Cell,
    _ map: MapTable
  ) throws {
    // A row with negative counts would be refused before SQLite finds that a row is there already.
    let sql =
      photos + tasks > 0
      ? """
      INSERT INTO \(table) (agency, \(column), x, y, photos, tasks, latitudes, longitudes)
      VALUES (:agency, :key, :x, :y, :photos, :tasks, :latitudes, :longitudes)
      ON CONFLICT DO UPDATE SET \(Self.sums)
      """
      : """
      UPDATE \(table) SET \(Self.sums)
      WHERE agency = :agency AND \(column) = :key AND x = :x AND y = :y
      """
    try map.database.cachedStatement(sql: sql).execute(
      arguments: map.arguments(values(of: cell).merging(["key": key]) { $1 }))
  }

  private func values(of cell: MapGrid.Cell) -> [String: (any DatabaseValueConvertible)?] {
    [
      "x": cell.x, "y": cell.y, "photos": photos, "tasks": tasks, "latitudes": latitudes,
      "longitudes": longitudes,
    ]
  }
}
