/// A satellite navigation system, or an augmentation of one.
public enum Constellation: UInt8, Hashable, Sendable, CaseIterable {
  /// NAVSTAR, United States.
  case gps
  /// Russia.
  case glonass
  /// European Union.
  case galileo
  /// China.
  case beiDou
  /// Michibiki, Japan.
  case qzss
  /// India.
  case navIC
  /// Geostationary augmentation: WAAS, EGNOS, MSAS, GAGAN, SDCM.
  case sbas

  /// The name in the usual spelling; records and JSON carry it.
  public var name: String {
    switch self {
    case .gps: "GPS"
    case .glonass: "GLONASS"
    case .galileo: "Galileo"
    case .beiDou: "BeiDou"
    case .qzss: "QZSS"
    case .navIC: "NavIC"
    case .sbas: "SBAS"
    }
  }

  /// Finds a constellation by its name, in upper or lower case; nil for an unknown name.
  public init?(name: String) {
    guard let found = Self.allCases.first(where: { $0.name.lowercased() == name.lowercased() })
    else { return nil }
    self = found
  }
}

/// A satellite as the receiver hears it. Source: NMEA 0183 GSV and GSA, gpsd_json SKY.
public struct Satellite: Hashable, Sendable {
  /// The system to which the satellite belongs.
  public var constellation: Constellation
  /// The satellite's id as the receiver sends it, by the scheme of its constellation.
  public var id: Int
  /// Degrees above the horizon, -90…90; nil if unknown.
  public var elevationDegrees: Double?
  /// Degrees clockwise from true north, 0..<360; nil if unknown.
  public var azimuthDegrees: Double?
  /// Carrier-to-noise density of the strongest signal, dB-Hz; nil while the satellite is not
  /// tracked.
  public var carrierToNoiseDecibelHertz: Double?
  /// True if the solution uses the satellite.
  public var isUsed: Bool
  /// The signals that are tracked, as far as the receiver names them (NMEA 0183 4.10 and later).
  public var signals: [SatelliteSignal] = []
}

/// The constellations and signals that a receiver is known to receive, because it has tracked them.
public struct ReceiverCapability: Hashable, Sendable {
  /// Constellations of which a satellite was tracked, in the order of `Constellation`.
  public var constellations: [Constellation]
  /// Signals that were tracked; empty if the receiver does not name them.
  public var signals: [SatelliteSignal]

  /// True if signals of one constellation were tracked in two bands; nil if the receiver does not
  /// name its signals, so that this is unknown.
  public var isDualFrequency: Bool? {
    guard !signals.isEmpty else { return nil }
    return constellations.contains { constellation in
      Set(signals.filter { $0.constellation == constellation }.compactMap(\.band)).count > 1
    }
  }

  /// Adds the constellations and signals of the satellites that are tracked.
  mutating func add(_ satellites: [Satellite]) {
    for satellite in satellites where satellite.carrierToNoiseDecibelHertz != nil {
      if !constellations.contains(satellite.constellation) {
        constellations.append(satellite.constellation)
        constellations.sort { $0.rawValue < $1.rawValue }
      }
      for signal in satellite.signals where !signals.contains(signal) { signals.append(signal) }
    }
  }
}
