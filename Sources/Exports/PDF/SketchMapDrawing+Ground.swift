import Foundation
import Geodesy
import PDFWriting

/// The map's ground: the base map's tiles, meridians and parallels, scale and north.
extension SketchMapDrawing {
  // MARK: base map

  /// The result of drawing the base map.
  enum BaseMapState {
    /// There is no base map.
    case absent
    /// The base map is drawn.
    case drawn
    /// The base map has no tile for this place, or none that can be drawn.
    case empty
  }

  /// A tile with three of its corners on the page.
  struct Tile {
    var image: PDFImage
    var upperLeft: HaruPage.Point
    var upperRight: HaruPage.Point
    var lowerLeft: HaruPage.Point
  }

  /// The most tiles of one map: more would make a large file of small squares.
  private static let tilesAtMost = 30
  /// The fewest pixels of a tile for each point of the page: 115 to the inch.
  private static let pixelsPerPoint = 1.6

  /// Returns the tiles below the map. Web Mercator is true to shape, so within a parcel's reach a
  /// tile is a square on the plane, and three corners place it.
  func baseTiles() throws(PDFError) -> (drawn: [Tile], state: BaseMapState) {
    guard let baseMap else { return ([], .absent) }
    guard let box, abs(map.centre.latitudeDegrees) < 84 else { return ([], .empty) }
    // The Earth's circumference on a tile of 256 pixels.
    let metresPerPixel = 40_075_016.686 / 256 * cos(map.centre.latitudeDegrees * .pi / 180)
    let wanted = log2(metresPerPixel * pointsPerMetre * Self.pixelsPerPoint).rounded(.up)
    let top = min(baseMap.zooms.upperBound, 30)
    var zoom = Int(min(max(wanted, 0), Double(max(0, top))))
    func places(_ zoom: Int) -> [(x: Int, y: Int)] {
      let cells = MapGrid(level: zoom).cells(of: box)
      // The count is checked first: a list of more tiles would never be used.
      let count = cells.columns.reduce(0) { $0 + $1.count } * cells.rows.count
      guard count <= Self.tilesAtMost else { return [] }
      return cells.rows.flatMap { y in cells.columns.joined().map { (x: $0, y: y) } }
    }
    while zoom > 0, places(zoom).isEmpty { zoom -= 1 }
    var tiles: [Tile] = []
    for place in places(zoom) where baseMap.zooms.contains(zoom) {
      let level = zoom
      guard
        let image = try flow.haru.tile(
          [level, place.x, place.y], { try baseMap.tile(level, place.x, place.y) }),
        let upperLeft = corner(level, place.x, place.y),
        let upperRight = corner(level, place.x + 1, place.y),
        let lowerLeft = corner(level, place.x, place.y + 1)
      else { continue }
      tiles.append(
        Self.widened(
          Tile(
            image: image, upperLeft: upperLeft, upperRight: upperRight, lowerLeft: lowerLeft)))
    }
    return (tiles, tiles.isEmpty ? .empty : .drawn)
  }

  /// Returns a slightly larger tile, so that no light line is seen between two tiles.
  private static func widened(_ tile: Tile) -> Tile {
    let share = 0.002
    let across = (
      x: (tile.upperRight.x - tile.upperLeft.x) * share,
      y: (tile.upperRight.y - tile.upperLeft.y) * share
    )
    let down = (
      x: (tile.lowerLeft.x - tile.upperLeft.x) * share,
      y: (tile.lowerLeft.y - tile.upperLeft.y) * share
    )
    var wide = tile
    wide.upperLeft.x -= across.x + down.x
    wide.upperLeft.y -= across.y + down.y
    wide.upperRight.x += across.x - down.x
    wide.upperRight.y += across.y - down.y
    wide.lowerLeft.x += down.x - across.x
    wide.lowerLeft.y += down.y - across.y
    return wide
  }

  /// Returns the upper left corner of a tile on the page; nil if it is no coordinate.
  private func corner(_ zoom: Int, _ x: Int, _ y: Int) -> HaruPage.Point? {
    let count = Double(1 << zoom)
    let latitude = atan(sinh(.pi * (1 - 2 * Double(y) / count))) * 180 / .pi
    let longitude = Double(x) / count * 360 - 180
    return Coordinate(latitudeDegrees: latitude, longitudeDegrees: longitude).map {
      point(map.plane.project($0))
    }
  }

