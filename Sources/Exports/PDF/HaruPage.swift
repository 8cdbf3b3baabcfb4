import CHaru
import Foundation

/// An ink that lets what lies below shine through.
typealias SeeThroughInk = HPDF_ExtGState

/// One page, drawn on from its upper left corner: x to the right, y down, in points of 1/72 inch.
struct HaruPage {
  /// A4 in points.
  static let width = 595.276
  static let height = 841.89

  /// A place on the page.
  struct Point {
    var x: Double
    var y: Double
  }

  /// A colour; red, green and blue from 0 to 1.
  struct Ink {
    var red: Double
    var green: Double
    var blue: Double
  }

  /// How a path is painted.
  struct Paint {
    var fill: Ink?
    var stroke: Ink?
    var lineWidth = 0.5
    /// Lengths of dash and gap in points; a solid line without.
    var dash: [UInt16] = []
  }

  let handle: HPDF_Page

  // MARK: text

  /// One line, with its baseline at `y`.
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

  /// An open path.
  func path(_ points: [Point], _ paint: Paint) {
    guard points.count > 1 else { return }
    painted(paint) { trace(points) }
  }

  /// Rings; what lies in an even number of them is a hole.
  func rings(_ rings: [[Point]], _ paint: Paint) {
    let drawn = rings.filter { $0.count > 1 }
    // To paint without a path is an error.
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

  /// Colours come before the path: between a path's begin and its painting nothing else may stand.
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

  /// Draws with an ink that lets what lies below shine through.
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

  /// A picture that fills a rectangle, turned as its camera was held.
  func image(
    _ image: HPDF_Image, turn: PictureTurn, x: Double, y: Double, width: Double, height: Double
  ) {
    // A picture is the unit square with its lower left corner at the origin; right is where its
    // columns run, up is against its rows.
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

  /// A picture as a parallelogram between three of its corners.
  func image(_ image: HPDF_Image, upperLeft: Point, upperRight: Point, lowerLeft: Point) {
    HPDF_Page_GSave(handle)
    HPDF_Page_Concat(
      handle, HPDF_REAL(upperRight.x - upperLeft.x), HPDF_REAL(upperLeft.y - upperRight.y),
      HPDF_REAL(upperLeft.x - lowerLeft.x), HPDF_REAL(lowerLeft.y - upperLeft.y),
      HPDF_REAL(lowerLeft.x), upward(lowerLeft.y))
    HPDF_Page_ExecuteXObject(handle, image)
    HPDF_Page_GRestore(handle)
  }

  /// A QR Code over a square, with the light edge that it needs.
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

  /// PDF counts from the lower edge.
  private func upward(_ y: Double) -> HPDF_REAL { HPDF_REAL(Self.height - y) }
}
