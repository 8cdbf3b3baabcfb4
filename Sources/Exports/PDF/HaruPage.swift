import CHaru
import Foundation

/// An ink through which the drawing below it shines.
typealias SeeThroughInk = HPDF_ExtGState

/// A page, drawn on from its upper left corner: x to the right, y down, in points of 1/72 inch.
struct HaruPage {
  /// The width and height of A4, in points.
  static let width = 595.276
  static let height = 841.89

  /// A place on the page, in points.
  struct Point {
    var x: Double
    var y: Double
  }

  /// A colour: red, green and blue from 0 to 1.
  struct Ink {
    var red: Double
    var green: Double
    var blue: Double
  }

  /// The fill and the stroke of a path; nil for a part that is not painted.
  struct Paint {
    var fill: Ink?
    var stroke: Ink?
    var lineWidth = 0.5
    /// The lengths of dash and gap, in points; empty for a solid line.
    var dash: [UInt16] = []
  }

  let handle: HPDF_Page

  // MARK: text

  /// Draws one line of text, with its baseline at `y`.
  func text(
    _ line: String, x: Double, y: Double, typeface: PDFTypeface, size: Double, ink: Ink
  ) {
    let drawable = typeface.drawable(line)
    guard !drawable.isEmpty else { return }
    HPDF_Page_BeginText(handle)
    HPDF_Page_SetFontAndSize(handle, typeface.font, HPDF_REAL(size))
    HPDF_Page_SetRGBFill(handle, HPDF_REAL(ink.red), HPDF_REAL(ink.green), HPDF_REAL(ink.blue))
    HPDF_Page_MoveTextPos(handle, HPDF_REAL(x), upward(y))
    HPDF_Page_ShowText(handle, drawable)
    HPDF_Page_EndText(handle)
  }

  // MARK: paths

  func rectangle(x: Double, y: Double, width: Double, height: Double, _ paint: Paint) {
    painted(paint) {
      HPDF_Page_Rectangle(
        handle, HPDF_REAL(x), upward(y + height), HPDF_REAL(width), HPDF_REAL(height))
    }
  }

  func line(_ start: Point, _ end: Point, _ paint: Paint) {
    path([start, end], paint)
  }

  /// Draws an open path.
  func path(_ points: [Point], _ paint: Paint) {
    guard points.count > 1 else { return }
    painted(paint) { trace(points) }
  }

  /// Draws rings; an area inside an even number of rings is a hole.
  func rings(_ rings: [[Point]], _ paint: Paint) {
    let drawn = rings.filter { $0.count > 1 }
    // libharu treats painting without a path as an error.
    guard !drawn.isEmpty else { return }
    painted(paint) {
      for ring in drawn {
        trace(ring)
        HPDF_Page_ClosePath(handle)
      }
    }
  }

  func circle(_ centre: Point, radius: Double, _ paint: Paint) {
    painted(paint) {
      HPDF_Page_Circle(handle, HPDF_REAL(centre.x), upward(centre.y), HPDF_REAL(radius))
    }
  }

  private func trace(_ points: [Point]) {
    for (index, point) in points.enumerated() {
      if index == 0 {
        HPDF_Page_MoveTo(handle, HPDF_REAL(point.x), upward(point.y))
      } else {
        HPDF_Page_LineTo(handle, HPDF_REAL(point.x), upward(point.y))
      }
    }
  }

  /// Paints a path. The colours are set before the path: PDF allows nothing else between a path's
  /// beginning and its painting.
  private func painted(_ paint: Paint, _ path: () -> Void) {
    if let fill = paint.fill {
      HPDF_Page_SetRGBFill(
        handle, HPDF_REAL(fill.red), HPDF_REAL(fill.green), HPDF_REAL(fill.blue))
    }
    if let stroke = paint.stroke {
      HPDF_Page_SetRGBStroke(
        handle, HPDF_REAL(stroke.red), HPDF_REAL(stroke.green), HPDF_REAL(stroke.blue))
      HPDF_Page_SetLineWidth(handle, HPDF_REAL(paint.lineWidth))
      HPDF_Page_SetLineJoin(handle, HPDF_ROUND_JOIN)
      HPDF_Page_SetDash(handle, paint.dash, HPDF_UINT(paint.dash.count), 0)
    }
    path()
    switch (paint.fill != nil, paint.stroke != nil) {
    case (true, true): HPDF_Page_EofillStroke(handle)
    case (true, false): HPDF_Page_Eofill(handle)
    case (false, true): HPDF_Page_Stroke(handle)
    case (false, false): HPDF_Page_EndPath(handle)
    }
  }

