/// The radio transmitters around the device, as its modem and its Wi-Fi hear them: a second witness of
/// where it is, which knows nothing of the GNSS receiver.
public struct RadioSurroundings: Hashable, Sendable {
  /// What is older than this is not handed out any more, seconds: a walk of a minute leads elsewhere.
  public static let maximumAgeSeconds = 60.0

  /// A cell of a mobile network.
  public struct Cell: Hashable, Sendable {
    /// Kind of network, as records name it.
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

    /// Kind of network.
    public var technology: Technology
    /// Whether it serves the modem; a neighbour does not.
    public var isServing: Bool
    /// Mobile country code, three digits; nil when the neighbour does not say its own.
    public var countryCode: String?
    /// Mobile network code, two or three digits.
    public var networkCode: String?
    /// Location area (GSM, UMTS) or tracking area (LTE, NR).
    public var areaCode: Int?
    /// The cell's number in its network, up to 36 bits.
    public var cell: Int?
    /// Physical cell identity (LTE, NR) or scrambling code (UMTS): all that most neighbours tell.
    public var physicalCell: Int?
    /// Absolute radio channel number (ARFCN, UARFCN, EARFCN, NR-ARFCN).
    public var channel: Int?
    /// Received power of its reference signal, dBm: RXLEV, RSCP or RSRP by its kind.
    public var signalDecibelMilliwatts: Double?
    /// When it was heard.
    public var heard: ElapsedTime

    /// A cell of which nothing but its kind is known yet.
    public init(technology: Technology, isServing: Bool, heard: ElapsedTime) {
      self.technology = technology
      self.isServing = isServing
      self.heard = heard
    }
  }

  /// A Wi-Fi access point. Its name (SSID) is nobody's business and is not kept.
  public struct AccessPoint: Hashable, Sendable {
    /// Its hardware address (BSSID), lower case with colons.
    public var address: String
    /// Its channel; nil when its frequency belongs to none.
    public var channel: Int?
    /// Strength, 0 to 100 %, as NetworkManager gives it instead of dBm.
    public var signalPercent: Int?
    /// When it was heard.
    public var heard: ElapsedTime

    /// An access point from its parts.
    public init(address: String, channel: Int?, signalPercent: Int?, heard: ElapsedTime) {
      self.address = address
      self.channel = channel
      self.signalPercent = signalPercent
      self.heard = heard
    }
  }

  /// Cells, the serving ones first.
  public var cells: [Cell]
  /// Access points, the strongest first.
  public var accessPoints: [AccessPoint]
  /// What is not there to be heard with, in words: no modem is an ordinary state.
  public var remarks: [Wording]

  /// Surroundings from their parts.
  public init(cells: [Cell] = [], accessPoints: [AccessPoint] = [], remarks: [Wording] = []) {
    self.cells = cells
    self.accessPoints = accessPoints
    self.remarks = remarks
  }

  /// Whether nothing was heard.
  public var isEmpty: Bool { cells.isEmpty && accessPoints.isEmpty }

  /// Takes over what was heard later. Where the modem or Wi-Fi has told nothing, what they told before
  /// stays, with its age.
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

  /// What is still fresh at a moment: silence is no news, and old news is none.
  public func fresh(at now: ElapsedTime) -> RadioSurroundings {
    func isFresh(_ heard: ElapsedTime) -> Bool {
      now.seconds(since: heard) <= Self.maximumAgeSeconds
    }
    var fresh = self
    fresh.cells = cells.filter { isFresh($0.heard) }
    fresh.accessPoints = accessPoints.filter { isFresh($0.heard) }
    return fresh
  }

  /// In one line, for people.
  public var summary: String {
    func count(_ number: Int, _ one: String) -> String {
      "\(number) \(one)\(number == 1 ? "" : "s")"
    }
    return count(cells.count, "cell") + ", " + count(accessPoints.count, "access point")
  }
}

extension RadioSurroundings.AccessPoint {
  /// The channel of a centre frequency in megahertz, by IEEE 802.11 in its bands of 2.4, 5 and 6 GHz.
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
