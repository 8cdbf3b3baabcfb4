/// A field: sky, sun, clouds, hills, a hedge with trees, and rows of a crop that run towards one
/// vanishing point. It is painted from far to near, and all sizes are shares of the canvas.
struct FieldScene {
  var canvas: PixelBuffer
  var random: SceneRandom
  let season: Season
  let width: Double
  let height: Double
  /// The pixels of one unit: 1000 units span the width or 4/3 of the height, whichever is shorter.
  let unit: Double
  let horizon: Double
  let fieldTop: Double
  let sun: PixelPoint

  init(canvas: PixelBuffer, seed: UInt64) {
    var random = SceneRandom(seed: seed)
    self.canvas = canvas
    width = Double(canvas.width)
    height = Double(canvas.height)
    unit = min(width, height * 4 / 3) / 1000
    season = Season.all[random.index(Season.all.count)]
    horizon = height * random.number(0.47, 0.51)
    fieldTop = horizon + height * 0.055
    sun = PixelPoint(x: width * random.number(0.12, 0.88), y: height * random.number(0.2, 0.28))
    self.random = random
  }

  mutating func draw() {
    drawSky()
    drawHills()
    drawField()
    drawTrees()
    drawHedge()
    drawPole()
  }

  private mutating func drawSky() {
    canvas.fillVerticalGradient(
      rows: 0..<(Int(fieldTop) + 1), top: season.skyTop, bottom: season.skyBottom)
    for ring in stride(from: 9, to: 0, by: -1) {
      canvas.fillCircle(
        centre: sun, radius: (38 + 13 * Double(ring)) * unit, colour: season.sun,
        opacity: 0.025 + 0.012 * Double(10 - ring))
    }
    canvas.fillCircle(centre: sun, radius: 38 * unit, colour: season.sun)
    for _ in 0..<(3 + random.index(3)) {
      drawCloud(
        x: width * random.number(0, 1), y: height * random.number(0.17, 0.36),
        size: random.number(22, 46) * unit)
    }
  }

  private mutating func drawCloud(x: Double, y: Double, size: Double) {
    let white = Colour(red: 252, green: 253, blue: 255)
    let shade = season.skyBottom.mixed(with: white, share: 0.35)
    var puffs: [(centre: PixelPoint, radius: Double)] = []
    let count = 5 + random.index(4)
    for index in 0..<count {
      let right = (Double(index) - 3) * 0.75
      let down = random.number(-0.35, 0.1)
      let swelling = index == 2 || index == 3 ? 1.15 : 0.85
      let radius = size * random.number(0.5, 1) * swelling
      puffs.append((PixelPoint(x: x + right * size, y: y + down * size), radius))
    }
    for puff in puffs {
      canvas.fillCircle(
        centre: PixelPoint(x: puff.centre.x, y: puff.centre.y + size * 0.16), radius: puff.radius,
        colour: shade)
    }
    for puff in puffs {
      canvas.fillCircle(centre: puff.centre, radius: puff.radius * 0.96, colour: white)
    }
  }

  private mutating func drawHills() {
    let far = Colour(red: 126, green: 156, blue: 184)
    for layer in 0..<3 {
      let nearness = Double(layer) / 2
      let colour = far.mixed(with: season.hill, share: nearness)
      let wide = random.ridge(count: 97, spacing: 32 - 6 * layer)
      let fine = random.ridge(count: 97, spacing: 9)
      let foot = horizon + height * 0.06 * nearness
      let rise = height * (0.17 - 0.05 * Double(layer))
      var outline = [PixelPoint(x: width, y: foot + 4), PixelPoint(x: 0, y: foot + 4)]
      for (step, (tall, small)) in zip(wide, fine).enumerated() {
        let share = 0.25 + 0.65 * tall + 0.1 * small
        outline.append(PixelPoint(x: width * Double(step) / 96, y: foot - rise * share))
      }
      canvas.fillPolygon(outline, colour: colour)
    }
    canvas.fillRectangle(
      columns: 0..<canvas.width, rows: Int(horizon)..<(Int(fieldTop) + 2), colour: season.hill)
  }

  /// Draws the trees between the hills and the hedge, which hides the lower parts of their trunks.
  private mutating func drawTrees() {
    let count = 3 + random.index(4)
    for index in 0..<count {
      let slot = width / Double(count)
      drawTree(
        x: slot * (Double(index) + random.number(0.2, 0.8)),
        foot: fieldTop + height * 0.012,
        size: random.number(44, 92) * unit, isPoplar: random.index(4) == 0)
    }
  }

