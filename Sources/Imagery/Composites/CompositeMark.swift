/// The words and stripes that tell a composite from a photograph. Words stand above and below the
/// picture, and stripes run along both sides of it: whoever cuts one of them off still has the others,
/// and no row of the picture is without a mark.
public struct CompositeMark: Hashable, Sendable {
  /// The lines of words: ASCII, since the letters are drawn by `BitmapFont`.
  public let lines: [String]

  private static let ink = Colour(red: 20, green: 20, blue: 20)
  private static let paper = Colour(red: 255, green: 214, blue: 10)
  /// The fewest letters of a line, however narrow the picture is.
  private static let fewestLetters = 24

  /// Creates a mark.
  /// - Parameter lines: what both bands say, line by line; a long line goes on below.
  public init(lines: [String]) { self.lines = lines }

  /// The places of a marked picture's parts.
  struct Layout: Hashable {
    /// The pixels for each point of the letters.
    var scale: Int
    /// The width of each striped side.
    var side: Int
    /// The lines as they are drawn.
    var lines: [String]
    /// The height of each band of words.
    var band: Int
    /// The width of the whole.
    var width: Int
    /// The height of the whole.
    var height: Int
  }

  /// Returns the places of the parts for a picture of a size.
  func layout(width: Int, height: Int) -> Layout {
    let side = max(6, min(width, height) / 60)
    // Letters of a fortieth of the shorter side can be read when the whole picture is seen.
    let scale = max(1, min(width, height) / 40 / PixelBuffer.textHeight(scale: 1))
    let least = PixelBuffer.textWidth(
      of: String(repeating: " ", count: Self.fewestLetters), scale: scale)
    let inner = max(width, least)
    // Each letter but the last one has a gap behind it.
    let letters = (inner + scale) / (BitmapFont.advance * scale)
    let wrapped = lines.flatMap { Self.wrapped($0, letters: max(letters, Self.fewestLetters)) }
    let line = PixelBuffer.textHeight(scale: scale) + 4 * scale
    let band = wrapped.count * line + 4 * scale
    return Layout(
      scale: scale, side: side, lines: wrapped, band: band, width: inner + 2 * side,
      height: height + 2 * band)
  }

  /// Returns a line in pieces of at most so many letters, broken at spaces where there are any.
  static func wrapped(_ line: String, letters: Int) -> [String] {
    var (pieces, piece) = ([String](), "")
    for word in line.split(separator: " ") {
      var word = word
      while word.count > letters {
        if !piece.isEmpty { pieces.append(piece) }
        (piece, word) = (String(word.prefix(letters)), word.dropFirst(letters))
      }
      if piece.isEmpty {
        piece = String(word)
      } else if piece.count + 1 + word.count <= letters {
        piece += " \(word)"
      } else {
        pieces.append(piece)
        piece = String(word)
      }
    }
    if !piece.isEmpty { pieces.append(piece) }
    return pieces
  }

  /// Returns a picture with its mark.
  /// - Throws: `ImageryError.sidesOutOfRange` or `.tooManyPixels`.
  public func drawn(round picture: PixelBuffer) throws -> PixelBuffer {
    let layout = layout(width: picture.width, height: picture.height)
    var whole = try PixelBuffer(width: layout.width, height: layout.height, colour: Self.paper)
    Self.stripe(&whole, layout)
    for top in [0, layout.height - layout.band] {
      whole.fillRectangle(
        columns: 0..<layout.width, rows: top..<(top + layout.band), colour: Self.paper)
      for (number, line) in layout.lines.enumerated() {
        whole.drawText(
          line, x: layout.side,
          y: top + 4 * layout.scale
            + number * (PixelBuffer.textHeight(scale: layout.scale) + 4 * layout.scale),
          scale: layout.scale, colour: Self.ink)
      }
    }
    whole.lay(picture, x: layout.side, y: layout.band)
    return whole
  }

  /// Draws slanting stripes over everything: the picture and the bands cover all but the sides.
  private static func stripe(_ whole: inout PixelBuffer, _ layout: Layout) {
    let period = 4 * layout.side
    for column in 0..<whole.width {
      var row = -(column % period)
      while row < whole.height {
        let rows = max(row, 0)..<max(min(row + period / 2, whole.height), 0)
        if !rows.isEmpty {
          whole.fillRectangle(columns: column..<(column + 1), rows: rows, colour: ink)
        }
        row += period
      }
    }
  }

  /// Returns the picture inside a marked one, which has to have this mark's size.
  /// - Parameters:
  ///   - width: the width of the picture inside.
  ///   - height: its height.
  public func inside(_ whole: PixelBuffer, width: Int, height: Int) -> PixelBuffer? {
    let layout = layout(width: width, height: height)
    guard whole.width == layout.width, whole.height == layout.height else { return nil }
    return whole.part(
      CompositePlan.Crop(x: layout.side, y: layout.band, width: width, height: height))
  }
}
