import Geodesy

/// Where a transmitter is known to be, or to have been heard.
public struct TransmitterPlace: Hashable, Sendable {
  /// The transmitter's own place by the agency's list, or where somebody heard it.
  public var coordinate: Coordinate
  /// How far it is heard, metres, by the agency's list; nil for where it was heard.
  public var rangeMetres: Double?
  /// The key of the device that heard it; nil for the agency's list.
  public var key: String?

  /// A place from its parts.
  public init(coordinate: Coordinate, rangeMetres: Double?, key: String?) {
    self.coordinate = coordinate
    self.rangeMetres = rangeMetres
    self.key = key
  }
}

/// A mobile cell of an agency's own list.
public struct CellSite: Hashable, Sendable {
  /// Its name, as `transmitterName` makes it.
  public var transmitter: String
  /// Where it is.
  public var coordinate: Coordinate
  /// How far it is heard, metres.
  public var rangeMetres: Double

  /// A cell from its parts.
  public init(transmitter: String, coordinate: Coordinate, rangeMetres: Double) {
    self.transmitter = transmitter
    self.coordinate = coordinate
    self.rangeMetres = rangeMetres
  }

  /// What a cell is called among all: technology, country, network, area and cell.
  /// - Parameters:
  ///   - countryCode: MCC, three digits.
  ///   - networkCode: MNC; leading zeros do not matter, lists drop them.
  public static func transmitterName(
    technology: String, countryCode: String, networkCode: String, areaCode: Int, cell: Int
  ) -> String {
    let network = Int(networkCode).map(String.init) ?? networkCode
    return "\(technology)-\(countryCode)-\(network)-\(areaCode)-\(cell)"
  }
}
