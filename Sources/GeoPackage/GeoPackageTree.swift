import GRDB
import GRDBSQLite

/// The spatial index of a table, written into the tables in which SQLite's R-tree keeps itself.
final class GeoPackageTree {
  private var tree = PackedTree()
  private let nodes: PackedTree.Nodes

  init(of table: String, in database: Database) throws {
    func statement(_ end: String) throws -> Statement {
      try database.makeStatement(
        sql: "INSERT OR REPLACE INTO \(GeoPackageSchema.tree(table, end)) VALUES (?, ?)")
    }
    let (node, row, parent) = (
      try statement("_node"), try statement("_rowid"), try statement("_parent")
    )
    func pair(_ statement: Statement, _ first: Int64, _ second: Int64) throws {
      sqlite3_bind_int64(statement.sqliteStatement, 1, first)
      sqlite3_bind_int64(statement.sqliteStatement, 2, second)
      try Self.run(statement)
    }
    nodes = PackedTree.Nodes(
      node: { number, bytes in
        sqlite3_bind_int64(node.sqliteStatement, 1, number)
        bytes.withUnsafeBytes { raw in
          _ = sqlite3_bind_blob(
            node.sqliteStatement, 2, raw.baseAddress, Int32(raw.count), SQLiteCopies.destructor)
        }
        try Self.run(node)
      }, row: { try pair(row, $0, $1) }, parent: { try pair(parent, $0, $1) })
  }

  private static func run(_ statement: Statement) throws {
    let code = sqlite3_step(statement.sqliteStatement)
    sqlite3_reset(statement.sqliteStatement)
    guard code == SQLITE_DONE else { throw DatabaseError(resultCode: ResultCode(rawValue: code)) }
  }

  func add(_ row: Int64, _ box: TreeBox) throws { try tree.add(row, box, to: nodes) }

  func finish() throws { try tree.finish(nodes) }
}
