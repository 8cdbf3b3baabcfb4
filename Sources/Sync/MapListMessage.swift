/// The base maps that an office has for its field units.
public struct MapListMessage: Codable, Hashable, Sendable {
  /// The schema's name and version.
  public static let schema = "standpoint.maps/1"
  /// The most maps that an office offers and a field unit fetches.
  public static let maximumMaps = 16
  /// The media types that tiles may have.
  public static let mediaTypes = ["image/jpeg", "image/png", "image/webp"]

  /// One map.
  public struct Map: Codable, Hashable, Sendable {
    /// The name of the map's file in the office's folder, without the ending.
    public var name: String
    /// The title that the map gives itself.
    public var title: String
    /// The credit to the map's authors; nil if the map names none.
    public var attribution: String?
    /// The media type of its tiles.
    public var mediaType: String
    /// The coarsest zoom with tiles, 0…30.
    public var leastZoom: Int
    /// The finest zoom with tiles, 0…30.
    public var mostZoom: Int
    /// A mark of 32 lower-case hexadecimal digits that changes with the file.
    public var mark: String

    /// Creates a map.
    public init(
      name: String, title: String, attribution: String?, mediaType: String,
      zooms: ClosedRange<Int>, mark: String
    ) {
      (self.name, self.title, self.attribution) = (name, title, attribution)
      (self.mediaType, self.mark) = (mediaType, mark)
      (leastZoom, mostZoom) = (zooms.lowerBound, zooms.upperBound)
    }

    /// The zooms with tiles; nil if the two numbers are not a range within 0…30.
    public var zooms: ClosedRange<Int>? {
      (0...30).contains(leastZoom) && (leastZoom...30).contains(mostZoom)
        ? leastZoom...mostZoom : nil
    }

    /// True if all values are valid, so that the map may be asked for and kept.
    public var isSound: Bool {
      MapListMessage.isName(name) && zooms != nil && MapListMessage.isMark(mark)
        && MapListMessage.mediaTypes.contains(mediaType) && title.utf8.count <= 1000
        && (attribution?.utf8.count ?? 0) <= 10_000
    }
  }

  /// The name and version of this message.
  public var schema = Self.schema
  /// The maps, sorted by name.
  public var maps: [Map]

  /// Creates a list of maps.
  public init(maps: [Map]) { self.maps = maps }

  /// Returns true if a map may have this name: up to 180 bytes without a slash and without control
  /// characters, and no point at the beginning, so that the name cannot lead out of the folder.
  public static func isName(_ name: String) -> Bool {
    (1...180).contains(name.utf8.count) && !name.hasPrefix(".")
      && name.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F && $0 != "/" }
  }

  /// Returns true if a text is a mark: 32 lower-case hexadecimal digits.
  public static func isMark(_ text: String) -> Bool {
    text.utf8.count == 32
      && text.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
  }
}
