import GRDB

// The wall around one inspector's rows, for inspectors who look at their own data at the office.
//
// The obvious idea: each page reads the agency's rows and leaves out those of other inspectors. It
// fails at the first page that forgets to, and counts, neighbours and page numbers still tell of
// the rows left out.
//
// Approach: an inspector's reads hold no database, only a `VisibleRows`. It runs nothing but a `Query`, and
// only its own `select` makes one: from a walled table, with the agency and the inspector already in the
// condition. No code can express a read of another person's rows.

/// A table whose rows inspectors may see if the rows are their own.
enum WalledTable: String {
  case task
  case earlierOrder = "task_order"
  case transition = "task_transition"
  case orderedItems = "task_items"
  case tally = "task_tally"
  case photo
  case check = "photo_check"
  case track
  case frameSet = "frame_set"
  case itemAnswer = "item_answer"
  case itemVerdict = "item_verdict"
  case standing = "task_standing"
  case progress = "task_progress"
  case itemValue = "item_value"
  case standaloneTally = "standalone_tally"
  case link
  case lateNote = "late_note"
  case phonePhoto = "phone_photo"
  case phoneTrack = "phone_track"
  case carriedOver = "carried_over"

  /// Returns the condition that a row belongs to the inspector `:own`.
  /// - Parameter usesIndex: false keeps SQLite from choosing the index of inspectors instead of the
  ///   index of a list's order.
  fileprivate func isOwn(usesIndex: Bool) -> String {
    switch self {
    case .tally: belongs(to: "task", by: "task")
    case .check: belongs(to: "photo", by: "photo")
    case .earlierOrder, .transition, .orderedItems, .itemAnswer, .itemVerdict, .standing,
      .progress:
      belongs(to: "task", by: "task")
    case .task, .photo, .track, .frameSet, .link, .lateNote, .phonePhoto, .phoneTrack, .carriedOver,
      .itemValue, .standaloneTally:
      "\(usesIndex ? "" : "+")\(rawValue).inspector = :own"
    }
  }

  private func belongs(to owner: String, by column: String) -> String {
    """
    EXISTS (SELECT 1 FROM \(owner) AS owned WHERE owned.id = \(rawValue).\(column)
      AND owned.agency = :agency AND owned.inspector = :own)
    """
  }
}

/// The rows of an agency that a reader may see: all of them, or one inspector's.
public struct VisibleRows {
  /// A statement that reads visible rows only. Only `VisibleRows` makes one.
  struct Query {
    let sql: String

    fileprivate init(_ sql: String) { self.sql = sql }
  }

  private let database: Database
  /// The agency's name.
  let agency: String
  /// The login of the only inspector whose rows are visible; nil if all of the agency's are.
  private let inspector: String?

  /// True if only one inspector's rows are visible.
  var areOneInspectors: Bool { inspector != nil }

  init(database: Database, agency: String, inspector: String?) {
    (self.database, self.agency, self.inspector) = (database, agency, inspector)
  }

  /// Composes a statement on one walled table.
  /// - Parameters:
  ///   - columns: constant text; values from outside are bound.
  ///   - index: `INDEXED BY …`, `NOT INDEXED`, or a join that adds columns.
  ///   - condition: a further condition on the row.
  ///   - rest: the order and the limit.
  ///   - usesIndex: see `WalledTable.isOwn`.
  func select(
    _ columns: String = "*", from table: WalledTable, _ index: String = "",
    where condition: String = "TRUE", _ rest: String = "", usesIndex: Bool = true
  ) -> Query {
    let own = inspector == nil ? "" : "AND \(table.isOwn(usesIndex: usesIndex))"
    return Query(
      """
      SELECT \(columns) FROM \(table.rawValue) \(index)
      WHERE \(table.rawValue).agency = :agency AND \(condition) \(own) \(rest)
      """)
  }

  /// Composes a statement that reads whole tasks by the row numbers that another query finds as `place`.
  func tasks(at places: Query, _ rest: String) -> Query {
    Query(
      """
      SELECT task.* FROM (\(places.sql)) AS part
      CROSS JOIN task ON task.rowid = part.place AND task.agency = :agency \(rest)
      """)
  }

  /// Reads every row.
  func all(
    _ query: Query, _ values: [String: (any DatabaseValueConvertible)?] = [:]
  ) throws -> [Row] {
    try Row.fetchAll(database.cachedStatement(sql: query.sql), arguments: arguments(values))
  }

  /// Reads the first row; nil if there is none.
  func first(
    _ query: Query, _ values: [String: (any DatabaseValueConvertible)?] = [:]
  ) throws -> Row? {
    try Row.fetchOne(database.cachedStatement(sql: query.sql), arguments: arguments(values))
  }

  /// Reads the first column of the first row; nil if there is no row, or a NULL.
  func value<Value: DatabaseValueConvertible>(
    _ query: Query, _ values: [String: (any DatabaseValueConvertible)?] = [:],
    as type: Value.Type = Value.self
  ) throws -> Value? {
    try Value.fetchOne(database.cachedStatement(sql: query.sql), arguments: arguments(values))
  }

  /// Counts the rows of a query.
  func count(
    _ query: Query, _ values: [String: (any DatabaseValueConvertible)?] = [:]
  ) throws -> Int {
    try Int.fetchOne(
      database.cachedStatement(sql: "SELECT count(*) FROM (\(query.sql))"),
      arguments: arguments(values)) ?? 0
  }

  /// Reads the first column of every row, an identifier each.
  func identifiers(
    _ query: Query, _ values: [String: (any DatabaseValueConvertible)?] = [:]
  ) throws -> [String] {
    try String.fetchAll(database.cachedStatement(sql: query.sql), arguments: arguments(values))
  }

  /// Calls `body` with each row, one after the other, however many there are.
  func forEach(
    _ query: Query, _ values: [String: (any DatabaseValueConvertible)?] = [:],
    _ body: (Row) throws -> Void
  ) throws {
    let rows = try Row.fetchCursor(
      database.makeStatement(sql: query.sql), arguments: arguments(values))
    while let row = try rows.next() { try body(row) }
  }

  /// Returns SQLite's plan of a query, in its words, for tests.
  func plan(of query: Query) throws -> String {
    // Bound values change no plan here.
    let statement = try database.makeStatement(sql: "EXPLAIN QUERY PLAN " + query.sql)
    statement.setUncheckedArguments(StatementArguments())
    return try Row.fetchAll(statement).map { $0["detail"] as String }.joined(separator: "; ")
  }

  /// Returns true if more than a fifth of all agencies' tasks are this agency's. The answer is
  /// about sizes of tables; it shows no row.
  func isMostOfTasks() throws -> Bool {
    try Bool.fetchOne(
      database.cachedStatement(
        sql: """
          SELECT count(*) > 0 FROM (SELECT 1 FROM task INDEXED BY task_by_agency
            WHERE agency = :agency LIMIT 1 OFFSET (SELECT coalesce(max(rowid) / 5, 0) FROM task /* every agency's */))
          """), arguments: ["agency": agency]) == true
  }

  private func arguments(
    _ values: [String: (any DatabaseValueConvertible)?]
  ) -> StatementArguments {
    var all = values
    all["agency"] = agency
    if let inspector { all["own"] = inspector }
    return StatementArguments(all)
  }
}
