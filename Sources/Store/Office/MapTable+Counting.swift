import GRDB
import Geodesy
import Inspection
import Sync
import TimeAndText

// The counts of the map, which are changed in the transaction that changes the things counted.
extension MapTable {
  /// A change of the sums at one place.
  fileprivate struct Change {
    var photos = 0
    var tasks = 0
    /// The year of the photos; 0 for tasks.
    var year = 0
    var latitudes: Double
    var longitudes: Double

    init(at place: Coordinate, sign: Int) {
      latitudes = Double(sign) * place.latitudeDegrees
      longitudes = Double(sign) * place.longitudeDegrees
    }
  }

  /// Adds a photo to the counts of its year, or takes it out of them.
  /// - Parameter task: the task with which it is counted; nil for none.
  func countPhoto(_ photo: Photo, task: Identifier?, isAdded: Bool) throws {
    try count(
      photoOf: photo.deviceTime.year, at: photo.position.coordinate, task: task?.description,
      isAdded: isAdded)
  }

  private func count(
    photoOf year: Int, at place: Coordinate, task: String?, isAdded: Bool,
    on levels: ClosedRange<Int> = 1...MapTable.finestLevel
  ) throws {
    var change = Change(at: place, sign: isAdded ? 1 : -1)
    (change.photos, change.year) = (isAdded ? 1 : -1, year)
    try count(change, at: place, task: task, on: levels)
  }

  /// Adds a task to the counts at its parcel's middle, or takes it out; a task without a parcel has
  /// no place.
  func countTask(
    _ task: InspectionTask, isAdded: Bool, on levels: ClosedRange<Int> = 1...MapTable.finestLevel
  ) throws {
    guard let place = task.parcel?.middle else { return }
    var change = Change(at: place, sign: isAdded ? 1 : -1)
    change.tasks = isAdded ? 1 : -1
    try count(change, at: place, task: task.id.description, on: levels)
  }

  private func count(
    _ change: Change, at place: Coordinate, task: String?, on levels: ClosedRange<Int>
  ) throws {
    let finest = MapGrid(level: Self.finestLevel).cell(of: place)
    for level in levels {
      let shift = Self.finestLevel - level
      try change.add(
        to: MapGrid.Cell(x: finest.x >> shift, y: finest.y >> shift), level: level, self)
    }
    if let task { try change.add(to: finest, task: task, self) }
  }

  /// Counts everything of the agency again, from nothing: the finest cells one thing after the
  /// other, each further level from the one below it.
  func countEverything() throws {
    for table in ["map_cell", "task_cell", "task_year_cell"] {
      try database.execute(
        sql: "DELETE FROM \(table) WHERE agency = :agency", arguments: arguments())
    }
    let finest = Self.finestLevel...Self.finestLevel
    let tasks = try Row.fetchCursor(
      database, sql: "SELECT * FROM task WHERE agency = :agency AND parcel_rings IS NOT NULL",
      arguments: arguments())
    while let row = try tasks.next() {
      try countTask(TaskColumns.task(row), isAdded: true, on: finest)
    }
    try forEachSeenPhoto("task, device_time,") { row, place in
      let time = DeviceTime(millisecondsSince1970: row["device_time"])
      try count(photoOf: time.year, at: place, task: row["task"], isAdded: true, on: finest)
    }
    for level in (1..<Self.finestLevel).reversed() {
      try database.execute(
        sql: """
          INSERT INTO map_cell (agency, level, x, y, year, photos, tasks, latitudes, longitudes)
          SELECT agency, :level, x >> 1, y >> 1, year, sum(photos), sum(tasks), sum(latitudes),
            sum(longitudes)
          FROM map_cell WHERE agency = :agency AND level = :level + 1
          GROUP BY x >> 1, y >> 1, year
          """, arguments: arguments(["level": level]))
    }
  }

