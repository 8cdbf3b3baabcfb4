/// Pictures for demonstrations and tests: a field under a sky that cannot be mistaken for a photograph.
public enum DemonstrationPicture {
  /// Draws a scene and encodes it as a JPEG of quality 85; 1600 x 1200 is the usual size.
  ///
  /// Equal arguments give equal pixels on every machine: the drawing uses only integer arithmetic,
  /// the four operations and square roots on doubles, and SplitMix64.
  /// - Parameters:
  ///   - widthPixels: The width, 1 to `JPEGPicture.maximumSidePixels`.
  ///   - heightPixels: The height, 1 to `JPEGPicture.maximumSidePixels`.
  ///   - seed: Chooses the crop, the light, the hills and the trees.
  ///   - captionLines: The text below the scene, in ASCII, drawn by `PixelBuffer.drawText`. Long
  ///     lines make all letters smaller, down to 5 by 7 pixels, and are then cut off.
  /// - Throws: `ImageryError.sidesOutOfRange`, `.tooManyPixels` or `.encodingFailed`.
  public static func jpeg(
    widthPixels: Int, heightPixels: Int, seed: UInt64, captionLines: [String]
  ) throws -> [UInt8] {
    try pixels(
      widthPixels: widthPixels, heightPixels: heightPixels, seed: seed, captionLines: captionLines
    ).encodeJPEG(quality: 85)
  }

  /// Draws the same scene with the grain of a sensor, so that the file has as many bytes a pixel as
  /// a camera's, about 0.4.
  /// - Throws: as `jpeg`.
  public static func grainyJPEG(
    widthPixels: Int, heightPixels: Int, seed: UInt64
  ) throws -> [UInt8] {
    var canvas = try pixels(
      widthPixels: widthPixels, heightPixels: heightPixels, seed: seed, captionLines: [])
    var random = SceneRandom(seed: seed)
    for pixel in 0..<(canvas.pixels.count / 3) {
      // The grain is equal in all three colours, like noise of the light.
      let grain = Int(random.next() & 31) - 16
      for offset in (3 * pixel)..<(3 * pixel + 3) {
        canvas.pixels[offset] = UInt8(clamping: Int(canvas.pixels[offset]) + grain)
      }
    }
    return try canvas.encodeJPEG(quality: 85)
  }

  /// Draws the scene without encoding it.
  /// - Throws: `ImageryError.sidesOutOfRange` or `.tooManyPixels`.
  static func pixels(
    widthPixels: Int, heightPixels: Int, seed: UInt64, captionLines: [String]
  ) throws -> PixelBuffer {
    var scene = FieldScene(
      canvas: try PixelBuffer(width: widthPixels, height: heightPixels), seed: seed)
    scene.draw()
    var canvas = scene.canvas
    drawBand(on: &canvas)
    drawCaption(captionLines, on: &canvas)
    return canvas
  }

  /// Returns the pixels for each font point: 2 for a picture of 640 x 480, more for a larger one.
  private static func textScale(of canvas: PixelBuffer) -> Int {
    max(1, min(canvas.width / 320, canvas.height / 240))
  }

  /// Draws a yellow band with the word across the top, so that even a cut-out of the sky most
  /// likely shows it.
  private static func drawBand(on canvas: inout PixelBuffer) {
    let word = "DEMONSTRATION"
    let yellow = Colour(red: 250, green: 204, blue: 21)
    let ink = Colour(red: 24, green: 24, blue: 27)
    var scale = 2 * textScale(of: canvas)
    while scale > 1, PixelBuffer.textWidth(of: word, scale: scale) > canvas.width * 9 / 10 {
      scale -= 1
    }
    let textWidth = PixelBuffer.textWidth(of: word, scale: scale)
    let bandHeight = 13 * scale
    canvas.fillRectangle(columns: 0..<canvas.width, rows: 0..<bandHeight, colour: yellow)
    let left = (canvas.width - textWidth) / 2
    let height = Double(bandHeight)
    var x = -height
    while x < Double(canvas.width) {
      canvas.fillPolygon(
        [
          PixelPoint(x: x + height, y: 0), PixelPoint(x: x + 1.6 * height, y: 0),
          PixelPoint(x: x + 0.6 * height, y: height), PixelPoint(x: x, y: height),
        ], colour: ink)
      x += 1.2 * height
    }
    let margin = 4 * scale
    canvas.fillRectangle(
      columns: (left - margin)..<(left + textWidth + margin), rows: 0..<bandHeight, colour: yellow)
    canvas.fillRectangle(
      columns: 0..<canvas.width, rows: bandHeight..<(bandHeight + scale), colour: ink)
    canvas.drawText(word, x: left, y: 3 * scale, scale: scale, colour: ink)
  }

  /// Draws white letters on a dark panel along the lower edge.
  private static func drawCaption(_ lines: [String], on canvas: inout PixelBuffer) {
    let longest = lines.map(\.count).max() ?? 0
    guard longest > 0 else { return }
    var scale = textScale(of: canvas)
    func fits(_ scale: Int) -> Bool {
      (longest * BitmapFont.advance + 8) * scale <= canvas.width
        && (lines.count * 11 + 5) * scale <= canvas.height / 3
    }
    while scale > 1, !fits(scale) { scale -= 1 }
    // The caller's caption can have any length, so only as many lines are drawn as the picture has
    // room for.
    let shown = lines.prefix(canvas.height / (11 * scale) + 1)
    let top = canvas.height - (shown.count * 11 + 5) * scale
    canvas.fillRectangle(
      columns: 0..<canvas.width, rows: top..<canvas.height,
      colour: Colour(red: 15, green: 23, blue: 32), opacity: 0.82)
    for (index, line) in shown.enumerated() {
      canvas.drawText(
        line, x: 4 * scale, y: top + (5 + 11 * index) * scale, scale: scale, colour: .white)
    }
  }
}
