import GRDB
import Geodesy
import Inspection
import TimeAndText

// The identifiers of things that are alone in their cluster. With one thing in a cell, the mean of
// the places in it is the thing's own place, and a place is looked up at once: no count needs to
// keep identifiers.
extension MapTable {
  /// The things among which a single one is looked for.
  enum Candidates {
    /// All of the agency.
    case any
    /// A task and its photos: the only task of a filtered cluster.
    case only(Identifier)
  }

  /// The distance within which a mean of one place is that place, degrees: sums from which a million
  /// numbers were added and taken away have small errors.
  private static let slackDegrees = 1e-5

  /// Names the thing of a cluster that has only one.
  func name(_ cluster: inout MapCluster, _ candidates: Candidates, _ years: YearSpan?) throws {
    switch (candidates, cluster.photos, cluster.tasks) {
    case (.only(let task), 0, 1): cluster.single = .task(task)
    case (.only(let task), 1, 0):
      cluster.single = try photo(ofTask: task, in: cluster.box, years).map { .photo($0) }
    case (.any, 0, 1): cluster.single = try task(of: cluster).map { .task($0) }
    case (.any, 1, 0):
      // The place is tried first: the whole cell may hold many photos of other years.
      for box in [Self.box(around: cluster), cluster.box] where cluster.single == nil {
        cluster.single = try box.flatMap { try photo(in: $0, years) }.map { .photo($0) }
      }
    default: break
    }
  }

  /// Returns the part of a cluster's box around its mean place: whatever lies near, but in another
  /// cell, is not the cluster's.
  private static func box(around cluster: MapCluster) -> CoordinateBox? {
    let (place, cell) = (cluster.place, cluster.box)
    return CoordinateBox(
      westDegrees: max(place.longitudeDegrees - slackDegrees, cell.westDegrees),
      southDegrees: max(place.latitudeDegrees - slackDegrees, cell.southDegrees),
      eastDegrees: min(place.longitudeDegrees + slackDegrees, cell.eastDegrees),
      northDegrees: min(place.latitudeDegrees + slackDegrees, cell.northDegrees))
  }

  private func photo(in box: CoordinateBox, _ years: YearSpan?) throws -> Identifier? {
    try String.fetchOne(
      database.cachedStatement(
        sql: """
          SELECT photo.id FROM photo_place CROSS JOIN photo ON photo.id = photo_place.photo
          WHERE \(Self.isInTree) AND photo.agency = :agency AND \(Self.isSeen) LIMIT 1
          """), arguments: arguments(values(box, years))
    ).flatMap(Identifier.init(_:))
  }

  private func photo(
    ofTask task: Identifier, in box: CoordinateBox, _ years: YearSpan?
  ) throws -> Identifier? {
    try String.fetchOne(
      database.cachedStatement(
        sql: """
          SELECT photo.id FROM photo
          WHERE photo.agency = :agency AND photo.task = :task AND \(Self.isSeen) LIMIT 1
          """),
      arguments: arguments(values(box, years).merging(["task": task.description]) { $1 })
    ).flatMap(Identifier.init(_:))
  }

  /// The condition that an entry of the tree of places is the agency's, in a box and in a span of
  /// years.
  static let isInTree = """
    photo_place.west <= :east AND photo_place.east >= :west
      AND photo_place.south <= :north AND photo_place.north >= :south
      AND photo_place.least_year >= (
        SELECT 256 * number + :firstYear FROM map_agency WHERE agency = :agency)
      AND photo_place.most_year <= (
        SELECT 256 * number + :lastYear + 0.5 FROM map_agency WHERE agency = :agency)
    """

  /// The condition that a photo is one that the counts hold, in a box and in a span of years.
  static let isSeen = """
    photo.latitude BETWEEN :south AND :north AND photo.longitude BETWEEN :west AND :east
      AND photo.deleted IS NULL AND photo.hidden IS NULL
      AND (:begin IS NULL OR photo.device_time >= :begin AND photo.device_time < :end)
    """

  func values(
    _ box: CoordinateBox, _ years: YearSpan?
  ) -> [String: (any DatabaseValueConvertible)?] {
    [
      "west": box.westDegrees, "east": box.eastDegrees, "south": box.southDegrees,
      "north": box.northDegrees, "begin": years.flatMap { Self.beginning(ofYear: $0.first) },
      "end": years.flatMap { Self.beginning(ofYear: $0.last + 1) },
      "firstYear": years.map { Self.treeYear($0.first) } ?? 0,
      "lastYear": years.map { Self.treeYear($0.last) } ?? 255,
    ]
  }

  /// Returns the identifier of the task in a row of the table of tasks.
  func task(ofRow number: Int64) throws -> Identifier? {
    try String.fetchOne(
      database.cachedStatement(
        sql: "SELECT id FROM task WHERE rowid = :number AND agency = :agency"),
      arguments: arguments(["number": number])
    ).flatMap(Identifier.init(_:))
  }

  private func task(of cluster: MapCluster) throws -> Identifier? {
    guard let box = Self.box(around: cluster) else { return nil }
    let (columns, rows) = MapGrid(level: Self.finestLevel).cells(of: box)
    for range in columns {
      let cells = try Row.fetchAll(
        database.cachedStatement(
          sql: """
            SELECT task, latitudes, longitudes FROM task_cell INDEXED BY task_cell_by_place
            WHERE agency = :agency AND x BETWEEN :left AND :right AND y BETWEEN :top AND :bottom
              AND tasks > 0
            """),
        arguments: arguments([
          "left": range.lowerBound, "right": range.upperBound, "top": rows.lowerBound,
          "bottom": rows.upperBound,
        ]))
      // A side of the box belongs to two cells: the task's own place, which is its row's sum, decides.
      for cell in cells {
        let place = Coordinate(
          latitudeDegrees: cell["latitudes"], longitudeDegrees: cell["longitudes"])
        if let place, box.contains(place) { return Identifier(cell["task"]) }
      }
    }
    return nil
  }
}
