import GRDB
import Inspection

/// The counts on a field unit's first page.
public struct FieldFigures: Hashable, Sendable {
  /// Tasks that the inspector still works on: new, open and returned ones.
  public var openTasks: Int
  /// Photos that are not deleted.
  public var photos: Int
  /// Entries of the outbox.
  public var waiting: Int
  /// The mean size of a photo, bytes; nil before the first photo.
  public var bytesOfPhoto: Int?

  /// Creates figures.
  public init(openTasks: Int, photos: Int, waiting: Int, bytesOfPhoto: Int?) {
    self.openTasks = openTasks
    self.photos = photos
    self.waiting = waiting
    self.bytesOfPhoto = bytesOfPhoto
  }
}

extension FieldSession {
  /// Counts the person's tasks, photos and entries of the outbox, without reading them: a page asks
  /// every second.
  public func figures() throws -> FieldFigures {
    let states = TaskState.allCases.filter(\.isEditable).map(\.rawValue)
    func count(_ sql: String) throws -> Int {
      try Int.fetchOne(database, sql: sql, arguments: arguments()) ?? 0
    }
    let own = "agency = :agency AND inspector = :inspector"
    let tasks = try Row.fetchAll(
      database, sql: "SELECT state, count(*) AS n FROM task WHERE \(own) GROUP BY state",
      arguments: arguments())
    let mean = try Double.fetchOne(
      database, sql: "SELECT avg(bytes) FROM photo WHERE \(own) AND deleted IS NULL",
      arguments: arguments())
    return FieldFigures(
      openTasks: tasks.filter { states.contains($0["state"] as String) }
        .reduce(0) { $0 + ($1["n"] as Int) },
      photos: try count("SELECT count(*) FROM photo WHERE \(own) AND deleted IS NULL"),
      waiting: try count("SELECT count(*) FROM outbox WHERE \(own)"),
      bytesOfPhoto: mean.map { Int(min(max($0, 0), 1e12)) })
  }
}
