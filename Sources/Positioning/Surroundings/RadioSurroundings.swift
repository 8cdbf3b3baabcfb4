import TimeAndText

/// The radio transmitters around the device, as its modem and its Wi-Fi hear them: a second witness
/// of the device's place, independent of the GNSS receiver.
public struct RadioSurroundings: Hashable, Sendable {
  /// The age in seconds from which a transmitter is no longer reported: a walk of a minute leads
  /// elsewhere.
  public static let maximumAgeSeconds = 60.0

  /// A cell of a mobile network.
  public struct Cell: Hashable, Sendable {
    /// The kind of a network, as records name it.
    public enum Technology: String, Hashable, Sendable, CaseIterable {
      /// GSM.
      case gsm
      /// UMTS and TD-SCDMA.
      case umts
      /// LTE.
      case lte
      /// 5G New Radio.
      case nr
    }

    /// The kind of the cell's network.
    public var technology: Technology
    /// True if the cell serves the modem; a neighbour does not.
    public var isServing: Bool
    /// Mobile country code, three digits; nil if a neighbour does not tell its own.
    public var countryCode: String?
    /// Mobile network code, two or three digits; nil if unknown.
    public var networkCode: String?
    /// Location area (GSM, UMTS) or tracking area (LTE, NR); nil if unknown.
    public var areaCode: Int?
    /// The cell's number in its network, up to 36 bits; nil if unknown.
    public var cell: Int?
    /// Physical cell identity (LTE, NR) or scrambling code (UMTS), the only number that most
    /// neighbours tell; nil if unknown.
    public var physicalCell: Int?
    /// Absolute radio channel number (ARFCN, UARFCN, EARFCN, NR-ARFCN); nil if unknown.
    public var channel: Int?
    /// Received power of the cell's reference signal, dBm: RXLEV, RSCP or RSRP by its kind; nil if
    /// unknown.
    public var signalDecibelMilliwatts: Double?
    /// Time at which the cell was heard.
    public var heard: ElapsedTime

    /// Creates a cell of which only the kind is known so far.
    public init(technology: Technology, isServing: Bool, heard: ElapsedTime) {
      self.technology = technology
      self.isServing = isServing
      self.heard = heard
    }
  }

  /// A Wi-Fi access point. Its network's name (SSID) is private and is not kept.
  public struct AccessPoint: Hashable, Sendable {
    /// The hardware address (BSSID), lower case with colons.
    public var address: String
    /// The channel; nil if the frequency belongs to none.
    public var channel: Int?
    /// Strength, 0 to 100 %, which NetworkManager gives instead of dBm; nil if unknown.
    public var signalPercent: Int?
    /// Time at which the access point was heard.
    public var heard: ElapsedTime

    /// Creates an access point.
    public init(address: String, channel: Int?, signalPercent: Int?, heard: ElapsedTime) {
      self.address = address
      self.channel = channel
      self.signalPercent = signalPercent
      self.heard = heard
    }
  }

  /// Cells, the serving ones first.
  public var cells: [Cell]
  /// Access points, the strongest first; after a merge, those of the later reading come first.
  public var accessPoints: [AccessPoint]
  /// Remarks in words about missing modems or Wi-Fi: a device without a modem is ordinary.
  public var remarks: [Wording]

  /// Creates surroundings.
  public init(cells: [Cell] = [], accessPoints: [AccessPoint] = [], remarks: [Wording] = []) {
    self.cells = cells
    self.accessPoints = accessPoints
    self.remarks = remarks
  }

  /// True if nothing was heard.
  public var isEmpty: Bool { cells.isEmpty && accessPoints.isEmpty }

  /// Adds the transmitters of a later reading. Its cells replace the earlier ones unless it has
  /// none. Access points are merged by address, and the one heard last counts; the others stay,
  /// with their age. Its remarks replace the earlier ones.
  public mutating func merge(_ later: RadioSurroundings) {
    if !later.cells.isEmpty { cells = later.cells }
    let known = Dictionary(accessPoints.map { ($0.address, $0) }) { first, _ in first }
    let new = later.accessPoints.map { point in
      known[point.address].flatMap { $0.heard > point.heard ? $0 : nil } ?? point
    }
    let addresses = Set(new.map(\.address))
    accessPoints = new + accessPoints.filter { !addresses.contains($0.address) }
    remarks = later.remarks
  }

  /// Returns the transmitters that are still fresh at a moment: an empty reading is no news, but
  /// transmitters heard long ago do not count.
  public func fresh(at now: ElapsedTime) -> RadioSurroundings {
    func isFresh(_ heard: ElapsedTime) -> Bool {
      now.seconds(since: heard) <= Self.maximumAgeSeconds
    }
    var fresh = self
    fresh.cells = cells.filter { isFresh($0.heard) }
    fresh.accessPoints = accessPoints.filter { isFresh($0.heard) }
    return fresh
  }

  /// A summary in one line, for people.
  public var summary: String {
    func count(_ number: Int, _ one: String) -> String {
      "\(number) \(one)\(number == 1 ? "" : "s")"
    }
    return count(cells.count, "cell") + ", " + count(accessPoints.count, "access point")
  }
}

extension RadioSurroundings.AccessPoint {
  /// Returns the channel of a centre frequency in megahertz, by IEEE 802.11 in its bands of 2.4, 5
  /// and 6 GHz; nil if the frequency belongs to none.
  public static func channel(ofMegahertz frequency: Int) -> Int? {
    let number: Int
    let step: Int
    switch frequency {
    case 2484: return 14
    case 2412...2472: (number, step) = (frequency - 2407, 5)
    case 5935: return 2
    case 5955...7115: (number, step) = (frequency - 5950, 5)
    case 5035...5895: (number, step) = (frequency - 5000, 5)
    default: return nil
    }
    return number % step == 0 ? number / step : nil
  }
}
