import Geodesy

/// A part of a base map as it travels from the office to a field unit.
///
/// Its bytes, numbers with the most significant byte first: the eight letters `SPTILES1`; the number of
/// tiles (4 bytes); then for each tile its zoom (1), column from 180° west (4), row from the north (4), the
/// number of its bytes (4), and these. Nothing follows. What was changed on its way is found by the answer's
/// ETag, which is the SHA-256 of all of it.
public struct TileExtract: Hashable, Sendable {
  /// A tile's place.
  public struct Place: Hashable, Sendable, Comparable {
    /// How often the world was halved, 0 ... 30.
    public var zoom: Int
    /// From 180° west.
    public var x: Int
    /// From the north.
    public var y: Int

    /// A place by its numbers.
    public init(zoom: Int, x: Int, y: Int) { (self.zoom, self.x, self.y) = (zoom, x, y) }

    /// Coarse before fine, west before east, north before south.
    public static func < (one: Place, other: Place) -> Bool {
      (one.zoom, one.x, one.y) < (other.zoom, other.x, other.y)
    }
  }

  /// A tile.
  public struct Tile: Hashable, Sendable {
    /// Where it lies.
    public var place: Place
    /// The picture.
    public var bytes: [UInt8]

    /// A tile from its parts.
    public init(place: Place, bytes: [UInt8]) { (self.place, self.bytes) = (place, bytes) }
  }

  /// The media type of its bytes.
  public static let mediaType = "application/vnd.standpoint.tiles"
  /// So many places may be asked for at once, whether there are tiles or not.
  public static let maximumPlaces = 256
  /// So many bytes of tiles go at once.
  public static let maximumBytes = 32 * 1024 * 1024
  /// A larger tile is none.
  public static let maximumTileBytes = 1024 * 1024

  /// The tiles.
  public var tiles: [Tile]

  /// An extract of tiles.
  public init(tiles: [Tile]) { self.tiles = tiles }

  private static let letters = Array("SPTILES1".utf8)

  /// As it travels.
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

  /// An extract from its bytes.
  /// - Throws: `SyncError.malformedMessage`: cut off, too long, or something else altogether.
  public init(_ bytes: [UInt8]) throws(SyncError) {
    func wrong(_ words: String) -> SyncError { .malformedMessage("its tiles \(words)") }
    guard bytes.starts(with: Self.letters) else { throw wrong("are none") }
    var at = Self.letters.count
    func number() throws(SyncError) -> Int {
      guard bytes.count - at >= 4 else { throw wrong("are cut off") }
      defer { at += 4 }
      return bytes[at..<(at + 4)].reduce(0) { $0 << 8 | Int($1) }
    }
    let count = try number()
    guard count <= Self.maximumPlaces else { throw wrong("are too many") }
    var tiles: [Tile] = []
    for _ in 0..<count {
      guard at < bytes.count else { throw wrong("are cut off") }
      let zoom = Int(bytes[at])
      at += 1
      let place = Place(zoom: zoom, x: try number(), y: try number())
      guard zoom <= 30, place.x < 1 << zoom, place.y < 1 << zoom else {
        throw wrong("lie beside the world")
      }
      let length = try number()
      guard (1...Self.maximumTileBytes).contains(length) else { throw wrong("have no sound size") }
      guard bytes.count - at >= length else { throw wrong("are cut off") }
      tiles.append(Tile(place: place, bytes: Array(bytes[at..<(at + length)])))
      at += length
    }
    guard at == bytes.count else { throw wrong("do not end where they should") }
    self.tiles = tiles
  }

  // MARK: what is asked for

  /// The places of one zoom that a box touches.
  public struct Area: Hashable, Sendable {
    /// The zoom.
    public var zoom: Int
    /// Columns from 180° west.
    public var columns: ClosedRange<Int>
    /// Rows from the north.
    public var rows: ClosedRange<Int>

    /// An area from its parts.
    public init(zoom: Int, columns: ClosedRange<Int>, rows: ClosedRange<Int>) {
      (self.zoom, self.columns, self.rows) = (zoom, columns, rows)
    }
  }

  /// What a box touches at some zooms, coarse before fine.
  /// - Returns: nil where that is more than `maximumPlaces`.
  public static func areas(of box: CoordinateBox, zooms: ClosedRange<Int>) -> [Area]? {
    var areas: [Area] = []
    var places = 0
    for zoom in zooms {
      let cells = MapGrid(level: zoom).cells(of: box)
      for columns in cells.columns {
        // At most 2^30 each: their product fits.
        places += columns.count * cells.rows.count
        guard places <= maximumPlaces else { return nil }
        areas.append(Area(zoom: zoom, columns: columns, rows: cells.rows))
      }
    }
    return areas
  }
}
