/// A part of the spectrum that one antenna element and one front end receive.
public enum SignalBand: String, Hashable, Sendable, CaseIterable {
  /// 1559–1610 MHz: L1, E1, B1, G1.
  case upper = "L1"
  /// 1215–1300 MHz: L2, G2, E6, B3.
  case middle = "L2"
  /// 1164–1215 MHz: L5, E5, B2, G3.
  case lower = "L5"
  /// 2483.5–2500 MHz: NavIC's S band.
  case s = "S"
}

/// A signal of a constellation. Source: NMEA 0183 4.11, table of signal ids.
public struct SatelliteSignal: Hashable, Sendable {
  /// The constellation that sends the signal.
  public let constellation: Constellation
  /// The standard's id within its constellation, 1…15.
  public let id: Int

  /// Creates a signal by its id; nil for 0, which means "all signals", and beyond 15.
  public init?(constellation: Constellation, id: Int) {
    guard (1...15).contains(id) else { return nil }
    self.constellation = constellation
    self.id = id
  }

  /// The signal's name, such as `L1 C/A`; `signal 9` for an id that the standard does not define.
  public var name: String { entry?.name ?? "signal \(id)" }

  /// The signal's band; nil for an id that the standard does not define.
  public var band: SignalBand? { entry?.band }

  private var entry: (name: String, band: SignalBand)? {
    let table = Self.table(constellation)
    return id <= table.count ? table[id - 1] : nil
  }

  private static func table(_ constellation: Constellation) -> [(name: String, band: SignalBand)] {
    switch constellation {
    case .gps:
      [
        ("L1 C/A", .upper), ("L1 P(Y)", .upper), ("L1 M", .upper), ("L2 P(Y)", .middle),
        ("L2C-M", .middle), ("L2C-L", .middle), ("L5-I", .lower), ("L5-Q", .lower),
      ]
    case .glonass:
      [("G1 C/A", .upper), ("G1 P", .upper), ("G2 C/A", .middle), ("G2 P", .middle)]
    case .galileo:
      [
        ("E5a", .lower), ("E5b", .lower), ("E5a+b", .lower), ("E6-A", .middle), ("E6-BC", .middle),
        ("E1-A", .upper), ("E1-BC", .upper),
      ]
    case .beiDou:
      [
        ("B1I", .upper), ("B1Q", .upper), ("B1C", .upper), ("B1A", .upper), ("B2a", .lower),
        ("B2b", .lower), ("B2a+b", .lower), ("B3I", .middle), ("B3Q", .middle), ("B3A", .middle),
        ("B2I", .lower), ("B2Q", .lower),
      ]
    case .qzss:
      [
        ("L1 C/A", .upper), ("L1C (D)", .upper), ("L1C (P)", .upper), ("L1S", .upper),
        ("L2C-M", .middle), ("L2C-L", .middle), ("L5-I", .lower), ("L5-Q", .lower),
        ("L6D", .middle), ("L6E", .middle),
      ]
    case .navIC:
      [
        ("L5-SPS", .lower), ("S-SPS", .s), ("L5-RS", .lower), ("S-RS", .s), ("L1-SPS", .upper),
      ]
    case .sbas: [("L1 C/A", .upper), ("L5-I", .lower), ("L5-Q", .lower)]
    }
  }
}
