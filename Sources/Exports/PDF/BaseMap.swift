extension Dossier {
  /// A map that lies on this machine, for beneath the drawn ones: tiles as MBTiles archives have them, in Web
  /// Mercator.
  public struct BaseMap {
    /// What it calls itself.
    public var title: String
    /// To whom it is owed; nil when it does not say.
    public var attribution: String?
    /// The zooms that it has tiles for.
    public var zooms: ClosedRange<Int>
    /// A tile's bytes (JPEG or PNG) by its zoom, its column and its row, counted from the north; nil where there
    /// is none.
    public var tile: (_ zoom: Int, _ x: Int, _ y: Int) throws -> [UInt8]?

    /// A map from its parts.
    public init(
      title: String, attribution: String?, zooms: ClosedRange<Int>,
      tile: @escaping (_ zoom: Int, _ x: Int, _ y: Int) throws -> [UInt8]?
    ) {
      self.title = title
      self.attribution = attribution
      self.zooms = zooms
      self.tile = tile
    }
  }
}
