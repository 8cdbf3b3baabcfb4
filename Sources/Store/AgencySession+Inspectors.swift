import GRDB
import Inspection
import Positioning

/// How an agency's inspector stands: tasks by what they wait for, and what came without one.
public struct InspectorTally: Hashable, Sendable {
  /// Tasks that the inspector has.
  public var open = 0
  /// Tasks that wait for a decision.
  public var waiting = 0
  /// Of those that the inspector has, the ones whose date has passed.
  public var overdue = 0
  /// Photos without a task that nobody has hidden.
  public var photos = 0
  /// Tracks, with a task or without, that nobody has hidden.
  public var tracks = 0

  /// Nothing at all.
  public init() {}
}

extension AgencySession {
  /// How each inspector stands who has anything, by login.
  /// - Parameter now: what is overdue is so at a moment.
  public func inspectorTallies(at now: DeviceTime) throws -> [String: InspectorTally] {
    let editable = TaskState.allCases.filter(\.isEditable).map { "'\($0.rawValue)'" }
      .joined(separator: ", ")
    var tallies: [String: InspectorTally] = [:]
    for row in try Row.fetchAll(
      database,
      sql: """
        SELECT inspector, sum(state IN (\(editable))) AS open, sum(state = 'dataProvided') AS waiting,
          sum(due IS NOT NULL AND due < :now AND state IN (\(editable))) AS overdue
        FROM task WHERE agency = :agency GROUP BY inspector
        """, arguments: arguments(["now": now.millisecondsSince1970]))
    {
      var tally = InspectorTally()
      (tally.open, tally.waiting, tally.overdue) = (row["open"], row["waiting"], row["overdue"])
      tallies[row["inspector"]] = tally
    }
    for row in try Row.fetchAll(
      database,
      sql: """
        SELECT inspector, count(*) AS photos FROM photo INDEXED BY photo_alone WHERE agency = :agency
        AND task IS NULL AND hidden IS NULL AND deleted IS NULL GROUP BY inspector
        """, arguments: arguments())
    {
      tallies[row["inspector"], default: InspectorTally()].photos = row["photos"]
    }
    for row in try Row.fetchAll(
      database,
      sql: """
        SELECT inspector, count(*) AS tracks FROM track WHERE agency = :agency
        AND hidden IS NULL AND deleted IS NULL GROUP BY inspector
        """, arguments: arguments())
    {
      tallies[row["inspector"], default: InspectorTally()].tracks = row["tracks"]
    }
    return tallies
  }

  /// When the last link of each of these keys came: a device's last delivery of something new. Keys
  /// that have delivered nothing are left out.
  public func lastDeliveries(ofKeys keys: [String]) throws -> [String: DeviceTime] {
    // The end of its chain, from the index: a key has as many links as its inspector has made records.
    let statement = try database.cachedStatement(
      sql: """
        SELECT received FROM link WHERE key = :key AND agency = :agency
        ORDER BY sequence DESC, received DESC LIMIT 1
        """)
    var times: [String: DeviceTime] = [:]
    for key in keys {
      let found = try Int64.fetchOne(statement, arguments: arguments(["key": key]))
      times[key] = found.map(DeviceTime.init(millisecondsSince1970:))
    }
    return times
  }
}
