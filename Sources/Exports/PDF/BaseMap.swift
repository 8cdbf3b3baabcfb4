extension Dossier {
  /// A map on this machine that is drawn beneath the sketch maps: tiles as MBTiles archives have
  /// them, in Web Mercator.
  public struct BaseMap {
    /// The title that the map gives itself.
    public var title: String
    /// The words that credit the map's makers; nil if the map has none.
    public var attribution: String?
    /// The zoom levels for which the map has tiles.
    public var zooms: ClosedRange<Int>
    /// Returns a tile's bytes (JPEG or PNG) by its zoom level, its column and its row, counted from
    /// the north; nil if there is no such tile.
    public var tile: (_ zoom: Int, _ x: Int, _ y: Int) throws -> [UInt8]?

    /// Creates a base map.
    public init(
      title: String, attribution: String?, zooms: ClosedRange<Int>,
      tile: @escaping (_ zoom: Int, _ x: Int, _ y: Int) throws -> [UInt8]?
    ) {
      (self.title, self.attribution) = (title, attribution)
      (self.zooms, self.tile) = (zooms, tile)
    }
  }
}