  private mutating func drawTree(x: Double, foot: Double, size: Double, isPoplar: Bool) {
    let trunk = Colour(red: 84, green: 62, blue: 44)
    let crown = foot - size * (isPoplar ? 1.7 : 1.35)
    let halfTrunk = size * 0.09
    canvas.fillPolygon(
      [
        PixelPoint(x: x - halfTrunk * 1.5, y: foot), PixelPoint(x: x + halfTrunk * 1.5, y: foot),
        PixelPoint(x: x + halfTrunk * 0.7, y: crown), PixelPoint(x: x - halfTrunk * 0.7, y: crown),
      ], colour: trunk)
    let spreadX = size * (isPoplar ? 0.22 : 0.62)
    let spreadY = size * (isPoplar ? 1.15 : 0.52)
    let toSun = sun.x < x ? -1.0 : 1.0
    let leaf = season.leaf.brightened(random.index(25) - 12)
    for coat in TreeCoat.all {
      let colour = leaf.brightened(coat.brightness)
      let shift = coat.shift * size
      for _ in 0..<coat.count {
        let across = random.number(-1, 1)
        let reach = (1 - across * across).squareRoot()
        let centre = PixelPoint(
          x: x + across * spreadX + toSun * shift,
          y: crown + random.number(-1, 1) * reach * spreadY - shift)
        let radius = size * random.number(0.1, 0.24) * coat.growth * (isPoplar ? 0.7 : 1)
        canvas.fillCircle(
          centre: centre, radius: radius, colour: colour.brightened(random.index(13) - 6))
      }
    }
  }

  /// One of the three coats of a crown: shade, leaves, and light on the side of the sun.
  private struct TreeCoat {
    let count: Int
    let brightness: Int
    /// The factor on the size of the coat's blots.
    let growth: Double
    /// The shift towards the sun and upwards, as a share of the tree's size.
    let shift: Double

    static let all = [
      TreeCoat(count: 26, brightness: -26, growth: 1.35, shift: 0),
      TreeCoat(count: 30, brightness: 0, growth: 1, shift: 0.07),
      TreeCoat(count: 34, brightness: 24, growth: 0.5, shift: 0.14),
    ]
  }

  private mutating func drawHedge() {
    let foot = fieldTop + height * 0.012
    canvas.fillRectangle(
      columns: 0..<canvas.width,
      rows: Int(foot - 12 * unit)..<Int(foot + 1), colour: season.leaf.brightened(-34))
    for coat in HedgeCoat.all {
      for bush in 0..<coat.count {
        let x = width * (Double(bush) + random.number(0, 1)) / Double(coat.count)
        let y = foot - (coat.lift + random.number(-5, 5)) * unit
        canvas.fillCircle(
          centre: PixelPoint(x: x, y: y), radius: random.number(4, 12) * unit * coat.growth,
          colour: season.leaf.brightened(coat.brightness + random.index(17) - 8))
      }
    }
  }

  /// One of the coats of a hedge, from the shade at its foot to the light on its top.
  private struct HedgeCoat {
    let count: Int
    let brightness: Int
    let growth: Double
    /// The height above the foot, in thousandths of the picture.
    let lift: Double

    static let all = [
      HedgeCoat(count: 150, brightness: -30, growth: 1, lift: 12),
      HedgeCoat(count: 150, brightness: -12, growth: 1, lift: 15),
      HedgeCoat(count: 170, brightness: 10, growth: 0.45, lift: 19),
    ]
  }

  /// Draws a red and white ranging pole, which gives the scale, and which no real field has in that
  /// place.
  private mutating func drawPole() {
    let foot = PixelPoint(
      x: width * (random.index(2) == 0 ? random.number(0.18, 0.32) : random.number(0.68, 0.82)),
      y: height * 0.735)
    let part = 42 * unit
    let red = Colour(red: 206, green: 32, blue: 41)
    let white = Colour(red: 246, green: 246, blue: 240)
    let shadowEnd = PixelPoint(
      x: foot.x + (sun.x < foot.x ? 1 : -1) * part * 1.7, y: foot.y + part * 0.5)
    canvas.drawLine(from: foot, to: shadowEnd, thickness: 6 * unit, colour: .black, opacity: 0.35)
    for index in 0..<5 {
      let bottom = foot.y - part * Double(index)
      canvas.drawLine(
        from: PixelPoint(x: foot.x, y: bottom), to: PixelPoint(x: foot.x, y: bottom - part),
        thickness: 9 * unit, colour: index % 2 == 0 ? red : white)
      canvas.drawLine(
        from: PixelPoint(x: foot.x + 2.8 * unit, y: bottom),
        to: PixelPoint(x: foot.x + 2.8 * unit, y: bottom - part),
        thickness: 3 * unit, colour: .black, opacity: 0.22)
    }
  }
}
