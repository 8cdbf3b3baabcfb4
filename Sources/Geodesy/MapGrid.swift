import Foundation

/// The grid into which maps in browsers are cut (Web Mercator, EPSG:3857): the world as a square,
/// halved again and again in both directions. Level 0 is one cell; level `n` has 2ⁿ cells a side,
/// counted from 180° west and from 85.05° north.
///
/// The grid is meant for counting things that lie near each other, never for a distance: the
/// projection is not true to scale.
public struct MapGrid: Hashable, Sendable {
  /// A cell of one level.
  public struct Cell: Hashable, Sendable {
    /// The column, counted from 180° west, 0 ..< 2^level.
    public var x: Int
    /// The row, counted from 85.05° north, 0 ..< 2^level.
    public var y: Int

    /// Creates a cell from its column and row.
    public init(x: Int, y: Int) { (self.x, self.y) = (x, y) }
  }

  /// The number of times that the world was halved, 0 ... 30.
  public let level: Int

  /// Creates the grid of a level; a level outside 0 ... 30 becomes the nearest one inside.
  public init(level: Int) { self.level = min(max(level, 0), 30) }

  /// Returns the cell of a coordinate. A coordinate nearer to a pole than the map reaches is in the
  /// row next to that pole.
  public func cell(of coordinate: Coordinate) -> Cell {
    Cell(
      x: number((coordinate.longitudeDegrees + 180) / 360),
      y: number(Self.southward(coordinate.latitudeDegrees)))
  }

  /// Returns the cells that a box touches, as ranges of columns and of rows. A box whose west is
  /// east of its east crosses the antimeridian and has two ranges of columns.
  public func cells(of box: CoordinateBox) -> (columns: [ClosedRange<Int>], rows: ClosedRange<Int>)
  {
    let west = number((box.westDegrees + 180) / 360)
    let east = number((box.eastDegrees + 180) / 360)
    let top = number(Self.southward(box.northDegrees))
    let last = (1 << level) - 1
    // If both sides fall into one column, the box goes around the Earth, and no cell may count
    // twice.
    let columns =
      !box.crossesAntimeridian
      ? [west...max(west, east)] : east >= west ? [0...last] : [0...east, west...last]
    return (columns, top...max(top, number(Self.southward(box.southDegrees))))
  }

  private func number(_ part: Double) -> Int {
    let count = 1 << level
    return min(max(Int((part * Double(count)).rounded(.down)), 0), count - 1)
  }

  /// Returns 0 at the northern edge of the map, 1 at the southern one.
  private static func southward(_ latitudeDegrees: Double) -> Double {
    // The map ends at the latitude at which its height equals its width.
    let latitude = min(max(latitudeDegrees, -85.06), 85.06) * .pi / 180
    return (1 - asinh(tan(latitude)) / .pi) / 2
  }
}

extension MapGrid {
  /// A rectangular part of the grid.
  public struct Area: Hashable, Sendable {
    /// The area's columns, 0 ..< 2^level.
    public var columns: ClosedRange<Int>
    /// The area's rows, 0 ..< 2^level.
    public var rows: ClosedRange<Int>

    /// Creates an area of these columns and rows.
    public init(columns: ClosedRange<Int>, rows: ClosedRange<Int>) {
      self.columns = columns
      self.rows = rows
    }
  }

  /// Returns the smallest box that holds all of these cells; nil if there are none. The box crosses
  /// the antimeridian if that is the shorter way, so that it covers no more than half of the Earth
  /// if possible.
  public func smallestBox(around areas: [Area]) -> CoordinateBox? {
    let sorted = areas.map(\.columns).sorted { $0.lowerBound < $1.lowerBound }
    guard let first = sorted.first, let top = areas.map(\.rows.lowerBound).min(),
      let bottom = areas.map(\.rows.upperBound).max()
    else { return nil }
    // The widest gap between two columns is left out; the gap across the antimeridian is one of
    // them.
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
    return box(west: west, east: east, top: top, bottom: bottom)
  }

  /// Returns the box that a cell covers; nil for a cell that the level does not have.
  public func box(of cell: Cell) -> CoordinateBox? {
    box(west: cell.x, east: cell.x, top: cell.y, bottom: cell.y)
  }

  private func box(west: Int, east: Int, top: Int, bottom: Int) -> CoordinateBox? {
    let width = Double(1 << level)
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
  /// The western side, degrees, -180 ... 180.
  public let westDegrees: Double
  /// The southern side, degrees, -90 ... 90.
  public let southDegrees: Double
  /// The eastern side, degrees, -180 ... 180, reached eastwards from the western side.
  public let eastDegrees: Double
  /// The northern side, degrees, -90 ... 90.
  public let northDegrees: Double

  /// Creates a box from its four sides in degrees.
  ///
  /// Nil if one of them is no latitude or longitude, or if the south is north of the north. A west
  /// that is greater than the east is no mistake: the box crosses the antimeridian.
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

  /// True if the box crosses the antimeridian.
  public var crossesAntimeridian: Bool { westDegrees > eastDegrees }

  /// The box as one or two boxes that do not cross the antimeridian.
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

  /// Returns true if a coordinate lies in the box; the box includes its sides.
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
