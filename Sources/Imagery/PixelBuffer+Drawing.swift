/// A place in a picture in pixels from its top left corner; the first pixel's centre is (0.5, 0.5).
public struct PixelPoint: Sendable, Hashable {
  /// The pixels to the right.
  public let x: Double
  /// The pixels down.
  public let y: Double

  /// Creates the place `x` pixels to the right and `y` pixels down.
  public init(x: Double, y: Double) {
    self.x = x
    self.y = y
  }
}

/// Filled shapes. Parts outside the picture are cut off; a shape with a coordinate that is not
/// finite is not drawn. `opacity` is 0 (nothing) to 1 (covers), clamped.
///
/// Edges are smoothed by coverage: each row of pixels is cut into four lines, a line crosses a
/// shape in exact spans, and a pixel gets the share of its area that the spans cover. Only pixels
/// at the edges are blended one by one; whole runs inside are copied.
extension PixelBuffer {
  /// Fills a rectangle of whole pixels.
  public mutating func fillRectangle(
    columns: Range<Int>, rows: Range<Int>, colour: Colour, opacity: Double = 1
  ) {
    let columns = columns.clamped(to: 0..<width)
    for row in rows.clamped(to: 0..<height) {
      fillRun(columns, row: row, colour: colour, opacity: opacity)
    }
  }

  /// Fills whole rows with a gradient, from `top` in the first row to `bottom` in the last.
  public mutating func fillVerticalGradient(rows: Range<Int>, top: Colour, bottom: Colour) {
    guard !rows.isEmpty else { return }
    let last = Double(rows.upperBound) - Double(rows.lowerBound) - 1
    for row in rows.clamped(to: 0..<height) {
      let share = last > 0 ? (Double(row) - Double(rows.lowerBound)) / last : 0
      fillRun(0..<width, row: row, colour: top.mixed(with: bottom, share: share), opacity: 1)
    }
  }

  /// Draws a straight line with square ends.
  /// - Parameter thickness: The thickness in pixels; nothing is drawn at 0 or below.
  public mutating func drawLine(
    from start: PixelPoint, to end: PixelPoint, thickness: Double, colour: Colour,
    opacity: Double = 1
  ) {
    let deltaX = end.x - start.x
    let deltaY = end.y - start.y
    let length = (deltaX * deltaX + deltaY * deltaY).squareRoot()
    guard length > 0, thickness > 0 else { return }
    let acrossX = -deltaY / length * thickness / 2
    let acrossY = deltaX / length * thickness / 2
    fillPolygon(
      [
        PixelPoint(x: start.x + acrossX, y: start.y + acrossY),
        PixelPoint(x: end.x + acrossX, y: end.y + acrossY),
        PixelPoint(x: end.x - acrossX, y: end.y - acrossY),
        PixelPoint(x: start.x - acrossX, y: start.y - acrossY),
      ], colour: colour, opacity: opacity)
  }

  /// Fills a polygon, which closes itself. If it crosses itself, every second region stays empty.
  public mutating func fillPolygon(
    _ corners: [PixelPoint], colour: Colour, opacity: Double = 1
  ) {
    guard corners.count >= 3, corners.allSatisfy({ $0.x.isFinite && $0.y.isFinite }),
      let top = corners.map(\.y).min(), let bottom = corners.map(\.y).max()
    else { return }
    var crossings: [Double] = []
    fillShape(from: top, to: bottom, colour: colour, opacity: opacity) { y, spans in
      crossings.removeAll(keepingCapacity: true)
      var previous = corners[corners.count - 1]
      for corner in corners {
        if (previous.y <= y) != (corner.y <= y) {
          let share = (y - previous.y) / (corner.y - previous.y)
          crossings.append(previous.x + share * (corner.x - previous.x))
        }
        previous = corner
      }
      crossings.sort()
      for index in stride(from: 0, to: crossings.count - 1, by: 2) {
        spans.append((crossings[index], crossings[index + 1]))
      }
    }
  }

  /// Fills a circle; nothing is drawn with a radius of 0 or below.
  public mutating func fillCircle(
    centre: PixelPoint, radius: Double, colour: Colour, opacity: Double = 1
  ) {
    guard centre.x.isFinite, centre.y.isFinite, radius.isFinite, radius > 0 else { return }
    fillShape(
      from: centre.y - radius, to: centre.y + radius, colour: colour, opacity: opacity
    ) { y, spans in
      let square = radius * radius - (y - centre.y) * (y - centre.y)
      guard square > 0 else { return }
      let half = square.squareRoot()
      spans.append((centre.x - half, centre.x + half))
    }
  }

