import TimeAndText

/// The tables of a workbook: text in cells.
public struct Workbook: Hashable, Sendable {
  /// One table.
  public struct Sheet: Hashable, Sendable {
    /// The name on its tab.
    public var name: String
    /// Its rows that hold something, from the top.
    public var rows: [Row]

    /// Creates a table.
    public init(name: String, rows: [Row]) { (self.name, self.rows) = (name, rows) }
  }

  /// One row of a table.
  public struct Row: Hashable, Sendable {
    /// Its number, from 1, as people see it beside the table.
    public var number: Int
    /// The text of its cells by their columns, from 0; without those that are empty.
    public var cells: [Int: String]

    /// Creates a row.
    public init(number: Int, cells: [Int: String]) { (self.number, self.cells) = (number, cells) }
  }

  /// The tables, in their order.
  public var sheets: [Sheet]

  /// Creates a workbook.
  public init(sheets: [Sheet]) { self.sheets = sheets }

  /// Returns the table of a name, in large or small letters; nil if there is none.
  public func sheet(_ name: String) -> Sheet? {
    sheets.first { $0.name.lowercased() == name }
  }

  /// Returns the letters over a column, such as `AB` for 27.
  /// - Parameter column: the column, from 0.
  public static func letters(ofColumn column: Int) -> String {
    var (rest, letters) = (column + 1, "")
    while rest > 0 {
      let (next, letter) = (rest - 1).quotientAndRemainder(dividingBy: 26)
      letters = String(UnicodeScalar(UInt8(ascii: "A") + UInt8(letter))) + letters
      rest = next
    }
    return letters
  }

  /// Returns the column of a cell's name, such as 27 for `AB12`; nil if it has no letters, or more
  /// than three.
  static func column(ofCell name: String) -> Int? {
    let letters = name.utf8.prefix { (0x41...0x5A).contains($0) }
    guard (1...3).contains(letters.count) else { return nil }
    return letters.reduce(0) { $0 * 26 + Int($1) - 0x40 } - 1
  }
}

/// A fault in a table, or something of it that makes no difference here, with its place.
public struct TableFault: Error, Hashable, Sendable, Worded {
  /// The table; nil if the whole file is meant.
  public let sheet: String?
  /// The number of the row, from 1; nil if the whole table is meant.
  public let row: Int?
  /// The heading of the column; nil if the whole row is meant.
  public let column: String?
  /// The name of the cell, such as `B7`; nil if no single cell is meant.
  public let cell: String?
  /// The fault, in English.
  private let words: String
  /// The fault, and what to do about it.
  public let reason: Wording

  /// Creates a fault.
  /// - Parameter cell: the number of the cell's column, from 0, and its heading.
  public init(
    in sheet: String? = nil, row: Int? = nil, cell: (column: Int, heading: String)? = nil,
    _ reason: Wording
  ) {
    (self.sheet, self.row, self.reason) = (sheet, row, reason)
    words = reason.description
    column = cell?.heading
    self.cell = cell.flatMap { cell in
      row.map { Workbook.letters(ofColumn: cell.column) + "\($0)" }
    }
  }

  /// The place and the fault, in one line.
  public var wording: Wording {
    switch (sheet, row, cell) {
    case (let sheet?, let row?, let cell?):
      column.flatMap { $0.isEmpty ? nil : $0 }.map { column in
        "sheet \(sheet), row \(row), column \(column) (\(cell)): \(reason)"
      } ?? "sheet \(sheet), row \(row) (\(cell)): \(reason)"
    case (let sheet?, let row?, nil): "sheet \(sheet), row \(row): \(reason)"
    case (let sheet?, nil, _): "sheet \(sheet): \(reason)"
    case (nil, _, _): reason
    }
  }

  /// Compares two faults: they are equal if they have one place and equal English words.
  public static func == (one: TableFault, other: TableFault) -> Bool {
    one.sheet == other.sheet && one.row == other.row && one.cell == other.cell
      && one.words == other.words
  }

  /// Hashes the place and the English words.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(sheet)
    hasher.combine(row)
    hasher.combine(cell)
    hasher.combine(words)
  }
}
