import TimeAndText

extension Constellation {
  /// The constellation's letter in RINEX.
  public var letter: String {
    switch self {
    case .gps: "G"
    case .glonass: "R"
    case .galileo: "E"
    case .beiDou: "C"
    case .qzss: "J"
    case .navIC: "I"
    case .sbas: "S"
    }
  }

  /// Returns a satellite's number within the constellation for the id that a receiver sends, by the
  /// schemes of NMEA 0183, its extensions, and gpsd; the id itself if it fits none of them. Source:
  /// NMEA 0183 4.11, GSA; gpsd_json(5), SKY.
  public func number(ofID id: Int) -> Int {
    switch (self, id) {
    case (.glonass, 65...96): id - 64
    case (.galileo, 301...336): id - 300
    case (.beiDou, 201...263): id - 200
    case (.beiDou, 401...463): id - 400
    case (.qzss, 193...202): id - 192
    case (.navIC, 501...514): id - 500
    // RINEX counts from the PRN 100, NMEA from 87.
    case (.sbas, 33...64): id - 13
    case (.sbas, 120...158): id - 100
    default: id
    }
  }
}

extension Satellite {
  /// The satellite's number within its constellation, whichever scheme the receiver uses.
  public var number: Int { constellation.number(ofID: id) }

  /// The satellite's name as RINEX writes it: `G07`, `R12`, `S36`.
  public var designation: String { constellation.letter + padded(number, 2) }
}
