import TestSupport
import Testing

@testable import Imagery

@Suite("Drawing")
struct DrawingTests {
  private static func canvas() throws -> PixelBuffer {
    try PixelBuffer(width: 20, height: 16, colour: .black)
  }

  /// Returns the white area on a black canvas, in pixels.
  private static func area(_ canvas: PixelBuffer) -> Double {
    canvas.pixels.reduce(0.0) { $0 + Double($1) } / (3 * 255)
  }

  @Test("a rectangle fills its pixels and no other")
  func rectangle() throws {
    var canvas = try Self.canvas()
    canvas.fillRectangle(columns: 3..<7, rows: 5..<9, colour: .white)
    for y in 0..<16 {
      for x in 0..<20 {
        let isInside = (3..<7).contains(x) && (5..<9).contains(y)
        #expect(canvas.colour(x: x, y: y) == (isInside ? .white : .black), "\(x) \(y)")
      }
    }
  }

  @Test("a gradient goes from one colour to the other")
  func gradient() throws {
    var canvas = try Self.canvas()
    canvas.fillVerticalGradient(rows: 0..<16, top: .black, bottom: .white)
    let column = (0..<16).compactMap { canvas.colour(x: 9, y: $0)?.green }
    #expect(column.first == 0)
    #expect(column.last == 255)
    #expect(column == column.sorted() && Set(column).count == 16)
  }

  @Test("shapes cover their area, smoothed at the edges")
  func areas() throws {
    var circle = try Self.canvas()
    circle.fillCircle(centre: PixelPoint(x: 9.3, y: 8.1), radius: 6, colour: .white)
    #expect(abs(Self.area(circle) - 113.1) < 1.5)
    var triangle = try Self.canvas()
    triangle.fillPolygon(
      [PixelPoint(x: 2, y: 2), PixelPoint(x: 14.5, y: 3), PixelPoint(x: 5, y: 14)], colour: .white)
    #expect(abs(Self.area(triangle) - 73.5) < 1.5)
    var line = try Self.canvas()
    line.drawLine(
      from: PixelPoint(x: 3, y: 3), to: PixelPoint(x: 15, y: 12), thickness: 2, colour: .white)
    #expect(abs(Self.area(line) - 30) < 1)
    var faint = try Self.canvas()
    faint.fillRectangle(columns: 0..<20, rows: 0..<16, colour: .white, opacity: 0.5)
    #expect(faint.colour(x: 5, y: 5) == Colour(red: 127, green: 127, blue: 127))
  }

  @Test("a slender line across many pixels has its area too")
  func slenderLine() throws {
    var canvas = try Self.canvas()
    canvas.drawLine(
      from: PixelPoint(x: 1.5, y: 2), to: PixelPoint(x: 18.5, y: 9), thickness: 0.5, colour: .white)
    #expect(abs(Self.area(canvas) - 9.2) < 1)
  }

  @Test("a span covers the share of its first and last pixel that it reaches into")
  func span() throws {
    var canvas = try Self.canvas()
    canvas.fillSpan(from: 2.25, to: 5.5, row: 3, colour: .white)
    canvas.fillSpan(from: 8.25, to: 8.75, row: 3, colour: .white)
    let greys = (0..<10).compactMap { canvas.colour(x: $0, y: 3)?.red }
    #expect(greys == [0, 0, 191, 255, 255, 127, 0, 0, 127, 0])
  }

  @Test("the inside of a shape that crosses itself alternates")
  func evenOdd() throws {
    var canvas = try Self.canvas()
    let outer = [(1.0, 1.0), (19, 1), (19, 15), (1, 15), (1, 1)]
    let inner = [(6.0, 5.0), (12, 5), (12, 11), (6, 11), (6, 5)]
    canvas.fillPolygon(
      (outer + inner).map { PixelPoint(x: $0.0, y: $0.1) }, colour: .white)
    #expect(canvas.colour(x: 3, y: 8) == .white)
    #expect(canvas.colour(x: 9, y: 8) == .black)
  }

  @Test("coordinates that are huge, negative or no numbers are cut off without a trap")
  func wildCoordinates() throws {
    let wild = [
      -.infinity, -1e308, -1e18, -7.5, 0, 3.2, 8, 19.99, 20, 1e9, 1e300, .infinity, .nan,
    ]
    forEachSeed(0..<500) { seed, generator in
      guard var canvas = try? Self.canvas() else { return }
      func number() -> Double { wild.randomElement(using: &generator) ?? 0 }
      func point() -> PixelPoint { PixelPoint(x: number(), y: number()) }
      func whole() -> Int {
        [Int.min, -3, 0, 5, 17, 40, Int.max].randomElement(using: &generator) ?? 0
      }
      func range() -> Range<Int> {
        let (one, other) = (whole(), whole())
        return min(one, other)..<max(one, other)
      }
      canvas.fillPolygon((0..<5).map { _ in point() }, colour: .white, opacity: number())
      canvas.fillCircle(centre: point(), radius: number(), colour: .white, opacity: number())
      canvas.drawLine(from: point(), to: point(), thickness: number(), colour: .white)
      canvas.fillSpan(from: number(), to: number(), row: whole(), colour: .white, opacity: number())
      canvas.fillRectangle(columns: range(), rows: range(), colour: .white, opacity: number())
      canvas.fillVerticalGradient(rows: range(), top: .black, bottom: .white)
      canvas.drawText("Ag~", x: whole(), y: whole(), scale: whole(), colour: .white)
      #expect(canvas.pixels.count == 3 * 20 * 16, "seed \(seed)")
    }
  }

  @Test("every printable character has its own drawing, and only the space is empty")
  func glyphs() {
    let characters = (32...126).map { Character(UnicodeScalar(UInt8($0))) }
    let drawings = characters.map { Array(BitmapFont.glyph(of: $0)) }
    #expect(drawings.allSatisfy { $0.count == 7 && $0.allSatisfy { $0 < 32 } })
    #expect(Set(drawings).count == characters.count)
    #expect(drawings.filter { $0.allSatisfy { $0 == 0 } }.count == 1)
    #expect(Array(BitmapFont.glyph(of: "L")) == [1, 1, 1, 1, 1, 1, 31])
    #expect(BitmapFont.glyph(of: "ü") == BitmapFont.glyph(of: "\n"))
  }

  @Test("text is drawn point by point at its scale")
  func text() throws {
    var canvas = try PixelBuffer(width: 40, height: 30, colour: .black)
    canvas.drawText("L-", x: 2, y: 3, scale: 3, colour: .white)
    #expect(PixelBuffer.textWidth(of: "L-", scale: 3) == 33)
    #expect(PixelBuffer.textHeight(scale: 3) == 21)
    #expect(Self.area(canvas) == 9 * Double(6 + 5 + 5))
    #expect(canvas.colour(x: 2, y: 3) == .white)
    #expect(canvas.colour(x: 5, y: 3) == .black)
    #expect(canvas.colour(x: 34, y: 12) == .white)
    #expect(PixelBuffer.textWidth(of: "", scale: 3) == 0)
  }
}
