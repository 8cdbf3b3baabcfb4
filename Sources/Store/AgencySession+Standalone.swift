import GRDB
import Geodesy
import Inspection
import Positioning
import Sync

// What came without a task: photos and tracks that an officer looks through, gives to a task, or hides.
// What was sealed stays as it is; these are the office's own remarks beside it.
extension AgencySession {
  /// Photos without a task, the newest first; those deleted before they were sent are not among them.
  /// - Parameters:
  ///   - isHidden: those that an officer has hidden, instead of all others.
  ///   - inspector: one inspector's; nil for all.
  public func standalonePhotos(
    isHidden: Bool, inspector: String?, limit: Int, offset: Int
  ) throws -> [ReceivedPhoto] {
    let statement = try database.cachedStatement(
      sql: """
        SELECT * FROM photo INDEXED BY photo_alone WHERE agency = :agency AND task IS NULL
        AND hidden IS \(isHidden ? "NOT NULL" : "NULL") AND deleted IS NULL
        AND (:inspector IS NULL OR inspector = :inspector) \(own())
        ORDER BY \(isHidden ? "hidden, " : "")device_time DESC, id DESC LIMIT :limit OFFSET :offset
        """)
    return try Row.fetchAll(
      statement,
      arguments: arguments([
        "inspector": inspector, "limit": limit, "offset": offset,
      ])
    ).map(photo)
  }

  /// How many there are of them.
  public func standalonePhotoCount(isHidden: Bool, inspector: String?) throws -> Int {
    try Int.fetchOne(
      database,
      sql: """
        SELECT count(*) FROM photo INDEXED BY photo_alone WHERE agency = :agency AND task IS NULL
        AND hidden IS \(isHidden ? "NOT NULL" : "NULL") AND deleted IS NULL
        AND (:inspector IS NULL OR inspector = :inspector) \(own())
        """, arguments: arguments(["inspector": inspector])) ?? 0
  }

  /// Gives a photo without a task to one, or takes it back out of it (nil).
  /// - Parameter time: when it was given.
  public func assign(_ photo: Photo, to task: Identifier?, at time: DeviceTime) throws {
    try countPhoto(
      at: photo.position.coordinate, task: photo.task?.description, isAdded: false)
    try database.execute(
      sql: "UPDATE photo SET task = :task, assigned = :time WHERE id = :id AND agency = :agency",
      arguments: arguments([
        "id": photo.id.description, "task": task?.description,
        "time": task == nil ? nil : time.millisecondsSince1970,
      ]))
    try countPhoto(at: photo.position.coordinate, task: task?.description, isAdded: true)
  }

  /// Hides a photo without a task from lists and maps, or shows it again (nil). It is kept.
  public func setHidden(_ time: DeviceTime?, _ photo: Photo) throws {
    try database.execute(
      sql: "UPDATE photo SET hidden = :time WHERE id = :id AND agency = :agency",
      arguments: arguments([
        "id": photo.id.description, "time": time?.millisecondsSince1970,
      ]))
    try countPhoto(
      at: photo.position.coordinate, task: photo.task?.description, isAdded: time == nil)
  }

  /// An inspector's tasks that a photo can be given to, the newest first.
  public func undecidedTasks(
    ofInspector login: String, limit: Int
  ) throws -> [InspectionTask] {
    let states = TaskState.allCases.filter { !$0.isDecided }.map { "'\($0.rawValue)'" }
    return try Row.fetchAll(
      database,
      sql: """
        SELECT * FROM task INDEXED BY task_by_inspector WHERE agency = :agency AND inspector = :login
        AND state IN (\(states.joined(separator: ", ")))
        ORDER BY created DESC, id LIMIT :limit
        """, arguments: arguments(["login": login, "limit": limit])
    ).map(TaskColumns.task)
  }

  /// Tracks, the newest first; those deleted before they were sent are not among them.
  public func trackRows(
    isHidden: Bool, inspector: String?, limit: Int, offset: Int
  ) throws -> [ReceivedTrack] {
    try Row.fetchAll(
      database,
      sql: """
        SELECT * FROM track WHERE agency = :agency AND deleted IS NULL
        AND hidden IS \(isHidden ? "NOT NULL" : "NULL") AND (:inspector IS NULL OR inspector = :inspector) \(own())
        ORDER BY started DESC, id DESC LIMIT :limit OFFSET :offset
        """,
      arguments: arguments([
        "inspector": inspector, "limit": limit, "offset": offset,
      ])
    ).map(track)
  }

  /// How many there are of them.
  public func trackCount(isHidden: Bool, inspector: String?) throws -> Int {
    try Int.fetchOne(
      database,
      sql: """
        SELECT count(*) FROM track WHERE agency = :agency AND deleted IS NULL
        AND hidden IS \(isHidden ? "NOT NULL" : "NULL") AND (:inspector IS NULL OR inspector = :inspector) \(own())
        """, arguments: arguments(["inspector": inspector])) ?? 0
  }

  /// Hides a track from the lists, or shows it again (nil). It is kept.
  public func setHidden(_ time: DeviceTime?, track id: Identifier) throws {
    try database.execute(
      sql: "UPDATE track SET hidden = :time WHERE id = :id AND agency = :agency",
      arguments: arguments(["id": id.description, "time": time?.millisecondsSince1970]))
  }
}
