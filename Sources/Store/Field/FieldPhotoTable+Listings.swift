import GRDB
import Geodesy
import Inspection
import TimeAndText

/// A photo as a row of a list, with what the row shows. A list of thousands is one query, which parses
/// no samples and no orientations.
public struct PhotoListing: Hashable, Sendable {
  /// The photo's identifier.
  public var id: Identifier
  /// The task that the photo belongs to; nil for a standalone photo.
  public var task: Identifier?
  /// The device's time at the shutter.
  public var deviceTime: DeviceTime
  /// The coordinate of the photo's position.
  public var coordinate: Coordinate
  /// The radius that holds the true place with a probability of 95 %, metres; nil if unknown.
  public var uncertaintyMetres95: Double?
  /// The time at which Send put the photo into the outbox; nil before.
  public var sent: DeviceTime?
  /// The time at which a receipt for the photo came; nil before.
  public var delivered: DeviceTime?
  /// The time at which its bytes left the device; nil while they are on it.
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

extension FieldPhotoTable {
  /// Returns rows of a list of the person's photos that are not deleted, the newest first.
  /// - Parameters:
  ///   - limit: the most rows; nil for all.
  ///   - offset: the number of rows that are skipped.
  public func listings(
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

  /// Returns the identifiers of all photos of `listings`, in its order.
  public func identifiers(_ selection: Selection) throws -> [Identifier] {
    try String.fetchAll(
      database,
      sql: "SELECT id FROM photo WHERE \(Self.selected) ORDER BY device_time DESC, id DESC",
      arguments: arguments(selection)
    ).compactMap(Identifier.init(_:))
  }

  /// Returns the identifiers of the photos whose bytes should be on this device, the newest first.
  public func identifiersWithFiles() throws -> [Identifier] {
    try String.fetchAll(
      database,
      sql: """
        SELECT id FROM photo WHERE \(Self.selected) AND removed IS NULL
        ORDER BY device_time DESC, id DESC
        """, arguments: arguments(.all)
    ).compactMap(Identifier.init(_:))
  }

  /// Counts the photos of a selection that are not deleted, and those of them that were not sent.
  public func count(_ selection: Selection) throws -> (all: Int, unsent: Int) {
    let row = try Row.fetchOne(
      database,
      sql: """
        SELECT count(*) AS every, count(*) - count(sent) AS unsent FROM photo WHERE \(Self.selected)
        """, arguments: arguments(selection))
    return (row?["every"] ?? 0, row?["unsent"] ?? 0)
  }

  /// Counts the photos of each task that are not deleted; tasks without photos are left out.
  public func countsByTask() throws -> [Identifier: Int] {
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
}