  // MARK: state

  /// Draws with an ink through which the drawing below it shines.
  func seeThrough(_ ink: SeeThroughInk, _ body: () -> Void) {
    HPDF_Page_GSave(handle)
    HPDF_Page_SetExtGState(handle, ink)
    body()
    HPDF_Page_GRestore(handle)
  }

  /// Draws only inside a rectangle.
  func clipped(
    x: Double, y: Double, width: Double, height: Double, _ body: () -> Void
  ) {
    HPDF_Page_GSave(handle)
    HPDF_Page_Rectangle(
      handle, HPDF_REAL(x), upward(y + height), HPDF_REAL(width), HPDF_REAL(height))
    HPDF_Page_Clip(handle)
    HPDF_Page_EndPath(handle)
    body()
    HPDF_Page_GRestore(handle)
  }

  /// Draws a picture that fills a rectangle, turned upright according to how its camera was held.
  func image(
    _ image: HPDF_Image, turn: PictureTurn, x: Double, y: Double, width: Double, height: Double
  ) {
    // PDF draws a picture as the unit square with its lower left corner at the origin: right is the
    // direction of its columns, up is against its rows.
    let right = turn.columnsRun
    let up = turn.rowsRun.opposite
    let corner = turn.lowerLeftCorner
    HPDF_Page_GSave(handle)
    HPDF_Page_Concat(
      handle, HPDF_REAL(right.x * width), HPDF_REAL(-right.y * height), HPDF_REAL(up.x * width),
      HPDF_REAL(-up.y * height), HPDF_REAL(x + corner.x * width), upward(y + corner.y * height))
    HPDF_Page_ExecuteXObject(handle, image)
    HPDF_Page_GRestore(handle)
  }

  /// Draws a picture as a parallelogram given by three of its corners.
  func image(_ image: HPDF_Image, upperLeft: Point, upperRight: Point, lowerLeft: Point) {
    HPDF_Page_GSave(handle)
    HPDF_Page_Concat(
      handle, HPDF_REAL(upperRight.x - upperLeft.x), HPDF_REAL(upperLeft.y - upperRight.y),
      HPDF_REAL(upperLeft.x - lowerLeft.x), HPDF_REAL(lowerLeft.y - upperLeft.y),
      HPDF_REAL(lowerLeft.x), upward(lowerLeft.y))
    HPDF_Page_ExecuteXObject(handle, image)
    HPDF_Page_GRestore(handle)
  }

  /// Draws a QR Code over a square, with the light edge that the code needs.
  func code(_ code: QRCode, x: Double, y: Double, side: Double, ink: Ink) {
    let module = side / Double(code.side + 2 * QRCode.quietModules)
    let edge = Double(QRCode.quietModules) * module
    rectangle(x: x, y: y, width: side, height: side, Paint(fill: PDFStyle.white))
    painted(Paint(fill: ink)) {
      for row in 0..<code.side {
        var column = 0
        while column < code.side {
          let start = column
          while code.isDark(x: column, y: row) { column += 1 }
          if column > start {
            HPDF_Page_Rectangle(
              handle, HPDF_REAL(x + edge + Double(start) * module),
              upward(y + edge + Double(row + 1) * module),
              HPDF_REAL(Double(column - start) * module),
              HPDF_REAL(module))
          } else {
            column += 1
          }
        }
      }
    }
  }

  /// Converts a distance from the upper edge to PDF's distance from the lower edge, in points.
  private func upward(_ y: Double) -> HPDF_REAL { HPDF_REAL(Self.height - y) }
}
