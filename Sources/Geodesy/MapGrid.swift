import Foundation

/// The grid that maps in browsers are cut by (Web Mercator, EPSG:3857): a square of the world, halved
/// again and again in both directions. Level 0 is one cell; level `n` has 2ⁿ cells a side, counted from
/// 180° west and from 85.05° north.
///
/// Meant for counting what stands near each other, never for a distance: the projection is not true to
/// scale.
public struct MapGrid: Hashable, Sendable {
  /// A cell of one level.
  public struct Cell: Hashable, Sendable {
    /// From 180° west, 0 ..< 2^level.
    public var x: Int
    /// From 85.05° north, 0 ..< 2^level.
    public var y: Int

    /// A cell by its numbers.
    public init(x: Int, y: Int) { (self.x, self.y) = (x, y) }
  }

  /// How often the world was halved, 0 ... 30.
  public let level: Int

  /// The grid of a level; levels outside 0 ... 30 are brought to the nearest.
  public init(level: Int) { self.level = min(max(level, 0), 30) }

  /// The cell of a coordinate. What lies nearer to a pole than the map reaches stands in its last row.
  public func cell(of coordinate: Coordinate) -> Cell {
    Cell(
      x: number((coordinate.longitudeDegrees + 180) / 360),
      y: number(Self.southward(coordinate.latitudeDegrees)))
  }

  /// The cells that a box touches, as ranges of columns and of rows. A box whose west is east of its east
  /// goes over the antimeridian and has two ranges of columns.
  public func cells(of box: CoordinateBox) -> (columns: [ClosedRange<Int>], rows: ClosedRange<Int>)
  {
    let west = number((box.westDegrees + 180) / 360)
    let east = number((box.eastDegrees + 180) / 360)
    let top = number(Self.southward(box.northDegrees))
    let last = (1 << level) - 1
    // Where both sides fall into one column, the box goes round the Earth, and no cell counts twice.
    let columns =
      !box.crossesAntimeridian
      ? [west...max(west, east)] : east >= west ? [0...last] : [0...east, west...last]
    return (columns, top...max(top, number(Self.southward(box.southDegrees))))
  }

  private func number(_ part: Double) -> Int {
    let count = 1 << level
    return min(max(Int((part * Double(count)).rounded(.down)), 0), count - 1)
  }

  /// 0 at the northern edge of the map, 1 at the southern one.
  private static func southward(_ latitudeDegrees: Double) -> Double {
    // The map ends where its height is its width.
    let latitude = min(max(latitudeDegrees, -85.06), 85.06) * .pi / 180
    return (1 - asinh(tan(latitude)) / .pi) / 2
  }
}

extension MapGrid {
  /// Cells beside and below each other: a part of the grid.
  public struct Area: Hashable, Sendable {
    /// Its columns.
    public var columns: ClosedRange<Int>
    /// Its rows.
    public var rows: ClosedRange<Int>

    /// An area of these columns and rows.
    public init(columns: ClosedRange<Int>, rows: ClosedRange<Int>) {
      self.columns = columns
      self.rows = rows
    }
  }

  /// The smallest box that holds all of these cells, and no more of the Earth than half where it can: it goes over the
  /// antimeridian where that is the shorter way. Nil for none.
  public func smallestBox(around areas: [Area]) -> CoordinateBox? {
    let sorted = areas.map(\.columns).sorted { $0.lowerBound < $1.lowerBound }
    guard let first = sorted.first, let top = areas.map(\.rows.lowerBound).min(),
      let bottom = areas.map(\.rows.upperBound).max()
    else { return nil }
    // The widest gap between two columns is left out; the one over the antimeridian is such a gap, too.
    let count = 1 << level
    var reached = first.upperBound
    var (west, east, widest) = (first.lowerBound, reached, -1)
    for columns in sorted.dropFirst() {
      if columns.lowerBound - reached > widest {
        (west, east, widest) = (columns.lowerBound, reached, columns.lowerBound - reached)
      }
      reached = max(reached, columns.upperBound)
    }
    if first.lowerBound + count - reached >= widest { (west, east) = (first.lowerBound, reached) }
    let width = Double(count)
    func latitude(_ row: Int) -> Double {
      atan(sinh(.pi * (1 - 2 * Double(row) / width))) * 180 / .pi
    }
    return CoordinateBox(
      westDegrees: Double(west) / width * 360 - 180, southDegrees: latitude(bottom + 1),
      eastDegrees: Double(east + 1) / width * 360 - 180, northDegrees: latitude(top))
  }
}

/// A part of the world between two meridians and two parallels, such as a view of a map.
public struct CoordinateBox: Hashable, Sendable {
  /// Where it begins, -180 ... 180.
  public let westDegrees: Double
  /// Where it begins, -90 ... 90.
  public let southDegrees: Double
  /// Where it ends, eastwards from its west, -180 ... 180.
  public let eastDegrees: Double
  /// Where it ends, -90 ... 90.
  public let northDegrees: Double

  /// A box by its four sides.
  ///
  /// Nil when one of them is no latitude or longitude, or when the south lies north of the north. A west
  /// that is greater than the east is no mistake: the box goes over the antimeridian.
  public init?(westDegrees: Double, southDegrees: Double, eastDegrees: Double, northDegrees: Double)
  {
    guard abs(westDegrees) <= 180, abs(eastDegrees) <= 180, abs(southDegrees) <= 90,
      abs(northDegrees) <= 90, southDegrees <= northDegrees
    else { return nil }
    self.westDegrees = westDegrees
    self.southDegrees = southDegrees
    self.eastDegrees = eastDegrees
    self.northDegrees = northDegrees
  }

  /// Whether it goes over the antimeridian.
  public var crossesAntimeridian: Bool { westDegrees > eastDegrees }

  /// The same part as boxes of which none goes over the antimeridian: one or two.
  public var parts: [CoordinateBox] {
    guard crossesAntimeridian else { return [self] }
    return [
      CoordinateBox(
        westDegrees: westDegrees, southDegrees: southDegrees, eastDegrees: 180,
        northDegrees: northDegrees),
      CoordinateBox(
        westDegrees: -180, southDegrees: southDegrees, eastDegrees: eastDegrees,
        northDegrees: northDegrees),
    ].compactMap(\.self)
  }

  /// Whether a coordinate lies in it; its sides belong to it.
  public func contains(_ coordinate: Coordinate) -> Bool {
    let longitude = coordinate.longitudeDegrees
    let isBetween =
      crossesAntimeridian
      ? longitude >= westDegrees || longitude <= eastDegrees
      : longitude >= westDegrees && longitude <= eastDegrees
    return isBetween && coordinate.latitudeDegrees >= southDegrees
      && coordinate.latitudeDegrees <= northDegrees
  }
}
