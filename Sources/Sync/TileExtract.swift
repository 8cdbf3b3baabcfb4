import Geodesy
import TimeAndText

/// A part of a base map as it travels from the office to a field unit.
///
/// The format, with the most significant byte of each number first: the eight letters `SPTILES1`;
/// the number of tiles (4 bytes); then for each tile its zoom (1), column from 180° west (4), row
/// from the north (4), the number of its bytes (4), and these bytes. Nothing follows. The answer's
/// ETag is the SHA-256 of all bytes, so a change on the way is found.
public struct TileExtract: Hashable, Sendable {
  /// A tile's place.
  public struct Place: Hashable, Sendable, Comparable {
    /// The number of times that the world was halved, 0…30.
    public var zoom: Int
    /// The column, counted from 180° west.
    public var x: Int
    /// The row, counted from the north.
    public var y: Int

    /// Creates a place.
    public init(zoom: Int, x: Int, y: Int) { (self.zoom, self.x, self.y) = (zoom, x, y) }

    /// Orders places: coarse before fine, west before east, north before south.
    public static func < (one: Place, other: Place) -> Bool {
      (one.zoom, one.x, one.y) < (other.zoom, other.x, other.y)
    }
  }

  /// A tile.
  public struct Tile: Hashable, Sendable {
    /// The place of the tile.
    public var place: Place
    /// The picture, encoded as in the map.
    public var bytes: [UInt8]

    /// Creates a tile.
    public init(place: Place, bytes: [UInt8]) { (self.place, self.bytes) = (place, bytes) }
  }

  /// The media type of an extract's bytes.
  public static let mediaType = "application/vnd.standpoint.tiles"
  /// The most places that may be asked for at once, including places without a tile.
  public static let maximumPlaces = 256
  /// The most bytes of tiles that are sent at once.
  public static let maximumBytes = 32 * 1024 * 1024
  /// The largest valid tile, bytes.
  public static let maximumTileBytes = 1024 * 1024

  /// The tiles.
  public var tiles: [Tile]

  /// Creates an extract.
  public init(tiles: [Tile]) { self.tiles = tiles }

  private static let letters = Array("SPTILES1".utf8)

  /// The bytes of the extract as it travels.
  public var bytes: [UInt8] {
    var bytes = Self.letters
    bytes.reserveCapacity(tiles.reduce(12) { $0 + 13 + $1.bytes.count })
    func add(_ number: Int) {
      let number = UInt32(clamping: number)
      for shift in [24, 16, 8, 0] {
        bytes.append(UInt8(truncatingIfNeeded: number >> UInt32(shift)))
      }
    }
    add(tiles.count)
    for tile in tiles {
      bytes.append(UInt8(clamping: tile.place.zoom))
      add(tile.place.x)
      add(tile.place.y)
      add(tile.bytes.count)
      bytes += tile.bytes
    }
    return bytes
  }

  /// Reads an extract from its bytes.
  /// - Throws: `SyncError.malformedMessage` if the bytes are cut off, too long, or not an extract.
  public init(_ bytes: [UInt8]) throws(SyncError) {
    func wrong(_ words: Wording) -> SyncError { .malformedMessage("its tiles \(words)") }
    guard bytes.starts(with: Self.letters) else { throw wrong("are not tiles") }
    var at = Self.letters.count
    func number() throws(SyncError) -> Int {
      guard bytes.count - at >= 4 else { throw wrong("are incomplete") }
      defer { at += 4 }
      return bytes[at..<(at + 4)].reduce(0) { $0 << 8 | Int($1) }
    }
    let count = try number()
    guard count <= Self.maximumPlaces else { throw wrong("are too many") }
    var tiles: [Tile] = []
    for _ in 0..<count {
      guard at < bytes.count else { throw wrong("are incomplete") }
      let zoom = Int(bytes[at])
      at += 1
      let place = Place(zoom: zoom, x: try number(), y: try number())
      guard zoom <= 30, place.x < 1 << zoom, place.y < 1 << zoom else {
        throw wrong("are outside the map")
      }
      let length = try number()
      guard (1...Self.maximumTileBytes).contains(length) else {
        throw wrong("have an invalid size")
      }
      guard bytes.count - at >= length else { throw wrong("are incomplete") }
      tiles.append(Tile(place: place, bytes: Array(bytes[at..<(at + length)])))
      at += length
    }
    guard at == bytes.count else { throw wrong("do not end where they should") }
    self.tiles = tiles
  }

  // MARK: the request

  /// The places of one zoom that a box touches.
  public struct Area: Hashable, Sendable {
    /// The zoom, 0…30.
    public var zoom: Int
    /// The columns, counted from 180° west.
    public var columns: ClosedRange<Int>
    /// The rows, counted from the north.
    public var rows: ClosedRange<Int>

    /// Creates an area.
    public init(zoom: Int, columns: ClosedRange<Int>, rows: ClosedRange<Int>) {
      (self.zoom, self.columns, self.rows) = (zoom, columns, rows)
    }
  }

  /// Returns the areas that a box touches at some zooms, coarse before fine.
  /// - Returns: The areas; nil if they have more than `maximumPlaces` places.
  public static func areas(of box: CoordinateBox, zooms: ClosedRange<Int>) -> [Area]? {
    var areas: [Area] = []
    var places = 0
    for zoom in zooms {
      let cells = MapGrid(level: zoom).cells(of: box)
      for columns in cells.columns {
        // Both counts are at most 2^30, so their product fits.
        places += columns.count * cells.rows.count
        guard places <= maximumPlaces else { return nil }
        areas.append(Area(zoom: zoom, columns: columns, rows: cells.rows))
      }
    }
    return areas
  }
}
