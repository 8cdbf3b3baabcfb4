/// Drawing the ground. Each point of it has a depth: 1 at the picture's lower edge, growing with
/// distance. A point at that depth is drawn at the horizon plus 1/depth of the height below the
/// horizon, and distances across shrink by the same factor. So rows of plants meet at the vanishing
/// point.
extension FieldScene {
  mutating func drawField() {
    let vanishing = PixelPoint(x: width * random.number(0.3, 0.7), y: horizon)
    let spacing = 88 * unit
    drawSoil(vanishing: vanishing, spacing: spacing)
    drawClods()
    drawPlants(vanishing: vanishing, spacing: spacing)
  }

  /// Draws every line of the ground: soil, furrows in shade and the green of each row, which fade
  /// into haze with distance.
  private mutating func drawSoil(vanishing: PixelPoint, spacing: Double) {
    let below = height - vanishing.y
    for row in max(0, Int(fieldTop))..<canvas.height {
      let nearness = (Double(row) + 0.5 - vanishing.y) / below
      guard nearness > 0 else { continue }
      let haze = (1 - nearness) * (1 - nearness) * 0.55
      let soil = season.soil.mixed(with: season.haze, share: haze)
      let plants = season.crop.mixed(with: season.haze, share: haze)
      canvas.fillSpan(from: 0, to: width, row: row, colour: soil)
      let step = spacing * nearness
      var index = ((0 - vanishing.x) / step).rounded(.down) - 1
      while vanishing.x + (index - 1) * step < width {
        let x = vanishing.x + index * step
        canvas.fillSpan(
          from: x + step * 0.22, to: x + step * 0.42, row: row, colour: soil.brightened(-24))
        canvas.fillSpan(
          from: x - step * season.rowShare, to: x + step * season.rowShare, row: row,
          colour: plants.brightened(-12))
        canvas.fillSpan(
          from: x - step * season.rowShare, to: x + step * season.rowShare * 0.3, row: row,
          colour: plants)
        index += 1
      }
    }
  }

  private mutating func drawClods() {
    let below = height - horizon
    for _ in 0..<5_200 {
      // More clods are far away, because an equal area of the picture shows more ground there.
      let nearness = 0.11 + 0.89 * random.number(0, 1)
      let colour = season.soil.brightened(random.index(49) - 26)
      canvas.fillCircle(
        centre: PixelPoint(x: width * random.number(0, 1), y: horizon + below * nearness),
        radius: nearness * random.number(0.8, 3.6) * unit, colour: colour,
        opacity: random.number(0.3, 0.8))
    }
  }

  /// Draws leaves along each row from far to near. Farther away, where leaves would be smaller than
  /// a pixel, the green of the row is enough.
  private mutating func drawPlants(vanishing: PixelPoint, spacing: Double) {
    let below = height - vanishing.y
    var nearness = 0.16
    while nearness < 1.06 {
      let step = spacing * nearness
      let haze = max(0, 1 - nearness) * max(0, 1 - nearness) * 0.5
      let y = vanishing.y + below * nearness
      var index = ((0 - vanishing.x) / step).rounded(.down)
      while vanishing.x + (index - 1) * step < width {
        let x = vanishing.x + (index + random.number(-0.14, 0.14)) * step
        drawPlant(at: PixelPoint(x: x, y: y), scale: nearness, haze: haze)
        index += 1
      }
      nearness *= 1.028
    }
  }

  private mutating func drawPlant(at foot: PixelPoint, scale: Double, haze: Double) {
    let size = season.plantHeight * unit * scale
    for leaf in 0..<3 {
      let lean = (Double(leaf) - 1 + random.number(-0.4, 0.4)) * size * season.lean
      let colour = season.crop.brightened(random.index(61) - 26)
        .mixed(with: season.haze, share: haze)
      let half = size * season.leafShare
      canvas.fillPolygon(
        [
          PixelPoint(x: foot.x - half, y: foot.y), PixelPoint(x: foot.x + half, y: foot.y),
          PixelPoint(x: foot.x + lean + half * 0.2, y: foot.y - size * random.number(0.7, 1.15)),
        ], colour: colour)
    }
  }
}
