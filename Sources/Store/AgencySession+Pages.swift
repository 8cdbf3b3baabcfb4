import Evidence
import GRDB
import Inspection
import Positioning
import Sync

// Lists in pages, each of which begins behind the last one of the page before: an offset would show
// somebody twice, or never, when the list grows while it is read.

extension AgencySession {
  /// The tasks behind a place of a list.
  ///
  /// - Parameters:
  ///   - place: where to go on; nil is the beginning. It must be one of this order.
  ///   - limit: how many at most, at least 1.
  /// - Returns: the tasks, and where to go on; nil when there are no more.
  public func tasks(
    _ filter: TaskFilter, _ order: TaskSorting, at now: DeviceTime, after place: ListPlace?,
    limit: Int
  ) throws -> (tasks: [InspectionTask], next: ListPlace?) {
    let (condition, values) = filter.condition(at: now, in: order)
    // One more than is shown tells whether there are more.
    var missing = limit + 1
    var rows: [Row] = []
    func fetch(_ more: [String: (any DatabaseValueConvertible)?], from key: Int?) throws {
      let behind = key.map { order.behindSQL(from: $0, isReversed: false) } ?? "TRUE"
      let found = try Row.fetchAll(
        database,
        sql: """
          SELECT *, \(order.keySQL) FROM task INDEXED BY \(order.index) WHERE agency = :agency
          AND \(behind) AND \(condition) ORDER BY \(order.sql(from: key ?? 0)) LIMIT :limit
          """,
        arguments: arguments(
          values.merging(more) { $1 }.merging(["limit": missing]) { $1 }))
      rows += found
      missing -= found.count
    }
    if let place {
      guard place.keys.count == order.keyCount else {
        throw StoreError.unknown(what: "place", id: "of this list")
      }
      // What differs in the last key alone stands nearest: each is a place in the order's index.
      for key in (0..<order.keyCount).reversed() where missing > 0 {
        var keys: [String: (any DatabaseValueConvertible)?] = [:]
        for index in 0...key { keys["k\(index)"] = place.keys[index].value }
        try fetch(keys, from: key)
      }
    } else {
      try fetch([:], from: nil)
    }
    let page = rows.prefix(limit)
    let next = rows.count > limit ? page.last.map { self.place(of: $0, keys: order.keyCount) } : nil
    return (try page.map { row in try task(row) }, next)
  }

  /// The agency's whole photos without a task, the newest first.
  /// - Parameters:
  ///   - isHidden: those that an officer has hidden, instead of all others.
  ///   - inspector: one inspector's; nil for all.
  /// - Returns: the photos, and where to go on; nil when there are no more.
  public func standalonePhotos(
    isHidden: Bool, inspector: String?, after place: ListPlace?, limit: Int
  ) throws -> (photos: [ReceivedPhoto], next: ListPlace?) {
    let rows = try Row.fetchAll(
      database,
      sql: """
        SELECT *, device_time AS k0, id AS k1 FROM photo
        WHERE agency = :agency AND task IS NULL AND deleted IS NULL
        AND hidden IS \(isHidden ? "NOT NULL" : "NULL")
        AND (:inspector IS NULL OR inspector = :inspector)
        AND (:k0 IS NULL OR (device_time, id) < (:k0, :k1))
        ORDER BY device_time DESC, id DESC LIMIT :limit
        """, arguments: arguments(bound(place, limit, inspector)))
    let page = rows.prefix(limit)
    let next = rows.count > limit ? page.last.map { self.place(of: $0, keys: 2) } : nil
    return (try page.map { row in try photo(row) }, next)
  }

  /// The agency's whole tracks, the newest first.
  /// - Parameters:
  ///   - isHidden: those that an officer has hidden, instead of all others.
  ///   - inspector: one inspector's; nil for all.
  /// - Returns: the tracks, and where to go on; nil when there are no more.
  public func tracks(
    isHidden: Bool, inspector: String?, after place: ListPlace?, limit: Int
  ) throws -> (tracks: [ReceivedTrack], next: ListPlace?) {
    let rows = try Row.fetchAll(
      database,
      sql: """
        SELECT *, started AS k0, id AS k1 FROM track WHERE agency = :agency AND deleted IS NULL
        AND hidden IS \(isHidden ? "NOT NULL" : "NULL")
        AND (:inspector IS NULL OR inspector = :inspector)
        AND (:k0 IS NULL OR (started, id) < (:k0, :k1))
        ORDER BY started DESC, id DESC LIMIT :limit
        """, arguments: arguments(bound(place, limit, inspector)))
    let page = rows.prefix(limit)
    let next = rows.count > limit ? page.last.map { self.place(of: $0, keys: 2) } : nil
    return (try page.map { row in try track(row) }, next)
  }

