import Foundation
import Geodesy

/// Which parts of the office's base maps a field unit fetches for the parcels of its tasks.
///
/// Asked for by parcels, neighbours would fetch what lies between them twice, and after a cut nobody would know
/// what is here. So the world is cut into cells that do not depend on the tasks: each is a tile of every third
/// zoom with what lies below it at the two next ones, 21 tiles at most. A cell is fetched whole, once.
public enum TilePlan {
  /// No finer tiles are fetched.
  public static let finestZoom = 17
  /// So far round a parcel, metres.
  public static let reachMetres = 500.0
  /// What all tasks lie in is fetched with as many cells a level at most, so that one sees where one is.
  static let cellsOfExtent = 16
  /// A parcel that needs more of one level is too large for it.
  static let cellsOfParcel = 400
  /// More cells are not planned.
  public static let cellsAtMost = 5000

  /// A part of a map that is fetched at once.
  public struct Cell: Hashable, Sendable {
    /// Its coarsest zoom: 0, 3, 6, … 15.
    public var level: Int
    /// The column of its coarsest tile, from 180° west.
    public var x: Int
    /// The row of it, from the north.
    public var y: Int

    /// A cell by its numbers.
    public init(level: Int, x: Int, y: Int) { (self.level, self.x, self.y) = (level, x, y) }

    /// The zooms of its tiles.
    public var zooms: ClosedRange<Int> { level...(level + 2) }

    /// A box that touches all its tiles and no others.
    public var box: CoordinateBox? {
      MapGrid(level: level).box(of: MapGrid.Cell(x: x, y: y), inset: 1.0 / 64)
    }

    /// All places in it, zoom by zoom.
    public var areas: [TileExtract.Area] {
      zooms.map { zoom in
        let shift = zoom - level
        let (column, row, reach) = (x << shift, y << shift, (1 << shift) - 1)
        return TileExtract.Area(
          zoom: zoom, columns: column...(column + reach), rows: row...(row + reach))
      }
    }

    /// Whether a tile belongs to it.
    public func holds(_ place: TileExtract.Place) -> Bool {
      guard zooms.contains(place.zoom) else { return false }
      let shift = place.zoom - level
      return place.x >> shift == x && place.y >> shift == y
    }
  }

  /// What is wanted, in the order in which it is fetched: first where everything lies, then parcel by parcel.
  /// - Parameters:
  ///   - parcels: the boxes of the parcels, those that come first first.
  ///   - zooms: those that the map has.
  public static func cells(around parcels: [DegreeBox], zooms: ClosedRange<Int>) -> [Cell] {
    let boxes = parcels.compactMap(widened)
    guard let extent = extent(of: boxes) else { return [] }
    let levels = stride(from: 0, through: finestZoom, by: 3).filter {
      zooms.overlaps($0...min($0 + 2, finestZoom))
    }
    var seen: Set<Cell> = []
    var cells: [Cell] = []
    func add(_ box: CoordinateBox, _ level: Int, atMost: Int) -> Bool {
      let found = MapGrid(level: level).cells(of: box)
      let columns = found.columns.reduce(0) { $0 + $1.count }
      guard columns <= atMost, columns * found.rows.count <= atMost else { return false }
      for x in found.columns.joined() {
        for y in found.rows {
          let cell = Cell(level: level, x: x, y: y)
          if cells.count < cellsAtMost, seen.insert(cell).inserted { cells.append(cell) }
        }
      }
      return true
    }
    for level in levels where !add(extent, level, atMost: cellsOfExtent) { break }
    for box in boxes {
      for level in levels where !add(box, level, atMost: cellsOfParcel) { break }
    }
    return cells
  }

  /// A parcel's box with its surroundings; nil for a box that holds nothing.
  static func widened(_ box: DegreeBox) -> CoordinateBox? {
    let metresOfDegree = 111_320.0
    let up = reachMetres / metresOfDegree
    let widest = max(abs(box.south), abs(box.north))
    let aside = up / max(0.01, cos(min(widest, 90) * .pi / 180))
    guard box.west <= box.east, box.south <= box.north else { return nil }
    return CoordinateBox(
      westDegrees: max(-180, box.west - aside), southDegrees: max(-90, box.south - up),
      eastDegrees: min(180, box.east + aside), northDegrees: min(90, box.north + up))
  }

  private static func extent(of boxes: [CoordinateBox]) -> CoordinateBox? {
    guard let west = boxes.map(\.westDegrees).min(), let east = boxes.map(\.eastDegrees).max(),
      let south = boxes.map(\.southDegrees).min(), let north = boxes.map(\.northDegrees).max()
    else { return nil }
    return CoordinateBox(
      westDegrees: west, southDegrees: south, eastDegrees: east, northDegrees: north)
  }
}
