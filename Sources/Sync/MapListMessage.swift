/// The base maps that an office has for its field units.
public struct MapListMessage: Codable, Hashable, Sendable {
  /// The schema's name.
  public static let schema = "standpoint.maps/1"
  /// More maps are not offered, nor fetched.
  public static let maximumMaps = 16
  /// The media types that tiles may have.
  public static let mediaTypes = ["image/jpeg", "image/png", "image/webp"]

  /// One map.
  public struct Map: Codable, Hashable, Sendable {
    /// What its file is called in the office's folder, without the ending.
    public var name: String
    /// What it calls itself.
    public var title: String
    /// To whom it is owed; nil when it does not say.
    public var attribution: String?
    /// The media type of its tiles.
    public var mediaType: String
    /// The coarsest zoom that it has tiles for.
    public var leastZoom: Int
    /// The finest one.
    public var mostZoom: Int
    /// 32 hexadecimal digits that change with its file.
    public var mark: String

    /// A map from its parts.
    public init(
      name: String, title: String, attribution: String?, mediaType: String,
      zooms: ClosedRange<Int>, mark: String
    ) {
      (self.name, self.title, self.attribution) = (name, title, attribution)
      (self.mediaType, self.mark) = (mediaType, mark)
      (leastZoom, mostZoom) = (zooms.lowerBound, zooms.upperBound)
    }

    /// The zooms that it has tiles for; nil where what it says is no range.
    public var zooms: ClosedRange<Int>? {
      (0...30).contains(leastZoom) && (leastZoom...30).contains(mostZoom)
        ? leastZoom...mostZoom : nil
    }

    /// Whether it is one that may be asked for and kept.
    public var isSound: Bool {
      MapListMessage.isName(name) && zooms != nil && MapListMessage.isMark(mark)
        && MapListMessage.mediaTypes.contains(mediaType) && title.utf8.count <= 1000
        && (attribution?.utf8.count ?? 0) <= 10_000
    }
  }

  /// Name and version of the message.
  public var schema = Self.schema
  /// The maps, by name.
  public var maps: [Map]

  /// A list of maps.
  public init(maps: [Map]) { self.maps = maps }

  /// Whether a name is one that such a map may have: up to 180 bytes without a slash and without control
  /// characters, and no point at its beginning, so that it leads nowhere else.
  public static func isName(_ name: String) -> Bool {
    (1...180).contains(name.utf8.count) && !name.hasPrefix(".")
      && name.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F && $0 != "/" }
  }

  /// Whether a text is a mark.
  public static func isMark(_ text: String) -> Bool {
    text.utf8.count == 32
      && text.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
  }
}
