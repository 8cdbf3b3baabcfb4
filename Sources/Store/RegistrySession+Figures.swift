import GRDB
import TimeAndText

/// The numbers that an administrator watches, of all agencies together.
public struct OfficeFigures: Hashable, Sendable {
  /// The number of tasks in each state, by the state's word in messages; a state without tasks is missing.
  public var tasks: [String: Int]
  /// The number of photos without a verdict.
  public var uncheckedPhotos: Int
  /// The number of valid sessions of browsers.
  public var browserSessions: Int
  /// The number of valid sessions of field units.
  public var deviceSessions: Int
}

extension RegistrySession {
  /// Counts the figures from indexes. The counting is still too slow to be done in every request.
  public func figures(at time: DeviceTime) throws -> OfficeFigures {
    var tasks: [String: Int] = [:]
    for row in try Row.fetchAll(
      database, sql: "SELECT state, count(*) AS tasks FROM task GROUP BY state")
    {
      tasks[row["state"]] = row["tasks"]
    }
    var sessions: [String: Int] = [:]
    for row in try Row.fetchAll(
      database,
      sql: "SELECT kind, count(*) AS sessions FROM session WHERE expires >= :time GROUP BY kind",
      arguments: ["time": time.millisecondsSince1970])
    {
      sessions[row["kind"]] = row["sessions"]
    }
    return OfficeFigures(
      tasks: tasks,
      uncheckedPhotos: try Int.fetchOne(
        database,
        sql: "SELECT count(*) FROM photo INDEXED BY photo_unexamined WHERE verdict IS NULL") ?? 0,
      browserSessions: sessions["browser"] ?? 0, deviceSessions: sessions["device"] ?? 0)
  }
}