  /// Fills the part of one row between two places, and smooths its ends.
  mutating func fillSpan(
    from start: Double, to end: Double, row: Int, colour: Colour, opacity: Double = 1
  ) {
    guard (0..<height).contains(row), start < end else { return }
    let opacity = min(opacity, 1)
    let start = min(max(start, 0), Double(width))
    let end = min(max(end, 0), Double(width))
    let first = Int(start)
    let last = Int(end)
    if first == last {
      fillRun(first..<(first + 1), row: row, colour: colour, opacity: opacity * (end - start))
      return
    }
    let inside = Int(start.rounded(.up))
    if inside > first {
      fillRun(
        first..<inside, row: row, colour: colour, opacity: opacity * (Double(inside) - start))
    }
    fillRun(inside..<last, row: row, colour: colour, opacity: opacity)
    fillRun(last..<(last + 1), row: row, colour: colour, opacity: opacity * (end - Double(last)))
  }

  private typealias Span = (start: Double, end: Double)

  /// Fills the area that the spans of `spansAt` cover, four lines to each row.
  private mutating func fillShape(
    from top: Double, to bottom: Double, colour: Colour, opacity: Double,
    spansAt: (Double, inout [Span]) -> Void
  ) {
    let firstRow = Int(min(max(top, 0), Double(height)).rounded(.down))
    let endRow = Int(min(max(bottom, 0), Double(height)).rounded(.up))
    guard firstRow < endRow else { return }
    var spans: [Span] = []
    for row in firstRow..<endRow {
      spans.removeAll(keepingCapacity: true)
      for line in 0..<4 {
        spansAt(Double(row) + (Double(line) + 0.5) / 4, &spans)
      }
      fillCoverage(spans, row: row, colour: colour, opacity: min(opacity, 1))
    }
  }

  /// Blends a row by the share of each pixel that the spans cover; each span counts a quarter.
  private mutating func fillCoverage(
    _ spans: [Span], row: Int, colour: Colour, opacity: Double
  ) {
    // The row is cut at both ends of every pixel that a span's end touches. Inside a piece the
    // coverage is constant, and at an edge a piece is one pixel.
    var cuts: [Int] = []
    for span in spans where span.start < span.end {
      for end in [span.start, span.end] {
        let pixel = Int(min(max(end, 0), Double(width)))
        cuts.append(pixel)
        cuts.append(min(pixel + 1, width))
      }
    }
    guard !cuts.isEmpty else { return }
    cuts.sort()
    for index in 1..<cuts.count where cuts[index - 1] < cuts[index] {
      let piece = cuts[index - 1]..<cuts[index]
      var coverage = 0.0
      for span in spans {
        let from = max(span.start, Double(piece.lowerBound))
        let to = min(span.end, Double(piece.upperBound))
        if from < to { coverage += (to - from) / Double(piece.count) / 4 }
      }
      if coverage > 0 {
        fillRun(piece, row: row, colour: colour, opacity: opacity * min(coverage, 1))
      }
    }
  }

  /// Blends a run of pixels of one row.
  private mutating func fillRun(
    _ columns: Range<Int>, row: Int, colour: Colour, opacity: Double
  ) {
    let columns = columns.clamped(to: 0..<width)
    guard !columns.isEmpty, (0..<height).contains(row), opacity > 0 else { return }
    let start = 3 * (row * width + columns.lowerBound)
    let count = 3 * columns.count
    pixels.withUnsafeMutableBufferPointer { pixels in
      if opacity >= 0.998 {
        pixels[start] = colour.red
        pixels[start + 1] = colour.green
        pixels[start + 2] = colour.blue
        // Each copy doubles the filled part: a loop over bytes is many times slower in an
        // unoptimised build.
        var filled = 3
        while filled < count {
          let next = min(filled, count - filled)
          UnsafeMutableRawBufferPointer(
            rebasing: UnsafeMutableRawBufferPointer(pixels)[
              (start + filled)..<(start + filled + next)]
          ).copyMemory(
            from: UnsafeRawBufferPointer(
              rebasing: UnsafeRawBufferPointer(pixels)[
                start..<(start + next)]))
          filled += next
        }
      } else {
        let weight = Int(opacity * 256)
        let red = Int(colour.red) * weight
        let green = Int(colour.green) * weight
        let blue = Int(colour.blue) * weight
        let rest = 256 - weight
        var offset = start
        while offset < start + count {
          pixels[offset] = UInt8((Int(pixels[offset]) * rest + red) >> 8)
          pixels[offset + 1] = UInt8((Int(pixels[offset + 1]) * rest + green) >> 8)
          pixels[offset + 2] = UInt8((Int(pixels[offset + 2]) * rest + blue) >> 8)
          offset += 3
        }
      }
    }
  }
}
