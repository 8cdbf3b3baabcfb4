import GRDB

// The problem: a dump has its tables in the order of their names, photos before the tasks and people that they belong
// to, and a path's points anywhere behind it. Hundreds of MB of rows are needed in another order.
//
// The obvious idea: to keep them in memory; or to read the dump once for each table. The first takes gigabytes, the
// second has no end with points, of which each path needs its own.
//
// What is done: the dump is read once, to its end, and its rows are laid down in a file of their own, from which they
// are read by number, or by what they belong to. Nothing of the office's is touched before the whole dump was read.
//
// Cost: as much room on the disk as the rows take, for as long as they are taken over.

/// A row of a dump that lies on the stage.
public struct StagedRow: Hashable, Sendable {
  /// Its table.
  public var table: String
  /// Which of the dump's databases it is of, counted from 0.
  public var database: Int
  /// Its number.
  public var number: Int64
  /// The number of what it belongs to; nil for nothing.
  public var parent: Int64?
  /// In which line of the dump it begins.
  public var line: Int
  /// Its columns as a JSON object.
  public var columns: String

  /// A row from its parts.
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

/// Rows of a dump that are about to be taken over.
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

  /// An empty stage.
  /// - Parameter folder: where it lies, `staging` beside the office's database.
  /// - Throws: `StoreError`.
  public init(folder: String) throws {
    file = try StagingFile(folder: folder, kind: .dump)
    queue = try file.open(schema: Self.schema)
  }

  /// Lays down a row.
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

  /// All rows are there: from now on they are read.
  /// - Parameter database: which of the dump's databases is meant; what is of another one goes.
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

  /// How many rows of a table there are.
  public func count(of table: String) throws -> Int {
    try queue.read {
      try Int.fetchOne(
        $0, sql: "SELECT count(*) FROM staged_row WHERE of_table = ?", arguments: [table])
    } ?? 0
  }

  /// A table's rows behind a number, by their numbers, at least one where there is one. Of rows with the same number the
  /// first of the dump counts.
  public func rows(of table: String, after number: Int64, limit: Int) throws -> [StagedRow] {
    try fetch(
      "of_table = :table AND number > :number", limit,
      ["table": table, "number": number])
  }

  /// The row of a number; nil where there is none.
  public func row(of table: String, number: Int64) throws -> StagedRow? {
    try fetch(
      "of_table = :table AND number = :number", 1, ["table": table, "number": number]
    ).first
  }

  /// The rows of a table that belong to something, by their numbers, those behind one of them.
  public func rows(
    of table: String, belongingTo parent: Int64, after number: Int64, limit: Int
  ) throws -> [StagedRow] {
    try fetch(
      "of_table = :table AND parent = :parent AND number > :number", limit,
      ["table": table, "parent": parent, "number": number])
  }

  /// The rows of a table behind a number that belong to nothing, or to what is not in the dump.
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
      // Rows may be large: the next call goes on behind the last one.
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

  /// Takes the file away. Once, and last.
  public func remove() {
    try? queue.close()
    file.remove()
  }
}
