import GRDB

// The problem: a dump has its tables in the order of their names: photos come before the tasks and
// people that they belong to, and a path's points anywhere after it. Hundreds of MB of rows are
// needed in another order.
//
// The obvious idea: keep the rows in memory, or read the dump once for each table. The first takes
// gigabytes. The second takes far too long for points, because each path needs its own.
//
// The solution: the dump is read once, to its end, and its rows are written to a file of their own.
// From there they are read by number, or by their parent's number. The office's data is not touched
// before the whole dump was read.
//
// Cost: as much disk space as the rows take, until they have been taken over.

/// A row of a dump, kept on the stage.
public struct StagedRow: Hashable, Sendable {
  /// The name of the row's table.
  public var table: String
  /// The index of the row's database in the dump, counted from 0.
  public var database: Int
  /// The row's number in its table.
  public var number: Int64
  /// The number of the row that this row belongs to; nil if it belongs to none.
  public var parent: Int64?
  /// The number of the dump's line in which the row begins.
  public var line: Int
  /// The row's columns as a JSON object.
  public var columns: String

  /// Creates a row.
  public init(
    table: String, database: Int, number: Int64, parent: Int64?, line: Int, columns: String
  ) {
    self.table = table
    self.database = database
    self.number = number
    self.parent = parent
    self.line = line
    self.columns = columns
  }
}

/// A file of a dump's rows that are about to be taken over.
public final class DumpStage {
  private let file: StagingFile
  private let queue: DatabaseQueue
  private var rows: [StagedRow] = []
  private var waitingBytes = 0

  private static let bytesAtOnce = 8 << 20

  private static let schema = """
    CREATE TABLE staged_row (
      place INTEGER PRIMARY KEY,
      of_table TEXT NOT NULL,
      of_database INTEGER NOT NULL,
      number INTEGER NOT NULL,
      parent INTEGER,
      line INTEGER NOT NULL,
      columns TEXT NOT NULL
    ) STRICT;
    """

  /// Creates an empty stage.
  /// - Parameter folder: the folder for the stage's file, `staging` next to the office's database.
  /// - Throws: `StoreError`.
  public init(folder: String) throws {
    file = try StagingFile(folder: folder, kind: .dump)
    queue = try file.open(schema: Self.schema)
  }

  /// Adds a row to the stage. All rows are added before `finish`.
  public func add(_ row: StagedRow) throws {
    rows.append(row)
    waitingBytes += row.columns.utf8.count
    if rows.count >= 1000 || waitingBytes >= 4 << 20 { try flush() }
  }

  private func flush() throws {
    try writing { database in
      let statement = try database.cachedStatement(
        sql: """
          INSERT INTO staged_row (of_table, of_database, number, parent, line, columns)
          VALUES (:table, :database, :number, :parent, :line, :columns)
          """)
      for row in rows {
        try statement.execute(arguments: [
          "table": row.table, "database": row.database, "number": row.number, "parent": row.parent,
          "line": row.line, "columns": row.columns,
        ])
      }
    }
    rows.removeAll(keepingCapacity: true)
    waitingBytes = 0
  }

  private func writing(_ body: (Database) throws -> Void) throws {
    do {
      try queue.write(body)
    } catch let error as DatabaseError {
      throw file.unwritable(error)
    }
  }

  /// Ends the adding of rows and builds the indexes: rows may be read from now on.
  /// - Parameter database: the index of the dump's database to keep; rows of other databases are deleted.
  public func finish(keeping database: Int) throws {
    try flush()
    try writing {
      try $0.execute(
        sql: "DELETE FROM staged_row WHERE of_database <> ?", arguments: [database])
      try $0.execute(
        sql: """
          CREATE INDEX staged_by_number ON staged_row (of_table, number);
          CREATE INDEX staged_by_parent ON staged_row (of_table, parent, number);
          """)
    }
  }

  /// Returns the number of a table's rows.
  public func count(of table: String) throws -> Int {
    try queue.read {
      try Int.fetchOne(
        $0, sql: "SELECT count(*) FROM staged_row WHERE of_table = ?", arguments: [table])
    } ?? 0
  }

  /// Returns a table's rows with numbers greater than `number`, in the order of their numbers: at
  /// most `limit`, fewer if they are large, but at least one if there is one. Of rows with the same
  /// number the first of the dump counts.
  public func rows(of table: String, after number: Int64, limit: Int) throws -> [StagedRow] {
    try fetch(
      "of_table = :table AND number > :number", limit,
      ["table": table, "number": number])
  }

  /// Returns the row with a number; nil if there is none.
  public func row(of table: String, number: Int64) throws -> StagedRow? {
    try fetch(
      "of_table = :table AND number = :number", 1, ["table": table, "number": number]
    ).first
  }

  /// Returns the rows of a table that belong to `parent` and have greater numbers than `number`, by number.
  public func rows(
    of table: String, belongingTo parent: Int64, after number: Int64, limit: Int
  ) throws -> [StagedRow] {
    try fetch(
      "of_table = :table AND parent = :parent AND number > :number", limit,
      ["table": table, "parent": parent, "number": number])
  }

  /// Returns the rows of a table, with greater numbers than `number`, that belong to no row of the
  /// table `owner`.
  public func rows(
    of table: String, withoutAny owner: String, after number: Int64, limit: Int
  ) throws -> [StagedRow] {
    try fetch(
      """
      of_table = :table AND number > :number AND (parent IS NULL OR parent NOT IN
        (SELECT owned.number FROM staged_row AS owned WHERE owned.of_table = :owner))
      """, limit, ["table": table, "owner": owner, "number": number])
  }

  private func fetch(
    _ condition: String, _ limit: Int, _ values: StatementArguments
  ) throws -> [StagedRow] {
    try queue.read { database in
      let found = try Row.fetchCursor(
        database.cachedStatement(
          sql: """
            SELECT * FROM staged_row WHERE \(condition)
            GROUP BY number HAVING place = min(place) ORDER BY number LIMIT \(max(0, limit))
            """), arguments: values)
      var (rows, bytes): ([StagedRow], Int) = ([], 0)
      // Rows may be large, so that one call returns only some MB: the next call goes on after the last row.
      while bytes < Self.bytesAtOnce, let row = try found.next() {
        let row = StagedRow(
          table: row["of_table"], database: row["of_database"], number: row["number"],
          parent: row["parent"], line: row["line"], columns: row["columns"])
        bytes += row.columns.utf8.count
        rows.append(row)
      }
      return rows
    }
  }

  /// Removes the stage's file. Call it once, and last.
  public func remove() {
    try? queue.close()
    file.remove()
  }
}