  /// The part of the world below the frame; nil if its corners make no valid box.
  private var box: CoordinateBox? {
    let corners = frameCorners.map(map.plane.coordinate(of:))
    let latitudes = corners.map(\.latitudeDegrees)
    let steps = corners.map { longitudeStep(to: $0) }
    guard let south = latitudes.min(), let north = latitudes.max(), let west = steps.min(),
      let east = steps.max()
    else { return nil }
    return CoordinateBox(
      westDegrees: Self.wrapped(map.centre.longitudeDegrees + west), southDegrees: south,
      eastDegrees: Self.wrapped(map.centre.longitudeDegrees + east), northDegrees: north)
  }

  private var frameCorners: [PlanePoint] {
    [
      HaruPage.Point(x: frame.left, y: frame.top), HaruPage.Point(x: frame.right, y: frame.top),
      HaruPage.Point(x: frame.left, y: frame.bottom),
      HaruPage.Point(x: frame.right, y: frame.bottom),
    ].map(place)
  }

  /// Returns the degrees east of the map's middle, -180…180.
  private func longitudeStep(to coordinate: Coordinate) -> Double {
    Self.wrapped(coordinate.longitudeDegrees - map.centre.longitudeDegrees)
  }

  private static func wrapped(_ degrees: Double) -> Double {
    degrees > 180 ? degrees - 360 : degrees < -180 ? degrees + 360 : degrees
  }

  // MARK: graticule

  /// A meridian or a parallel.
  struct Line {
    var points: [HaruPage.Point]
    var label: String
    var isMeridian: Bool
  }

  /// Returns meridians and parallels at round degrees; none near a pole, where meridians would run
  /// together.
  func graticule() -> [Line] {
    guard let box, abs(map.centre.latitudeDegrees) < 84 else { return [] }
    let spacing = frame.isSmall ? 62.0 : 105
    let degree = 111_320 * pointsPerMetre
    let narrow = degree * cos(map.centre.latitudeDegrees * .pi / 180)
    let width = Self.wrapped(box.eastDegrees - box.westDegrees)
    let east = width < 0 ? width + 360 : width
    var lines: [Line] = []
    func add(_ from: Double, _ to: Double, _ step: Double, isMeridian: Bool) {
      let places = max(0, Int((-log10(step)).rounded(.up)))
      var number = (from / step).rounded(.up)
      // Half a dozen lines cross a map; 60 only bounds the loop.
      while number * step <= to, lines.count < 60 {
        let degrees = number * step
        let points = (0...4).compactMap { part in
          let share = Double(part) / 4
          return Coordinate(
            latitudeDegrees: isMeridian
              ? box.southDegrees + share * (box.northDegrees - box.southDegrees) : degrees,
            longitudeDegrees: isMeridian
              ? Self.wrapped(degrees) : Self.wrapped(box.westDegrees + share * east))
        }.map { point(map.plane.project($0)) }
        let shown = isMeridian ? Self.wrapped(degrees) : degrees
        lines.append(
          Line(
            points: points, label: flow.words.number(shown, places: places, unit: "°"),
            isMeridian: isMeridian))
        number += 1
      }
    }
    add(
      box.westDegrees, box.westDegrees + east,
      Self.roundLength(atLeast: spacing / narrow), isMeridian: true)
    add(
      box.southDegrees, box.northDegrees, Self.roundLength(atLeast: spacing / degree),
      isMeridian: false)
    return lines
  }

  /// Returns the smallest length of 1, 2 or 5 times a power of ten that is at least `length`.
  private static func roundLength(atLeast length: Double) -> Double {
    let power = pow(10, log10(length).rounded(.down))
    return ([1, 2, 5].first { $0 * power >= length } ?? 10) * power
  }

