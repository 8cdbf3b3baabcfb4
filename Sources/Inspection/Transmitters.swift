import Geodesy

/// A place at which a transmitter is known to be, or at which a device heard it.
public struct TransmitterPlace: Hashable, Sendable {
  /// The transmitter's own place by the agency's list, or the place at which a device heard it.
  public var coordinate: Coordinate
  /// The distance in metres up to which the transmitter is heard, by the agency's list; nil for a
  /// place at which a device heard it.
  public var rangeMetres: Double?
  /// The key of the device that heard the transmitter; nil for a place from the agency's list.
  public var key: String?

  /// Creates a place.
  public init(coordinate: Coordinate, rangeMetres: Double?, key: String?) {
    self.coordinate = coordinate
    self.rangeMetres = rangeMetres
    self.key = key
  }
}

/// A mobile cell in an agency's own list.
public struct CellSite: Hashable, Sendable {
  /// The transmitter's name, as `transmitterName` makes it.
  public var transmitter: String
  /// The cell's place.
  public var coordinate: Coordinate
  /// The distance in metres up to which the cell is heard.
  public var rangeMetres: Double

  /// Creates a cell.
  public init(transmitter: String, coordinate: Coordinate, rangeMetres: Double) {
    self.transmitter = transmitter
    self.coordinate = coordinate
    self.rangeMetres = rangeMetres
  }

  /// Returns the name that tells a cell from all others: technology, country, network, area and cell.
  /// - Parameters:
  ///   - countryCode: MCC, three digits.
  ///   - networkCode: MNC; leading zeros are dropped, because lists drop them too.
  public static func transmitterName(
    technology: String, countryCode: String, networkCode: String, areaCode: Int, cell: Int
  ) -> String {
    let network = Int(networkCode).map(String.init) ?? networkCode
    return "\(technology)-\(countryCode)-\(network)-\(areaCode)-\(cell)"
  }
}
