import CHaru
import Foundation

/// An ink through which the drawing below it shines.
package typealias SeeThroughInk = HPDF_ExtGState

/// A picture that a document holds, to be drawn as often as wanted.
package typealias PDFImage = HPDF_Image

/// An entry of the reader's table of contents.
package typealias PDFOutline = HPDF_Outline

/// A page, drawn on from its upper left corner: x to the right, y down, in points of 1/72 inch.
package struct HaruPage: Equatable {
  /// The width and height of A4, in points.
  package static let width = 595.276
  package static let height = 841.89

  /// A place on the page, in points.
  package struct Point {
    package var x: Double
    package var y: Double

    package init(x: Double, y: Double) { (self.x, self.y) = (x, y) }
  }

  /// A colour: red, green and blue from 0 to 1.
  package struct Ink {
    package var red: Double
    package var green: Double
    package var blue: Double

    package init(red: Double, green: Double, blue: Double) {
      (self.red, self.green, self.blue) = (red, green, blue)
    }
  }

  /// The fill and the stroke of a path; nil for a part that is not painted.
  package struct Paint {
    package var fill: Ink?
    package var stroke: Ink?
    package var lineWidth: Double
    /// The lengths of dash and gap, in points; empty for a solid line.
    package var dash: [UInt16]

    package init(
      fill: Ink? = nil, stroke: Ink? = nil, lineWidth: Double = 0.5, dash: [UInt16] = []
    ) {
      (self.fill, self.stroke) = (fill, stroke)
      (self.lineWidth, self.dash) = (lineWidth, dash)
    }
  }

  let handle: HPDF_Page

  // MARK: text

  /// Draws one line of text, with its baseline at `y`.
  package func text(
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

  package func rectangle(x: Double, y: Double, width: Double, height: Double, _ paint: Paint) {
    painted(paint) {
      HPDF_Page_Rectangle(
        handle, HPDF_REAL(x), upward(y + height), HPDF_REAL(width), HPDF_REAL(height))
    }
  }

  /// Fills rectangles with one colour, as one path.
  package func fill(
    _ rectangles: [(x: Double, y: Double, width: Double, height: Double)], _ ink: Ink
  ) {
    guard !rectangles.isEmpty else { return }
    painted(Paint(fill: ink)) {
      for one in rectangles {
        HPDF_Page_Rectangle(
          handle, HPDF_REAL(one.x), upward(one.y + one.height), HPDF_REAL(one.width),
          HPDF_REAL(one.height))
      }
    }
  }

  package func line(_ start: Point, _ end: Point, _ paint: Paint) {
    path([start, end], paint)
  }

  /// Draws an open path.
  package func path(_ points: [Point], _ paint: Paint) {
    guard points.count > 1 else { return }
    painted(paint) { trace(points) }
  }

  /// Draws rings; an area inside an even number of rings is a hole.
  package func rings(_ rings: [[Point]], _ paint: Paint) {
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

  package func circle(_ centre: Point, radius: Double, _ paint: Paint) {
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
  package func seeThrough(_ ink: SeeThroughInk, _ body: () -> Void) {
    HPDF_Page_GSave(handle)
    HPDF_Page_SetExtGState(handle, ink)
    body()
    HPDF_Page_GRestore(handle)
  }

  /// Draws only inside a rectangle.
  package func clipped(
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
  package func image(
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
  package func image(_ image: HPDF_Image, upperLeft: Point, upperRight: Point, lowerLeft: Point) {
    HPDF_Page_GSave(handle)
    HPDF_Page_Concat(
      handle, HPDF_REAL(upperRight.x - upperLeft.x), HPDF_REAL(upperLeft.y - upperRight.y),
      HPDF_REAL(upperLeft.x - lowerLeft.x), HPDF_REAL(lowerLeft.y - upperLeft.y),
      HPDF_REAL(lowerLeft.x), upward(lowerLeft.y))
    HPDF_Page_ExecuteXObject(handle, image)
    HPDF_Page_GRestore(handle)
  }

  /// Converts a distance from the upper edge to PDF's distance from the lower edge, in points.
  private func upward(_ y: Double) -> HPDF_REAL { HPDF_REAL(Self.height - y) }
}