  /// Draws lines with their degrees: those of meridians at the upper edge, those of parallels at
  /// the left edge.
  func draw(_ lines: [Line], overTiles: Bool) {
    let ink = overTiles ? PDFStyle.muted : PDFStyle.hairline
    let style = PDFStyle(
      face: .regular, size: frame.isSmall ? 4.6 : 6, leading: 7, ink: PDFStyle.muted)
    for line in lines {
      flow.page.path(line.points, HaruPage.Paint(stroke: ink, lineWidth: 0.35))
    }
    for line in lines {
      guard let first = line.points.first else { continue }
      let width = flow.lineWidth(line.label, style)
      let x = line.isMeridian ? first.x + 1.5 : frame.left + 2
      let top = line.isMeridian ? frame.top + 1 : first.y - 7.5
      // A label that is half outside the frame, or below the scale or the north arrow, is not
      // readable.
      let isBelowNorth = line.isMeridian && x + width > frame.right - (frame.isSmall ? 20 : 34)
      let isBelowScale = !line.isMeridian && top + 8 > frame.bottom - (frame.isSmall ? 15 : 21)
      guard x > frame.left, !isBelowNorth, top > frame.top - 0.5, !isBelowScale else { continue }
      if overTiles {
        flow.page.rectangle(
          x: x - 1, y: top + 0.5, width: width + 2, height: 7,
          HaruPage.Paint(fill: PDFStyle.white))
      }
      flow.draw(line.label, x: x, top: top, style)
    }
  }

  // MARK: scale and north

  /// A part of the frame that has words of its own, in points.
  struct Box {
    var left: Double
    var top: Double
    var width: Double
    var height: Double

    func isTouched(by middle: HaruPage.Point, halfWidth: Double, halfHeight: Double) -> Bool {
      middle.x > left - halfWidth && middle.x < left + width + halfWidth
        && middle.y > top - halfHeight && middle.y < top + height + halfHeight
    }
  }

  /// The distance from the frame's corner to the scale's bar, in points.
  private var scaleEdge: Double { frame.isSmall ? 7 : 12 }
  private var scaleStyle: PDFStyle {
    PDFStyle(face: .regular, size: frame.isSmall ? 5.2 : 7.2, leading: 9, ink: PDFStyle.dark)
  }

  var scaleBox: Box {
    let words = flow.lineWidth(flow.words.step(barMetres), scaleStyle)
    return Box(
      left: frame.left + scaleEdge / 2, top: frame.bottom - scaleEdge - 7,
      width: barMetres * pointsPerMetre + words + 6 + scaleEdge, height: 12)
  }

  var northBox: Box {
    let part = frame.isSmall ? 0.6 : 1
    return Box(
      left: frame.right - 30 * part, top: frame.top + 5 * part, width: 20 * part,
      height: 36 * part)
  }

  private func clear(_ box: Box) {
    flow.page.rectangle(
      x: box.left, y: box.top, width: box.width, height: box.height,
      HaruPage.Paint(fill: PDFStyle.white))
  }

  func drawScale() {
    let style = scaleStyle
    let length = barMetres * pointsPerMetre
    let words = flow.words.step(barMetres)
    let x = frame.left + scaleEdge
    let y = frame.bottom - scaleEdge
    clear(scaleBox)
    flow.page.path(
      [
        HaruPage.Point(x: x, y: y - 4), HaruPage.Point(x: x, y: y),
        HaruPage.Point(x: x + length, y: y), HaruPage.Point(x: x + length, y: y - 4),
      ], HaruPage.Paint(stroke: PDFStyle.dark, lineWidth: 0.9))
    flow.draw(words, x: x + length + 6, top: y - 6, style)
  }

  func drawNorth() {
    let part = frame.isSmall ? 0.6 : 1
    let style = PDFStyle(face: .bold, size: 8 * part, leading: 10 * part, ink: PDFStyle.dark)
    let x = frame.right - 20 * part
    let top = frame.top + 5 * part
    clear(northBox)
    let arrow = [(0, 3), (5.5, 22), (0, 18), (-5.5, 22)].map {
      HaruPage.Point(x: x + $0.0 * part, y: top + $0.1 * part)
    }
    flow.page.rings([arrow], HaruPage.Paint(fill: PDFStyle.dark))
    let word = flow.words.onMap.north
    flow.draw(word, x: x - flow.lineWidth(word, style) / 2, top: top + 23.5 * part, style)
  }
}