  /// One of the agency's whole tracks.
  /// - Throws: `StoreError.unknown`, also for another agency's.
  public func track(_ id: Identifier) throws -> ReceivedTrack {
    guard
      let row = try Row.fetchOne(
        database,
        sql: """
          SELECT * FROM track WHERE id = :id AND agency = :agency AND deleted IS NULL \(own())
          """,
        arguments: arguments(["id": id.description]))
    else { throw StoreError.unknown(what: "track", id: id.description) }
    return try track(row)
  }

  /// The agency's log, the newest first.
  /// - Parameters:
  ///   - number: only what is older than this entry; nil is from the newest.
  ///   - words: only entries of which person, action, subject or detail contain this; nil for all.
  public func log(
    before number: Int64?, containing words: String?, limit: Int
  ) throws -> [(number: Int64, entry: LogEntry)] {
    try Row.fetchAll(
      database,
      sql: """
        SELECT * FROM log WHERE agency = :agency AND number < :before
        AND (:words IS NULL OR instr(lower(person || ' ' || action || ' ' || subject || ' '
          || coalesce(detail, '')), lower(:words)) > 0)
        ORDER BY number DESC LIMIT :limit
        """, arguments: arguments(["before": number ?? .max, "words": words, "limit": limit])
    ).map { row in
      (
        row["number"],
        LogEntry(
          agency: row["agency"], time: DeviceTime(millisecondsSince1970: row["time"]),
          person: row["person"], action: row["action"], subject: row["subject"],
          detail: row["detail"])
      )
    }
  }

  /// A place of a list that compares a moment and an identifier, and one more than the page has.
  private func bound(
    _ place: ListPlace?, _ limit: Int, _ inspector: String?
  ) -> [String: (any DatabaseValueConvertible)?] {
    let keys = place?.keys ?? []
    return [
      "k0": keys.count == 2 ? keys[0].value : nil, "k1": keys.count == 2 ? keys[1].value : nil,
      "limit": limit + 1, "inspector": inspector,
    ]
  }

  private func place(of row: Row, keys count: Int) -> ListPlace {
    ListPlace(
      (0..<count).map { index in
        switch (row["k\(index)"] as DatabaseValue).storage {
        case .int64(let value): .integer(value)
        case .string(let text): .text(text)
        case .null, .double, .blob: .text("")
        }
      })
  }

  func track(_ row: Row) throws -> ReceivedTrack {
    guard let id = Identifier(row["id"]) else { throw StoreError.damagedRow("a track") }
    return ReceivedTrack(
      id: id, inspector: row["inspector"],
      task: (row["task"] as String?).flatMap(Identifier.init(_:)), name: row["name"],
      started: DeviceTime(millisecondsSince1970: row["started"]),
      delivered: DeviceTime(millisecondsSince1970: row["delivered"]),
      hidden: (row["hidden"] as Int64?).map(DeviceTime.init(millisecondsSince1970:)),
      lateTask: (row["late_task"] as String?).flatMap(Identifier.init(_:)),
      measures: measures(row))
  }

  /// Nil for a track of which nothing was kept: it came to an older version, or its points are not here.
  private func measures(_ row: Row) -> TrackMeasures? {
    guard let points = row["points"] as Int?, let length = row["length"] as Double?,
      let duration = row["duration"] as Double?
    else { return nil }
    return TrackMeasures(
      points: points, lengthMetres: length, durationSeconds: duration,
      areaSquareMetres: row["area"], areaUncertaintySquareMetres95: row["area_uncertainty"])
  }
}

extension ListPlace.Key {
  fileprivate var value: any DatabaseValueConvertible {
    switch self {
    case .integer(let value): value
    case .text(let text): text
    }
  }
}
