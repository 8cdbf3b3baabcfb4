/// The way on which a statement comes to the cells of a view. An index of places has the rows of one
/// column beside each other: each column is looked up by itself, and its rows outside the view are
/// not read. A view of very many columns, and one whose columns are short because their cells are
/// large or the agency is small, is quicker read from one end to the other.
struct ColumnWalk {
  /// The most columns that are looked up one by one.
  private static let columnsAtMost = 512
  /// The least level whose columns are long enough, as measured with a million photos.
  static let leastLevel = 13
  /// The photos and tasks of an agency from which on its columns are that long.
  static let leastThings = 100_000
  /// The condition that a cell is in the columns, for a statement that reads them in no order.
  static let range = "cell.x BETWEEN :left AND :right"

  /// The clause before the statement.
  let with: String
  /// The table before that of the cells.
  let source: String
  /// The condition that a cell is in the columns.
  let condition: String

  /// - Parameter isLong: true if a column has many more rows than the view needs.
  init(of columns: ClosedRange<Int>, isLong: Bool) {
    guard columns.count <= Self.columnsAtMost, isLong else {
      (with, source, condition) = ("", "", Self.range)
      return
    }
    with = """
      WITH RECURSIVE columns (number) AS
        (SELECT :left UNION ALL SELECT number + 1 FROM columns WHERE number < :right)
      """
    (source, condition) = ("columns CROSS JOIN", "cell.x = columns.number")
  }
}
