import GRDB
import Positioning

/// How much there is of what an administrator watches, of all agencies together.
public struct OfficeFigures: Hashable, Sendable {
  /// Tasks by their state, as it is written in messages.
  public var tasks: [String: Int]
  /// Photos that no verdict has been given on yet.
  public var uncheckedPhotos: Int
  /// Sessions that hold, of browsers.
  public var browserSessions: Int
  /// Sessions that hold, of field units.
  public var deviceSessions: Int
}

extension RegistrySession {
  /// Counts what an administrator watches: read off indexes, but nothing for every request.
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
