import PDFWriting

/// A table of rows of cells. A row that does not fit goes to the next page; a row that is longer
/// than a page is continued there.
struct PDFTable {
  /// The text of a row in one column, with its style.
  struct Cell {
    var text: String
    var style: PDFStyle

    init(_ text: String, _ style: PDFStyle = .body) {
      self.text = text
      self.style = style
    }
  }

  /// The widths of the columns in points, each with the gap to the next column.
  var widths: [Double]
  /// The columns, counted from 0, whose text ends at the right edge.
  var rightAligned: Set<Int> = []
  /// The table's head, repeated on each page; empty for a table without one.
  var head: [Cell] = []
  var rows: [[Cell]] = []

  /// The width of all columns together, in points.
  var width: Double { widths.reduce(0, +) }

  /// The width of the column of labels, in points.
  static let labelWidth = 108.0
  /// The gap between columns, in points.
  static let gap = 9.0
  /// The space above and below a row's text, in points.
  static let padding = 1.6

  /// Adds a row of a label and its text.
  mutating func add(_ label: String, _ text: String) {
    rows.append([Cell(label, .label), Cell(text)])
  }

  /// Creates an empty table of labels and texts, over the whole width unless it says another.
  static func labelled(
    width: Double = PDFFlow.width, labels: Double = PDFTable.labelWidth
  ) -> PDFTable {
    PDFTable(widths: [labels, width - labels])
  }
}

extension PDFFlow {
  /// Draws a table, over as many pages as it needs.
  func table(_ table: PDFTable) throws(PDFError) {
    for (index, cells) in table.rows.enumerated() {
      let row = laidOut(cells, of: table)
      if index == 0 {
        // At least one row must fit below the head: a head alone at the foot of a page would head
        // nothing.
        try reserve(headHeight(of: table) + min(row.height, 60))
        drawHead(of: table)
      }
      try draw(row, of: table)
    }
  }

  /// Returns the height of a table that is not broken by a page's end, in points.
  func height(of table: PDFTable) -> Double {
    table.rows.reduce(headHeight(of: table)) { $0 + laidOut($1, of: table).height }
  }

  private struct Row {
    var cells: [(lines: [String], style: PDFStyle)]
    var leading: Double

    /// The number of lines of the longest cell.
    var count: Int { cells.map(\.lines.count).max() ?? 0 }
    var height: Double { Double(count) * leading + 2 * PDFTable.padding }
  }

  private func laidOut(_ cells: [PDFTable.Cell], of table: PDFTable) -> Row {
    let laid = zip(cells, table.widths).enumerated().map { index, pair in
      let (cell, width) = pair
      let gap = index == table.widths.count - 1 ? 0 : PDFTable.gap
      return (
        lines: typeface(cell.style).lines(
          of: cell.text, size: cell.style.size, width: width - gap),
        style: cell.style
      )
    }
    return Row(cells: laid, leading: cells.map(\.style.leading).max() ?? 0)
  }

  private func headHeight(of table: PDFTable) -> Double {
    table.head.isEmpty ? 0 : laidOut(table.head, of: table).height
  }

  private func drawHead(of table: PDFTable) {
    guard !table.head.isEmpty else { return }
    let row = laidOut(table.head, of: table)
    draw(lines: 0..<row.count, of: row, in: table)
    rule(ink: PDFStyle.muted, width: 0.6, length: table.width)
  }

  private func draw(_ row: Row, of table: PDFTable) throws(PDFError) {
    var first = 0
    while first < row.count {
      let fitting = max(0, Int((remaining - 2 * PDFTable.padding) / row.leading))
      let wanted = row.count - first
      let wholePage = fullHeight - headHeight(of: table) - 2 * PDFTable.padding
      let fitsOnNext = Double(wanted) * row.leading <= wholePage
      if wanted > fitting, !isFresh, fitsOnNext || fitting < 3 {
        try newPage()
        drawHead(of: table)
        isFresh = true
        continue
      }
      let count = min(wanted, max(fitting, 1))
      if first > 0, let label = row.cells.first, label.lines.count <= first {
        // The label is on the page before: without this mark a reader could not tell whose words
        // these are.
        space(PDFTable.padding)
        draw(words.continued, x: PDFFlow.left, leading: row.leading, .small)
        space(-PDFTable.padding)
      }
      draw(lines: first..<(first + count), of: row, in: table)
      first += count
    }
    rule(ink: PDFStyle.hairline, width: 0.4, length: table.width)
  }

  private func draw(lines range: Range<Int>, of row: Row, in table: PDFTable) {
    space(PDFTable.padding)
    for index in range {
      var x = PDFFlow.left
      for (column, cell) in row.cells.enumerated() {
        let width = table.widths[column]
        if index < cell.lines.count {
          var start = x
          if table.rightAligned.contains(column) {
            let gap = column == table.widths.count - 1 ? 0 : PDFTable.gap
            start += width - gap - lineWidth(cell.lines[index], cell.style)
          }
          draw(cell.lines[index], x: start, leading: row.leading, cell.style)
        }
        x += width
      }
      space(row.leading)
    }
    space(PDFTable.padding)
  }
}
