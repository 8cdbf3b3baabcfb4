import Geodesy

/// The plan of the base map tiles that a field unit fetches for the parcels of its tasks.
///
/// If tiles were fetched by parcel, neighbouring parcels would fetch the tiles between them twice,
/// and after a cut the unit would not know which tiles it already has. So the world is divided into
/// cells that do not depend on the tasks. Each cell is a tile of every third zoom with the tiles
/// below it at the next two zooms, 21 tiles at most. A cell is fetched whole, and only once.
public enum TilePlan {
  /// The finest zoom that is fetched.
  public static let finestZoom = 17
  /// The distance around a parcel that is fetched, metres.
  public static let reachMetres = 500.0
  /// The most cells of each level for the box around all tasks: enough to see where each task is.
  static let cellsOfExtent = 16
  /// The most cells of each level for one parcel. If a parcel needs more, this level and finer ones
  /// are not fetched for it.
  static let cellsOfParcel = 400
  /// The most cells in a plan.
  public static let cellsAtMost = 5000

  /// A part of a map that is fetched in one request.
  public struct Cell: Hashable, Sendable {
    /// The coarsest zoom of the cell: 0, 3, 6, … 15.
    public var level: Int
    /// The column of its coarsest tile, counted from 180° west.
    public var x: Int
    /// The row of its coarsest tile, counted from the north.
    public var y: Int

    /// Creates a cell.
    public init(level: Int, x: Int, y: Int) { (self.level, self.x, self.y) = (level, x, y) }

    /// The zooms of its tiles.
    public var zooms: ClosedRange<Int> { level...(level + 2) }

    /// A box that touches all tiles of the cell and no others.
    public var box: CoordinateBox? {
      MapGrid(level: level).box(of: MapGrid.Cell(x: x, y: y), inset: 1.0 / 64)
    }

    /// All places in the cell, zoom by zoom.
    public var areas: [TileExtract.Area] {
      zooms.map { zoom in
        let shift = zoom - level
        let (column, row, reach) = (x << shift, y << shift, (1 << shift) - 1)
        return TileExtract.Area(
          zoom: zoom, columns: column...(column + reach), rows: row...(row + reach))
      }
    }

    /// Returns true if a tile belongs to the cell.
    public func holds(_ place: TileExtract.Place) -> Bool {
      guard zooms.contains(place.zoom) else { return false }
      let shift = place.zoom - level
      return place.x >> shift == x && place.y >> shift == y
    }
  }

  /// Returns the cells in the order in which they are fetched: first those of the box around
  /// everything, then those of each parcel.
  /// - Parameters:
  ///   - parcels: The boxes of the parcels, the most urgent first.
  ///   - zooms: The zooms of the map.
  public static func cells(around parcels: [DegreeBox], zooms: ClosedRange<Int>) -> [Cell] {
    let boxes = parcels.compactMap { $0.widened(byMetres: reachMetres) }
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

  /// The finest zooms that a person can choose for an area: an overview, fields, and every detail.
  public static let areaZooms = [14, 17, 20]
  /// The most cells of one area, some ten thousands of tiles: no service is asked for a whole country.
  public static let areaCellsAtMost = 2000

  /// Returns the cells of an area that a person has chosen, coarse before fine.
  /// - Parameter finest: the finest zoom that is wanted.
  /// - Returns: nil if they are more than `areaCellsAtMost`.
  public static func cells(of area: CoordinateBox, finest: Int) -> [Cell]? {
    var cells: [Cell] = []
    for level in stride(from: 0, through: finest, by: 3) {
      let found = MapGrid(level: level).cells(of: area)
      let count = found.columns.reduce(0) { $0 + $1.count } * found.rows.count
      guard cells.count + count <= areaCellsAtMost else { return nil }
      for columns in found.columns {
        for x in columns {
          for y in found.rows { cells.append(Cell(level: level, x: x, y: y)) }
        }
      }
    }
    return cells
  }

  private static func extent(of boxes: [CoordinateBox]) -> CoordinateBox? {
    guard let west = boxes.map(\.westDegrees).min(), let east = boxes.map(\.eastDegrees).max(),
      let south = boxes.map(\.southDegrees).min(), let north = boxes.map(\.northDegrees).max()
    else { return nil }
    return CoordinateBox(
      westDegrees: west, southDegrees: south, eastDegrees: east, northDegrees: north)
  }
}
