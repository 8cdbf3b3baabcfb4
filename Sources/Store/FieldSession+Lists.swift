import Foundation
import GRDB
import Geodesy
import Inspection
import Positioning

/// A photo as a row of a list: what the row shows, and no more. A list of thousands is one query, in
/// which nobody parses samples and orientations that no row tells.
public struct PhotoListing: Hashable, Sendable {
  /// The photo.
  public var id: Identifier
  /// The task that it belongs to; nil for a standalone photo.
  public var task: Identifier?
  /// The device's time at the shutter.
  public var deviceTime: DeviceTime
  /// Where it was taken.
  public var coordinate: Coordinate
  /// Radius that holds the true place with a probability of 95 %, metres; nil when unknown.
  public var uncertaintyMetres95: Double?
  /// When Send put it into the outbox; nil before.
  public var sent: DeviceTime?
  /// When a receipt for it came; nil before.
  public var delivered: DeviceTime?
  /// When its bytes left the device; nil while they are here.
  public var removed: DeviceTime?

  init(_ row: Row) throws {
    let text: String = row["id"]
    guard let id = Identifier(text),
      let coordinate = Coordinate(
        latitudeDegrees: row["latitude"], longitudeDegrees: row["longitude"])
    else { throw StoreError.damagedRow("photo \(text)") }
    func time(_ column: String) -> DeviceTime? {
      (row[column] as Int64?).map(DeviceTime.init(millisecondsSince1970:))
    }
    self.id = id
    task = (row["task"] as String?).flatMap(Identifier.init(_:))
    deviceTime = DeviceTime(millisecondsSince1970: row["device_time"])
    self.coordinate = coordinate
    uncertaintyMetres95 = row["uncertainty_95"]
    (sent, delivered, removed) = (time("sent"), time("delivered"), time("removed"))
  }
}

extension FieldSession {
  private static let selected = """
    agency = :agency AND inspector = :inspector AND deleted IS NULL
    AND (:everything OR (:task IS NULL AND task IS NULL) OR task = :task)
    """

  private func arguments(
    _ selection: Selection, _ values: [String: (any DatabaseValueConvertible)?] = [:]
  ) -> StatementArguments {
    var values = values
    var task: String?
    if case .task(let id) = selection { task = id.description }
    values.updateValue(task, forKey: "task")
    values["everything"] = selection == .all
    return arguments(values)
  }

  /// The person's photos that are not deleted, the newest first.
  /// - Parameters:
  ///   - limit: at most so many; all of them when nil.
  ///   - offset: how many are passed over.
  public func photoListings(
    _ selection: Selection, limit: Int? = nil, offset: Int = 0
  ) throws -> [PhotoListing] {
    try Row.fetchAll(
      database,
      sql: """
        SELECT id, task, device_time, latitude, longitude, uncertainty_95, sent, delivered, removed
        FROM photo WHERE \(Self.selected)
        ORDER BY device_time DESC, id DESC LIMIT :limit OFFSET :offset
        """, arguments: arguments(selection, ["limit": limit ?? -1, "offset": offset])
    ).map(PhotoListing.init)
  }

  /// The identifiers of the same photos, the newest first: who comes before whom.
  public func photoIdentifiers(_ selection: Selection) throws -> [Identifier] {
    try String.fetchAll(
      database,
      sql: "SELECT id FROM photo WHERE \(Self.selected) ORDER BY device_time DESC, id DESC",
      arguments: arguments(selection)
    ).compactMap(Identifier.init(_:))
  }

  /// Those of them whose bytes should be on this device, the newest first.
  public func photosWithFiles() throws -> [Identifier] {
    try String.fetchAll(
      database,
      sql: """
        SELECT id FROM photo WHERE \(Self.selected) AND removed IS NULL
        ORDER BY device_time DESC, id DESC
        """, arguments: arguments(.all)
    ).compactMap(Identifier.init(_:))
  }

  /// How many photos there are, and how many of them were not sent.
  public func photoCount(_ selection: Selection) throws -> (all: Int, unsent: Int) {
    let row = try Row.fetchOne(
      database,
      sql: """
        SELECT count(*) AS every, count(*) - count(sent) AS unsent FROM photo WHERE \(Self.selected)
        """, arguments: arguments(selection))
    return (row?["every"] ?? 0, row?["unsent"] ?? 0)
  }

  /// How many photos each task has that are not deleted; tasks without any are left out.
  public func photoCounts() throws -> [Identifier: Int] {
    var counts: [Identifier: Int] = [:]
    for row in try Row.fetchAll(
      database,
      sql: """
        SELECT task, count(*) AS photos FROM photo
        WHERE agency = :agency AND inspector = :inspector AND deleted IS NULL
        AND task IS NOT NULL GROUP BY task
        """, arguments: arguments())
    {
      if let id = Identifier(row["task"]) { counts[id] = row["photos"] }
    }
    return counts
  }

  /// The person's tasks without their history, the oldest first: for lists, which show none of it.
  public func taskListings(in state: TaskState? = nil) throws -> [InspectionTask] {
    try Row.fetchAll(
      database,
      sql: """
        SELECT * FROM task WHERE agency = :agency AND inspector = :inspector
        AND (:state IS NULL OR state = :state) ORDER BY created, rowid
        """, arguments: arguments(["state": state?.rawValue])
    ).map(TaskColumns.task)
  }
}
