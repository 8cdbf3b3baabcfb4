import PDFWriting

extension HaruPage {
  /// Draws a QR Code over a square, with the light edge that the code needs.
  func code(_ code: QRCode, x: Double, y: Double, side: Double, ink: Ink) {
    let module = side / Double(code.side + 2 * QRCode.quietModules)
    let edge = Double(QRCode.quietModules) * module
    rectangle(x: x, y: y, width: side, height: side, Paint(fill: PDFStyle.white))
    var runs: [(x: Double, y: Double, width: Double, height: Double)] = []
    for row in 0..<code.side {
      var column = 0
      while column < code.side {
        let start = column
        while code.isDark(x: column, y: row) { column += 1 }
        if column > start {
          runs.append(
            (
              x: x + edge + Double(start) * module, y: y + edge + Double(row) * module,
              width: Double(column - start) * module, height: module
            ))
        } else {
          column += 1
        }
      }
    }
    fill(runs, ink)
  }
}