  private func forEachSeenPhoto(
    _ columns: String, _ body: (Row, Coordinate) throws -> Void
  ) throws {
    let photos = try Row.fetchCursor(
      database,
      sql: """
        SELECT \(columns) latitude, longitude FROM photo
        WHERE agency = :agency AND deleted IS NULL AND hidden IS NULL
        """, arguments: arguments())
    while let row = try photos.next() {
      let place = Coordinate(latitudeDegrees: row["latitude"], longitudeDegrees: row["longitude"])
      if let place { try body(row, place) }
    }
  }

  /// Keeps the place of a photo with its year, for views of the map. The entry stays, whatever becomes
  /// of the photo: a view looks the photo up. Along the years the entry extends half a unit, because
  /// an R*Tree of entries without a volume is of no use.
  func keepPlace(of photo: Photo) throws {
    try database.cachedStatement(
      sql: "INSERT OR IGNORE INTO map_agency (agency) VALUES (:agency)"
    ).execute(arguments: arguments())
    let statement = try database.cachedStatement(
      sql: """
        INSERT INTO photo_place (west, east, south, north, least_year, most_year, photo)
        SELECT :longitude, :longitude, :latitude, :latitude, 256 * number + :year,
          256 * number + :year + 0.5, :photo
        FROM map_agency WHERE agency = :agency
        """)
    let place = photo.position.coordinate
    try statement.execute(
      arguments: arguments([
        "longitude": place.longitudeDegrees, "latitude": place.latitudeDegrees,
        "year": Self.treeYear(photo.deviceTime.year), "photo": photo.id.description,
      ]))
  }

  /// Returns the years since 1900, 0 ... 255, by which a year stands in the tree of places.
  static func treeYear(_ year: Int) -> Int { min(max(year - 1900, 0), 255) }
}

extension MapTable.Change {
  /// A table of cells: the names of its key's columns beside the agency and the cell.
  private enum Table: String {
    case level = "map_cell"
    case task = "task_cell"
    case taskOfYear = "task_year_cell"

    var key: String { self == .level ? "level" : "task" }
    var hasYears: Bool { self != .task }
  }

  private static let sums = """
    photos = photos + :photos, tasks = tasks + :tasks, latitudes = latitudes + :latitudes,
    longitudes = longitudes + :longitudes
    """

  /// Adds the change to a cell of a level of the whole map.
  fileprivate func add(to cell: MapGrid.Cell, level: Int, _ map: MapTable) throws {
    try add(to: .level, level, cell, map)
  }

  /// Adds the change to one of a task's finest cells: to the sum of all years, which most views read,
  /// and to that of its year.
  fileprivate func add(to cell: MapGrid.Cell, task: String, _ map: MapTable) throws {
    for table in [Table.task, .taskOfYear] { try add(to: table, task, cell, map) }
  }

  private func add(
    to table: Table, _ key: any DatabaseValueConvertible, _ cell: MapGrid.Cell, _ map: MapTable
  ) throws {
    let (name, column, hasYears) = (table.rawValue, table.key, table.hasYears)
    // A row with negative counts would be refused before SQLite finds that a row is there already.
    let sql =
      photos + tasks > 0
      ? """
      INSERT INTO \(name) (agency, \(column), x, y\(hasYears ? ", year" : ""), photos, tasks,
        latitudes, longitudes)
      VALUES (:agency, :key, :x, :y\(hasYears ? ", :year" : ""), :photos, :tasks, :latitudes, :longitudes)
      ON CONFLICT DO UPDATE SET \(Self.sums)
      """
      : """
      UPDATE \(name) SET \(Self.sums)
      WHERE agency = :agency AND \(column) = :key AND x = :x AND y = :y
        \(hasYears ? "AND year = :year" : "")
      """
    var values: [String: (any DatabaseValueConvertible)?] = [
      "key": key, "x": cell.x, "y": cell.y, "photos": photos, "tasks": tasks,
      "latitudes": latitudes, "longitudes": longitudes,
    ]
    if hasYears { values["year"] = year }
    try map.database.cachedStatement(sql: sql).execute(arguments: map.arguments(values))
  }
}
