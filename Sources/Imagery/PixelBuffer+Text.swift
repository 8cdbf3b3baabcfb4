extension PixelBuffer {
  /// Returns the width of a line that `drawText` draws, in pixels: 6 for each character times the
  /// scale, without the gap after the last one.
  public static func textWidth(of text: String, scale: Int) -> Int {
    max(0, text.count * BitmapFont.advance - 1) * clampedScale(scale)
  }

  /// Returns the height of a line that `drawText` draws, in pixels: 7 times the scale.
  public static func textHeight(scale: Int) -> Int {
    BitmapFont.height * clampedScale(scale)
  }

  /// Draws one line of text in a font of 5 by 7 points.
  /// - Parameters:
  ///   - text: ASCII 32 to 126; any other character, such as a line break, becomes an empty box.
  ///   - x: The left edge of the first character, in pixels; parts outside the picture are cut off.
  ///   - y: The top of the capitals, in pixels.
  ///   - scale: The pixels for each point of the font, 1 to 1,000, clamped.
  public mutating func drawText(_ text: String, x: Int, y: Int, scale: Int, colour: Colour) {
    let scale = Self.clampedScale(scale)
    guard x < width, y < height, x > -1_000_000_000, y > -1_000_000_000 else { return }
    var left = x
    for character in text {
      guard left < width else { return }
      for (row, bits) in BitmapFont.glyph(of: character).enumerated() {
        let top = y + row * scale
        for column in 0..<BitmapFont.width where bits & (1 << column) != 0 {
          let start = left + column * scale
          fillRectangle(columns: start..<(start + scale), rows: top..<(top + scale), colour: colour)
        }
      }
      left += BitmapFont.advance * scale
    }
  }

  private static func clampedScale(_ scale: Int) -> Int {
    min(max(scale, 1), 1_000)
  }
}
